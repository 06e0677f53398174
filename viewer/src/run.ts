// What can be shown: a recorded run or a live one.
import { SERIES, type Block, type GeomMessage, type SceneMessage, type Series } from './schema';

/** A frame: its block, and its number in that. */
export interface Place {
  block: Block;
  at: number;
}

export interface Run {
  readonly scene: SceneMessage;
  /** s, of every frame */
  readonly time: number[];
  readonly series: Record<Series, number[]>;
  readonly frames: number;
  /** What is wrong with it; empty: nothing. */
  readonly warning: string;
  readonly interrupted: boolean;
  /** Null while the frame is being unpacked. */
  find(frame: number): Place | null;
  /** Until `find` will find it. */
  wait(frame: number): Promise<void>;
  /** The last frame that is not after `time`. */
  frameAt(time: number): number;
  /** The way of a body: x, y, z of every frame. */
  path(body: number): Promise<Float32Array>;
  /** N, what an arrow is measured by: of the contacts of a body, of all of them (-1). */
  typicalForce(body: number): number;
}

export function emptySeries(): Record<Series, number[]> {
  return Object.fromEntries(SERIES.map((name) => [name, [] as number[]])) as Record<Series, number[]>;
}

// The page numbers what can be selected as bodies: the links first, then the soft bodies.

export function bodyNames({ links, softs }: SceneMessage): string[] {
  return [...links, ...softs].map(({ name }) => name);
}
export function bodyMass({ links, softs }: SceneMessage, body: number): number {
  return (links[body] ?? softs[body - links.length]).mass;
}
/** A rod is one. */
export function bodyCount({ links, softs, rods }: SceneMessage): number {
  return rods.reduce((sum, rod) => sum + 1 - rod.links.length, links.length + softs.length);
}
/** -1: it is fixed. */
export function bodyOf({ links }: SceneMessage, geom: GeomMessage | undefined): number {
  return geom?.soft !== undefined ? links.length + geom.soft : geom?.link ?? -1;
}
/** m: the origin of a link, the middle of the vertices of a soft body. */
export function centre({ block, at }: Place, body: number): Float32Array {
  const { links } = block;
  if (body < links) return block.position.subarray(3 * (at * links + body), 3 * (at * links + body) + 3);
  const skin = block.skins[body - links];
  const size = skin.length / block.frames;
  return middleOf(skin.subarray(at * size, (at + 1) * size));
}
export function middleOf(points: Float32Array): Float32Array {
  const sum = [0, 0, 0];
  for (let i = 0; i < points.length; ++i) sum[i % 3] += points[i];
  return Float32Array.from(sum, (x) => (3 * x) / points.length);
}

/** Bytes of an unpacked block. */
export function sizeOf(block: Block): number {
  const skins = block.skins.reduce((sum, skin) => sum + skin.length, 0);
  return 4 * (7 * block.links * block.frames + block.joints.length + skins + 11 * block.contactBegin[block.frames]);
}

/** N, of the heaviest body. */
export function heaviestWeight({ links, softs, gravity }: SceneMessage): number {
  return Math.hypot(...gravity) * [...links, ...softs].reduce((most, { mass }) => Math.max(most, mass), 0);
}

/** The last of ascending times that is not after `time`; 0 where all are. */
export function frameAt(times: number[], time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
