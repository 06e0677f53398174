// Unpacks blocks of frames: the counterpart of src/log/replay_frame.cpp.
import { DataError, SERIES, type Block, type SceneMessage, type Series } from './schema';
import { readSkin } from './skin_block';

const MAGIC = 0x33425a55; // "UZB3"
const ONE = 32767; // a quaternion's component of 1, or a normal's

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new DataError('its base64 text is damaged');
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}

const MOST_BYTES = 1 << 30; // of one inflated block: no bomb fills the memory

export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
    for (let piece = await reader.read(); !piece.done && size < MOST_BYTES; piece = await reader.read()) {
      pieces.push(piece.value as Uint8Array<ArrayBuffer>);
      size += piece.value.length;
    }
  } catch {
    throw new DataError('its compressed data are damaged or truncated');
  }
  if (size >= MOST_BYTES) throw new DataError('its compressed data are larger than a block can be');
  const out = new Uint8Array(size);
  for (let i = 0, place = 0; i < pieces.length; place += pieces[i++].length) out.set(pieces[i], place);
  return out.buffer;
}

export class Reader {
  private place = 0;
  private readonly view: DataView;
  constructor(private readonly buffer: ArrayBuffer) {
    this.view = new DataView(buffer);
  }
  private take(count: number): number {
    const begin = this.place;
    if (!(begin + count <= this.buffer.byteLength)) throw new DataError('it ends too early');
    this.place += count;
    return begin;
  }
  left(): number {
    return this.buffer.byteLength - this.place;
  }
  uint32(): number {
    return this.view.getUint32(this.take(4), true);
  }
  uint8s(count: number): Uint8Array {
    return new Uint8Array(this.buffer, this.take(count), count);
  }
  float64s(count: number): Float64Array {
    const begin = this.take(8 * count);
    return Float64Array.from({ length: count }, (_, i) => this.view.getFloat64(begin + 8 * i, true));
  }
  float32s(count: number): Float32Array {
    const begin = this.take(4 * count);
    return Float32Array.from({ length: count }, (_, i) => this.view.getFloat32(begin + 4 * i, true));
  }
  /** Numbers of two or four bytes: all lowest bytes first, then all second ones, and so on. */
  planes<T extends Uint16Array | Uint32Array>(out: T): T {
    const width = out.BYTES_PER_ELEMENT;
    const n = out.length;
    const bytes = new Uint8Array(this.buffer, this.take(width * n), width * n);
    for (let i = 0; i < n; ++i) {
      let value = 0;
      for (let b = width - 1; b >= 0; --b) value = (value << 8) | bytes[b * n + i];
      out[i] = value;
    }
    return out;
  }
}

function readPlacements(input: Reader, block: Block): void {
  const { frames: n, links } = block;
  const scales = input.float64s(6 * links); // lowest and step of each coordinate
  const positions = input.planes(new Uint16Array(checked(3 * links * n, input)));
  const orientations = input.planes(new Uint16Array(checked(4 * links * n, input)));
  block.position = new Float32Array(3 * links * n);
  block.orientation = new Float32Array(4 * links * n);
  for (let c = 0; c < 3 * links; ++c) {
    const [lowest, step] = [scales[2 * c], scales[2 * c + 1]];
    for (let i = 0, level = 0; i < n; ++i) {
      level = (level + positions[c * n + i]) & 0xffff;
      block.position[3 * links * i + c] = lowest + step * level;
    }
  }
  for (let link = 0; link < links; ++link) {
    for (let k = 0; k < 4; ++k) {
      const to = 4 * link + ((k + 3) % 4); // w x y z -> x y z w
      for (let i = 0, level = 0; i < n; ++i) {
        level = (level + orientations[(4 * link + k) * n + i]) & 0xffff;
        block.orientation[4 * links * i + to] = ((level << 16) >> 16) / ONE;
      }
    }
  }
}

function readJoints(input: Reader, { frames: n }: Block, joints: number): Float32Array {
  const scales = input.float64s(2 * joints); // lowest and step of each
  const levels = input.planes(new Uint16Array(checked(joints * n, input)));
  const out = new Float32Array(joints * n);
  for (let j = 0; j < joints; ++j) {
    for (let i = 0, level = 0; i < n; ++i) {
      level = (level + levels[j * n + i]) & 0xffff;
      out[joints * i + j] = scales[2 * j] + scales[2 * j + 1] * level;
    }
  }
  return out;
}

/** A direction from its place on the octahedron |x| + |y| + |z| = 1, whose lower half is folded outwards. */
function unfold(x: number, y: number): [number, number, number] {
  const z = 1 - Math.abs(x) - Math.abs(y);
  const [a, b] = z >= 0 ? [x, y] : [(x < 0 ? -1 : 1) * (1 - Math.abs(y)), (y < 0 ? -1 : 1) * (1 - Math.abs(x))];
  const size = Math.hypot(a, b, z);
  return [a / size, b / size, z / size];
}

/** A count that the data left can hold: damaged counts must not fill the memory. */
export function checked(count: number, input: Reader): number {
  if (count > input.left()) throw new DataError('it ends too early');
  return count;
}

/** Adds up differences: a contact is stored relative to the one with the same number in the frame before. */
function addUp(column: Uint16Array | Uint32Array, begin: Uint32Array): void {
  for (let f = 1; f + 1 < begin.length; ++f) {
    const before = begin[f] - begin[f - 1];
    const count = Math.min(before, begin[f + 1] - begin[f]);
    for (let i = begin[f]; i < begin[f] + count; ++i) column[i] += column[i - before];
  }
}

function readContacts(input: Reader, block: Block): void {
  const n = block.frames;
  const counts = input.planes(new Uint32Array(n));
  const scales = input.float64s(6);
  block.contactBegin = new Uint32Array(n + 1);
  let total = 0;
  for (let i = 0; i < n; ++i) block.contactBegin[i + 1] = total += counts[i];
  checked(total, input);
  block.contactGeoms = new Uint32Array(2 * total);
  block.contactPosition = new Float32Array(3 * total);
  block.contactForce = new Float32Array(3 * total);
  block.contactNormal = new Float32Array(3 * total);
  const folded: Float32Array[] = [];
  const upper = new Uint32Array(1); // a force is the upper half of a float
  const asFloat = new Float32Array(upper.buffer);
  for (let c = 0; c < 10; ++c) {
    const column = input.planes(c < 2 ? new Uint32Array(total) : new Uint16Array(total));
    addUp(column, block.contactBegin);
    if (c >= 8) folded.push(Float32Array.from(column, (level) => ((level << 16) >> 16) / ONE));
    for (let i = 0; i < total; ++i) {
      if (c < 2) {
        block.contactGeoms[2 * i + c] = column[i];
      } else if (c < 5) {
        block.contactPosition[3 * i + c - 2] = scales[2 * (c - 2)] + scales[2 * (c - 2) + 1] * column[i];
      } else if (c < 8) {
        upper[0] = column[i] << 16;
        block.contactForce[3 * i + c - 5] = asFloat[0];
      }
    }
  }
  for (let i = 0; i < total; ++i) block.contactNormal.set(unfold(folded[0][i], folded[1][i]), 3 * i);
}

function checkSkins(input: Reader, { softs }: SceneMessage): void {
  const sizes = Array.from({ length: checked(input.uint32(), input) }, () => input.uint32());
  const same = sizes.length === softs.length && softs.every((soft, s) => soft.vertices === sizes[s]);
  if (!same) throw new DataError('has other soft bodies than the scene');
}

export async function unpackBlock(bytes: Uint8Array<ArrayBuffer>, scene: SceneMessage): Promise<Block> {
  const input = new Reader(await inflate(bytes));
  if (input.uint32() !== MAGIC) throw new DataError('is no block of a replay');
  const block = { frames: input.uint32(), links: input.uint32() } as Block;
  if (block.links !== scene.links.length) throw new DataError('has other bodies than the scene');
  if (input.uint32() !== SERIES.length) throw new DataError('has other series than this version');
  checkSkins(input, scene);
  const joints = input.uint32();
  if (joints !== scene.joints.length) throw new DataError('has other joints than the scene');
  checked(block.frames, input);
  block.time = input.float64s(block.frames);
  block.series = Object.fromEntries(SERIES.map((name) => [name, input.float32s(block.frames)])) as Record<
    Series,
    Float32Array
  >;
  readPlacements(input, block);
  block.joints = readJoints(input, block, joints);
  block.skins = scene.softs.map(({ vertices }) => readSkin(input, block.frames, vertices));
  readContacts(input, block);
  if (input.left() > 0) throw new DataError('goes on after its end');
  return block;
}
