// Soft bodies: their skins, and cords as tubes.
import * as THREE from 'three';
import { fromBase64, inflate } from './block';
import { bodyMaterial, firstHit, movingMesh, paintedColor, type Hit, type Paint } from './look';
import type { Place } from './run';
import { DataError, type GeomMessage, type SceneMessage, type SoftMessage } from './schema';
import { SkinSurface } from './skin_surface';
import type { Textures } from './textures';
import { Tube } from './tube';

const THINNEST = 0.002; // radius of a cord that is drawn, of the radius of the scene

/** What a scene tells of a soft body, unpacked. */
export interface SkinData {
  /** three vertices each */
  faces: Uint32Array;
  /** two vertices each */
  cords: [number, number][];
  /** of every vertex: number of its link, -1: fixed; its place in the link's frame; its place at rest */
  links: Int32Array;
  points: Float32Array;
  rest: Float32Array;
  /** in a texture, two of each corner of a face; null: none */
  places: Float32Array | null;
}

export async function unpackSkin(soft: SoftMessage): Promise<SkinData> {
  const buffer = await inflate(fromBase64(soft.data));
  const { vertices, faces, textured } = soft;
  const size = 12 * faces + 28 * vertices;
  if (buffer.byteLength !== size + (textured ? 24 * faces : 0)) throw new DataError(`soft body ${soft.name} has not the size it states`);
  const corners = new Int32Array(buffer, 0, 3 * faces);
  const triangles: number[] = [];
  const cords: [number, number][] = [];
  for (let f = 0; f < faces; ++f) {
    const face = corners.subarray(3 * f, 3 * f + 3);
    if (face.some((v, k) => v >= vertices || v < (k === 2 ? -1 : 0))) throw new DataError(`soft body ${soft.name} has faces without vertices`);
    if (face[2] < 0) cords.push([face[0], face[1]]);
    else triangles.push(...face);
  }
  return {
    faces: Uint32Array.from(triangles),
    cords,
    links: new Int32Array(buffer, 12 * faces, vertices),
    points: new Float32Array(buffer, 12 * faces + 4 * vertices, 3 * vertices),
    rest: new Float32Array(buffer, 12 * faces + 16 * vertices, 3 * vertices),
    places: textured ? new Float32Array(buffer, size, 6 * faces) : null,
  };
}

/** Stretches joined end to end, as long as exactly two meet: vertices of each chain; a closed one has its first again at the end. */
export function chains(stretches: [number, number][]): number[][] {
  const around = new Map<number, number[]>();
  stretches.forEach((ends, s) => ends.forEach((v) => around.set(v, [...(around.get(v) ?? []), s])));
  const used = new Set<number>();
  const follow = (from: number, first: number): number[] => {
    const chain = [from];
    for (let s: number | undefined = first; s !== undefined; ) {
      used.add(s);
      const [a, b] = stretches[s];
      const next = a === chain.at(-1) ? b : a;
      chain.push(next);
      const list: number[] = around.get(next)!;
      s = list.length === 2 ? list.find((other) => !used.has(other)) : undefined;
    }
    return chain;
  };
  const out: number[][] = [];
  for (const [vertex, list] of around) {
    if (list.length !== 2) for (const s of list) if (!used.has(s)) out.push(follow(vertex, s));
  }
  stretches.forEach(([a], s) => {
    if (!used.has(s)) out.push(follow(a, s)); // what is left are rings
  });
  return out;
}

/** A chain of a cord as a tube. */
class Cord {
  readonly tube: Tube;
  private readonly vertices: number[];
  private readonly knots: THREE.Vector3[];

  constructor(
    private readonly chain: number[],
    private readonly radius: number,
  ) {
    const closed = chain.length > 3 && chain[0] === chain.at(-1);
    this.vertices = closed ? chain.slice(0, -1) : chain;
    this.tube = new Tube(this.vertices.length, closed, 4, 10);
    this.knots = this.vertices.map(() => new THREE.Vector3());
  }
  update(at: Float32Array): void {
    this.vertices.forEach((v, i) => this.knots[i].fromArray(at, 3 * v));
    this.tube.update(this.knots, null, this.radius);
  }
  /** Vertices of the skin at the ends of the stretch that a vertex of the tube belongs to. */
  around(vertex: number): number[] {
    const stretch = this.tube.stretchOf(vertex);
    return [this.chain[stretch], this.chain[stretch + 1]];
  }
}

interface Part {
  mesh: THREE.Mesh;
  update(at: Float32Array): void;
  /** Vertices of the skin around a face that is drawn. */
  around(face: THREE.Face): number[];
}

class SoftBody {
  readonly parts: Part[] = [];
  /** m, x, y, z of the vertices as they are drawn */
  readonly at: Float32Array;
  private readonly material: THREE.MeshPhongMaterial;
  private readonly thickness: number; // m, to each side of the vertices

  constructor(
    readonly body: number,
    soft: SoftMessage,
    private readonly geom: GeomMessage | undefined,
    readonly data: SkinData,
    size: number,
    textures: Textures,
  ) {
    this.at = data.rest.slice();
    this.thickness = Math.max(soft.radius, THINNEST * size);
    this.material = bodyMaterial(geom?.color[3] ?? 1);
    if (data.faces.length > 0) {
      const surface = new SkinSurface(data.faces, data.rest, soft.closed, soft.radius, data.places);
      const laid = geom && data.places && textures.of(geom, [1, 1, 1], [0, 0, 0], true);
      if (laid) textures.apply(this.material, laid);
      if (!soft.closed) this.material.side = THREE.FrontSide; // it has a second side of its own
      this.parts.push({
        mesh: movingMesh(surface.geometry, this.material),
        update: (at) => surface.update(at),
        around: ({ a, b, c }) => [a, b, c].map((v) => surface.vertexOf[v]),
      });
    }
    for (const chain of chains(data.cords)) {
      const cord = new Cord(chain, this.thickness);
      this.parts.push({
        mesh: movingMesh(cord.tube.geometry, this.material),
        update: (at) => cord.update(at),
        around: ({ a }) => cord.around(a),
      });
    }
    for (const { mesh } of this.parts) mesh.visible = this.material.opacity > 0;
  }

  paint(paint: Paint): void {
    this.material.color.copy(paintedColor(this.geom, this.body, paint));
  }

  /** Around all of it. */
  box(): THREE.Box3 {
    return new THREE.Box3().setFromArray(this.at).expandByScalar(this.thickness);
  }

  vertex(v: number): THREE.Vector3 {
    return new THREE.Vector3().fromArray(this.at, 3 * v);
  }

  /** By the vertex next to where it is hit: of those that can move. */
  gripAt(point: THREE.Vector3, around: number[]): Hit['grip'] {
    const free = around.filter((v) => this.data.links[v] >= 0);
    if (free.length === 0) return null;
    const far = free.map((v) => this.vertex(v).distanceTo(point));
    const v = free[far.indexOf(Math.min(...far))];
    return { link: this.data.links[v], point: new THREE.Vector3().fromArray(this.data.points, 3 * v), now: () => this.vertex(v) };
  }
}

export class SoftBodies {
  readonly group = new THREE.Group();
  readonly list: SoftBody[];

  /** `size`: m, radius of the scene. */
  constructor(scene: SceneMessage, data: SkinData[], size: number, textures: Textures) {
    this.list = scene.softs.map((soft, s) => {
      const geom = scene.geoms.find((candidate) => candidate.soft === s);
      return new SoftBody(scene.links.length + s, soft, geom, data[s], size, textures);
    });
    for (const { parts } of this.list) for (const { mesh } of parts) this.group.add(mesh);
  }

  /** Between two frames. */
  place(here: Place, there: Place | null, share: number): void {
    this.list.forEach(({ at, parts }, s) => {
      const size = at.length;
      const [from, to] = [here, there ?? here].map((place) => place.block.skins[s].subarray(place.at * size, (place.at + 1) * size));
      for (let i = 0; i < size; ++i) at[i] = from[i] + share * (to[i] - from[i]);
      for (const part of parts) part.update(at);
    });
  }

  paint(paint: Paint): void {
    for (const soft of this.list) soft.paint(paint);
  }

  pick(ray: THREE.Raycaster): Hit | null {
    const parts = this.list.flatMap((soft) => soft.parts.map((part) => ({ soft, part })));
    const hit = firstHit(ray, parts.map(({ part }) => part.mesh).filter(({ visible }) => visible));
    const found = parts.find(({ part }) => part.mesh === hit?.object);
    if (!hit?.face || !found) return null;
    const { soft, part } = found;
    return { body: soft.body, point: hit.point, distance: hit.distance, grip: soft.gripAt(hit.point, part.around(hit.face)) };
  }
}
