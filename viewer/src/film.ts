// A film of what is drawn, encoded by the browser (VP9); who asks for it writes the chunks into a file.
import { toBase64 } from './block';
import { compose, encoded } from './capture';
import type { PageApi } from './page_api';

export interface FilmChunk {
  key: boolean;
  /** base64 */
  data: string;
}

const KEY_EVERY = 120; // frames: seeking goes from one to the next
const WAITING = 4; // frames in the encoder, at the most

class Film {
  private chunks: FilmChunk[] = [];
  private trouble = '';
  private frames = 0;
  private readonly encoder: VideoEncoder;

  constructor(
    width: number,
    height: number,
    private readonly rate: number,
    bitsASecond: number,
  ) {
    this.encoder = new VideoEncoder({
      output: (chunk) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        this.chunks.push({ key: chunk.type === 'key', data: toBase64(bytes) });
      },
      error: (error) => (this.trouble = error.message),
    });
    this.encoder.configure({ codec: 'vp09.00.31.08', width, height, framerate: rate, bitrate: bitsASecond });
  }

  async add(picture: HTMLCanvasElement): Promise<void> {
    if (this.trouble) throw new Error(this.trouble);
    const frame = new VideoFrame(picture, { timestamp: Math.round((1e6 * this.frames) / this.rate) });
    this.encoder.encode(frame, { keyFrame: this.frames++ % KEY_EVERY === 0 });
    frame.close();
    while (this.encoder.encodeQueueSize > WAITING) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  async finish(): Promise<void> {
    await this.encoder.flush();
    this.encoder.close();
    if (this.trouble) throw new Error(this.trouble);
  }
  /** What has been encoded since the last call. */
  take(): FilmChunk[] {
    const out = this.chunks;
    this.chunks = [];
    return out;
  }
}

/** Pictures and films for scripts. `draw` draws a frame and says its time, s. */
export function filming(draw: (frame: number) => Promise<number>, canvases: HTMLCanvasElement[]): Pick<PageApi, 'pictureSize' | 'capture' | 'beginFilm' | 'endFilm'> {
  let film: Film | null = null;
  return {
    pictureSize: () => {
      const { width, height } = compose(canvases);
      return [width, height];
    },
    capture: async (frame, { png, webp }) => {
      const time = await draw(frame);
      const picture = compose(canvases);
      await film?.add(picture);
      return { time, png: png ? encoded(picture, 'png') : '', webp: webp ? encoded(picture, 'webp') : '', chunks: film?.take() ?? [] };
    },
    beginFilm: (rate, bitsASecond) => {
      const { width, height } = compose(canvases);
      film = new Film(width, height, rate, bitsASecond);
    },
    endFilm: async () => {
      await film?.finish();
      return film?.take() ?? [];
    },
  };
}
