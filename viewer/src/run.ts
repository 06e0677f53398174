// What can be shown: a recorded run or a live one.
import { SERIES, type Block, type SceneMessage, type Series } from './schema';

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
  /** The way of a link: x, y, z of every frame. */
  path(link: number): Promise<Float32Array>;
  /** N, what an arrow is measured by. */
  typicalForce(): number;
}

export function emptySeries(): Record<Series, number[]> {
  return Object.fromEntries(SERIES.map((name) => [name, [] as number[]])) as Record<Series, number[]>;
}

/** N, of the heaviest body. */
export function heaviestWeight({ links, gravity }: SceneMessage): number {
  return Math.hypot(...gravity) * links.reduce((most, link) => Math.max(most, link.mass), 0);
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
