// A recorded run: all times and series, and its blocks of frames as they are needed.
import { fromBase64, unpackBlock } from './block';
import { ForceSample } from './force_sample';
import { centre, emptySeries, frameAt, heaviestWeight, sizeOf, type Place, type Run } from './run';
import { DataError, SERIES, type Block, type EndMessage, type SceneMessage } from './schema';

const CACHE_BYTES = 256e6; // of unpacked blocks; the compressed ones stay

export class Replay implements Run {
  readonly time: number[] = [];
  readonly series = emptySeries();
  /** What is wrong with it; the frames before that can be played. */
  warning = '';
  interrupted = false;

  private readonly packed: Uint8Array<ArrayBuffer>[] = [];
  private readonly firstFrame: number[] = [];
  private readonly cache = new Map<number, Block>(); // in the order of use
  private readonly loading = new Map<number, Promise<Block>>();
  private cacheBytes = 0;

  private readonly forces: ForceSample;

  constructor(readonly scene: SceneMessage) {
    this.forces = new ForceSample(scene);
  }

  get frames(): number {
    return this.time.length;
  }

  /** Appends a block of frames. */
  async append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const block = await unpackBlock(bytes, this.scene);
    const index = this.packed.push(bytes) - 1;
    this.firstFrame.push(this.frames);
    for (const time of block.time) this.time.push(time);
    for (const name of SERIES) for (const value of block.series[name]) this.series[name].push(value);
    this.forces.add(block);
    this.keep(index, block);
  }

  /** Of the forces of the whole run; the heaviest body's weight where nothing ever touches. */
  typicalForce(body: number): number {
    return this.forces.typical(body) || heaviestWeight(this.scene);
  }

  find(frame: number): Place | null {
    const index = this.blockOf(frame);
    const block = this.cache.get(index);
    if (!block) {
      void this.load(index);
      return null;
    }
    this.cache.delete(index);
    this.cache.set(index, block);
    return { block, at: frame - this.firstFrame[index] };
  }

  async wait(frame: number): Promise<void> {
    await this.load(this.blockOf(frame));
  }

  async path(body: number): Promise<Float32Array> {
    const out = new Float32Array(3 * this.frames);
    for (let b = 0; b < this.packed.length; ++b) {
      const block = await this.load(b);
      for (let i = 0; i < block.frames; ++i) out.set(centre({ block, at: i }, body), 3 * (this.firstFrame[b] + i));
    }
    return out;
  }

  frameAt(time: number): number {
    return frameAt(this.time, time);
  }

  private blockOf(frame: number): number {
    let index = this.firstFrame.length - 1;
    while (index > 0 && this.firstFrame[index] > frame) --index;
    return index;
  }

  private load(index: number): Promise<Block> {
    const block = this.cache.get(index);
    if (block) return Promise.resolve(block);
    let promise = this.loading.get(index);
    if (!promise) {
      promise = unpackBlock(this.packed[index], this.scene).then((unpacked) => {
        this.loading.delete(index);
        this.keep(index, unpacked);
        return unpacked;
      });
      this.loading.set(index, promise);
    }
    return promise;
  }

  private keep(index: number, block: Block): void {
    this.cache.set(index, block);
    this.cacheBytes += sizeOf(block);
    for (const [old, candidate] of this.cache) {
      if (this.cacheBytes <= CACHE_BYTES || this.cache.size <= 2) break;
      this.cache.delete(old);
      this.cacheBytes -= sizeOf(candidate);
    }
  }
}

function parse<T>(element: Element | null, what: string): T {
  if (!element) throw new DataError(`${what} is missing`);
  try {
    return JSON.parse(element.textContent ?? '') as T;
  } catch {
    throw new DataError(`${what} is damaged or cut off`);
  }
}

/**
 * The replay in this page, or (`suffix` '-2') the one beside it; null: there is none. Throws DataError where not even the
 * first block is whole.
 */
export async function readReplay(page: Document, progress: (share: number) => void, suffix: '' | '-2' = ''): Promise<Replay | null> {
  const sceneElement = page.getElementById(`uzawa-scene${suffix}`);
  if (!sceneElement) return null;
  const scene = parse<SceneMessage>(sceneElement, 'The description of the scene');
  if (scene.format !== 'uzawa-replay' || scene.version !== 3) {
    throw new DataError('This replay has a format that this page does not know');
  }
  const replay = new Replay(scene);
  const blocks = [...page.getElementsByClassName(`uzawa-block${suffix}`)];
  const endElement = page.getElementById(`uzawa-end${suffix}`);
  const total = endElement ? parse<EndMessage>(endElement, 'The end of the replay').blocks : blocks.length;
  try {
    for (let b = 0; b < total; ++b) {
      const text = blocks[b]?.textContent ?? '';
      if (!blocks[b] || text.length !== Number(blocks[b].getAttribute('data-length'))) {
        throw new DataError(`block ${b + 1} of ${total} is cut off`);
      }
      try {
        await replay.append(fromBase64(text));
      } catch (error) {
        if (!(error instanceof DataError)) throw error;
        throw new DataError(`block ${b + 1} of ${total} is damaged: ${error.message}`);
      }
      blocks[b].remove(); // the text is no longer needed
      progress((b + 1) / total);
    }
    if (!endElement) throw new DataError('its end is missing');
    replay.interrupted = parse<EndMessage>(endElement, 'The end of the replay').interrupted;
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    if (replay.frames === 0) throw new DataError(`This replay is truncated or damaged: ${error.message}.`);
    replay.warning = `This replay is truncated or damaged: ${error.message}. What comes before can be played.`;
  }
  if (replay.frames === 0) throw new DataError('This replay has no frames.');
  return replay;
}
