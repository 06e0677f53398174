// The messages of a run, typed: docs/replay-format.md. A replay holds them all; a live server sends them one by one.

export type Triple = [number, number, number];
/** w, x, y, z */
export type Quadruple = [number, number, number, number];

export type Shape = 'plane' | 'sphere' | 'capsule' | 'ellipsoid' | 'cylinder' | 'box' | 'mesh';

export interface GeomMessage {
  name: string;
  /** index into links; -1: the ground */
  link: number;
  shape: Shape;
  /** m; sphere r; capsule, cylinder r and half length; box, ellipsoid half sizes; plane half sizes, 0: endless */
  size: Triple;
  /** m, in the link's frame */
  position: Triple;
  orientation: Quadruple;
  /** red, green, blue, alpha: 0 to 1 */
  color: Quadruple;
  /** MuJoCo's display group; from 3 on: shapes for collision only */
  group: number;
  /** index into meshes, where shape is mesh */
  mesh?: number;
}

export interface MeshMessage {
  vertices: number;
  faces: number;
  /** base64 of zlib of: vertices x 3 float32 (m), faces x 3 uint32; little-endian */
  data: string;
}

export interface SceneMessage {
  format: 'uzawa-replay';
  version: 1;
  /** version of uzawa */
  program: string;
  name: string;
  /** of the scene, as in "count=10 mu=0.5" */
  parameters: string;
  seed: number;
  solver: string;
  /** s */
  dt: number;
  /** frames a simulated second */
  rate: number;
  /** m/s^2 */
  gravity: Triple;
  links: { name: string; mass: number }[];
  geoms: GeomMessage[];
  meshes: MeshMessage[];
}

export interface EndMessage {
  blocks: number;
  frames: number;
  interrupted: boolean;
}

/** Numbers a frame, in the order in which a block stores them. */
export const SERIES = ['contacts', 'residual', 'stepTime', 'penetration', 'kinetic', 'potential'] as const;
export type Series = (typeof SERIES)[number];

/** Some frames, unpacked: columns over frames, links and contacts. */
export interface Block {
  frames: number;
  links: number;
  /** s */
  time: Float64Array;
  series: Record<Series, Float32Array>;
  /** m: x, y, z of every link of every frame */
  position: Float32Array;
  /** x, y, z, w of every link of every frame, as three.js has them */
  orientation: Float32Array;
  /** contacts of frame i: from entry i to entry i + 1 */
  contactBegin: Uint32Array;
  /** two a contact */
  contactGeoms: Uint32Array;
  /** m, three a contact */
  contactPosition: Float32Array;
  /** N on the second geom, three a contact */
  contactForce: Float32Array;
}

/** What is wrong with the data, in words for the user. */
export class DataError extends Error {}
