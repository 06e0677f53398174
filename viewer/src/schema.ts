// The messages of a run, typed: docs/replay-format.md. A replay holds scene, blocks and end; a live server sends the scene,
// then blocks of one frame and how things stand, and takes commands.

export type Triple = [number, number, number];
/** w, x, y, z */
export type Quadruple = [number, number, number, number];

export type Shape = 'plane' | 'sphere' | 'capsule' | 'ellipsoid' | 'cylinder' | 'box' | 'mesh' | 'skin';

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
  /** index into softs, where shape is skin; size has the radius around it */
  soft?: number;
  /** index into the appearance's materials */
  material?: number;
}

export interface MeshMessage {
  vertices: number;
  faces: number;
  /** the corners of its faces have places in a texture */
  textured: boolean;
  /** base64 of zlib of: vertices x 3 float32 (m), faces x 3 uint32, where textured faces x 6 float32; little-endian */
  data: string;
}

/** A link; `number`: of the simulation, which knows more links than a frame places. */
export interface LinkMessage {
  name: string;
  /** kg */
  mass: number;
  number: number;
  /** index into links; -1: it stands or moves by itself */
  parent: number;
}

/** A joint of one number, whose value every frame has. */
export interface JointMessage {
  name: string;
  /** index into links: what it moves */
  link: number;
  /** its value is in m; else in rad */
  slides: boolean;
}

/** A body that deforms: a skin whose vertices every frame has. */
export interface SoftMessage {
  name: string;
  /** kg */
  mass: number;
  nodes: number;
  /** of the skin */
  vertices: number;
  faces: number;
  /** it encloses a solid; else it has two outsides */
  closed: boolean;
  /** the corners of its faces have places in a texture */
  textured: boolean;
  /** m, of material around the skin */
  radius: number;
  /**
   * base64 of zlib of: faces x 3 int32 (vertices; -1 as the third: a stretch of a cord), number of the link of every vertex
   * (int32, -1: fixed), its place in the frame of that (3 float32, m), its place at rest (3 float32, m), where textured faces x 6 float32; little-endian
   */
  data: string;
}

/** Links that are drawn as one tube. */
export interface RodMessage {
  name: string;
  /** indices into links, along the rod */
  links: number[];
  /** of each link the geom that the tube stands for */
  geoms: number[];
  /** the last is joined to the first */
  closed: boolean;
}

/** PNG in base64, rows from the top; cube and sky: six squares below each other (+x, -x, +y, -y, +z, -z). */
export interface TextureMessage {
  name: string;
  kind: 'flat' | 'cube' | 'sky';
  width: number;
  height: number;
  png: string;
}

export interface MaterialMessage {
  /** index into textures; -1: none */
  texture: number;
  /** of a flat texture, over two half sizes of a geom; where uniform over 2 m */
  repeat: [number, number];
  uniform: boolean;
}

/** How a camera or light moves. */
export interface MountMessage {
  /** fixed, target: with a link; track: with the mean of points; camera: with the camera */
  mode: 'fixed' | 'track' | 'target' | 'camera';
  /** index into links, -1: the ground; of fixed and target */
  link?: number;
  /** m, in the link's frame; track: from the mean of the points, along the world's axes */
  position?: Triple;
  /** points of links, whose weighted mean is tracked, or looked at */
  about?: { link: number; weight: number; at: Triple }[];
}

/** It looks along -z, y is up. */
export interface CameraMessage extends MountMessage {
  name: string;
  /** of fixed in the link's frame; of track in the world */
  orientation: Quadruple;
  /** degrees, of the height */
  fovy: number;
}

export interface LightMessage extends MountMessage {
  name: string;
  /** in the frame of the position */
  direction?: Triple;
  directional: boolean;
  shadow: boolean;
  ambient: Triple;
  diffuse: Triple;
  attenuation: Triple;
  /** degrees, half the angle of a spot */
  cutoff: number;
}

/** How the model's file wants it to look. */
export interface AppearanceMessage {
  textures: TextureMessage[];
  materials: MaterialMessage[];
  cameras: CameraMessage[];
  lights: LightMessage[];
  headlight?: LightMessage;
}

export interface SceneMessage {
  type: 'scene';
  format: 'uzawa-replay';
  version: 3;
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
  links: LinkMessage[];
  joints: JointMessage[];
  geoms: GeomMessage[];
  meshes: MeshMessage[];
  softs: SoftMessage[];
  rods: RodMessage[];
  appearance: AppearanceMessage;
}

export interface EndMessage {
  type: 'end';
  blocks: number;
  frames: number;
  interrupted: boolean;
}

/** How a live simulation stands. */
export interface StatusMessage {
  type: 'status';
  /** counts the resets; frames that follow are of this run */
  run: number;
  playing: boolean;
  /** simulated seconds a second that are asked for; 0: as fast as possible */
  pace: number;
  /** simulated seconds a second, as measured */
  speed: number;
  viewers: number;
  solver: string;
  /** that may be chosen */
  solvers: string[];
  /** s */
  dt: number;
  tolerance: number;
  /** of the solver at the most; 0: its default */
  iterations: number;
  restitution: number;
  /** factor on the friction of all contacts */
  friction: number;
  /** why it stands still; empty: nothing is wrong */
  trouble: string;
}

/** A line for the user, mostly about a command that was refused. */
export interface NoticeMessage {
  type: 'notice';
  text: string;
}

export type ServerMessage = SceneMessage | StatusMessage | NoticeMessage;

/** What may be changed while the simulation runs. */
export type Change = Partial<Pick<StatusMessage, 'solver' | 'dt' | 'tolerance' | 'iterations' | 'restitution' | 'friction'>>;

/** What a viewer may say. */
export type Command =
  | { type: 'play'; on: boolean }
  | { type: 'step'; count: number }
  | { type: 'reset' }
  | { type: 'pace'; factor: number }
  | ({ type: 'change' } & Change)
  /** a spring from a point of a link (its number; in its frame) to a point in the world, until it is released */
  | { type: 'pull'; link: number; point: Triple; target: Triple }
  | { type: 'release' }
  /** a frame was drawn, another one may come */
  | { type: 'seen' };

/** Numbers a frame, in the order in which a block stores them. */
export const SERIES = ['contacts', 'residual', 'stepTime', 'penetration', 'kinetic', 'potential'] as const;
export type Series = (typeof SERIES)[number];

/** Some frames, unpacked: columns over frames, links, skins and contacts. */
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
  /** rad or m, of every joint of every frame */
  joints: Float32Array;
  /** m: of each soft body x, y, z of every vertex of every frame */
  skins: Float32Array[];
  /** contacts of frame i: from entry i to entry i + 1 */
  contactBegin: Uint32Array;
  /** two a contact */
  contactGeoms: Uint32Array;
  /** m, three a contact */
  contactPosition: Float32Array;
  /** N on the second geom, three a contact */
  contactForce: Float32Array;
  /** from the first geom to the second, three a contact */
  contactNormal: Float32Array;
}

/** What is wrong with the data, in words for the user. */
export class DataError extends Error {}
