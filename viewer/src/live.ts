// A run that goes on while it is looked at: its last frames, and the connection to the server.
import { unpackBlock } from './block';
import { ForceSample } from './force_sample';
import { centre, emptySeries, frameAt, heaviestWeight, sizeOf, type Place, type Run } from './run';
import { DataError, SERIES, type Block, type Command, type SceneMessage, type ServerMessage, type StatusMessage } from './schema';

const MOST_FRAMES = 1800; // half a minute in real time
const MOST_BYTES = 200e6; // of frames that are kept
const RECENT = 60; // frames
const PATIENCE = 1000; // ms, between attempts to reach the server again
const SENT_AWAY = 1008;

/** The last frames of a live run. */
export class LiveRun implements Run {
  readonly time: number[] = [];
  readonly series = emptySeries();
  readonly warning = '';
  readonly interrupted = false;
  private readonly blocks: Block[] = [];

  constructor(readonly scene: SceneMessage) {}

  get frames(): number {
    return this.time.length;
  }

  /** Appends a block of one frame; `first`: of another run, so that those before it go. */
  push(block: Block, first: boolean): void {
    const most = Math.max(2, Math.min(MOST_FRAMES, MOST_BYTES / (sizeOf(block) + 1)));
    while (this.frames > 0 && (first || this.frames >= most)) this.drop();
    this.blocks.push(block);
    this.time.push(block.time[0]);
    for (const name of SERIES) this.series[name].push(block.series[name][0]);
  }
  private drop(): void {
    this.blocks.shift();
    this.time.shift();
    for (const name of SERIES) this.series[name].shift();
  }

  find(frame: number): Place | null {
    const block = this.blocks[frame];
    return block ? { block, at: 0 } : null;
  }
  wait(): Promise<void> {
    return Promise.resolve();
  }
  frameAt(time: number): number {
    return frameAt(this.time, time);
  }
  path(body: number): Promise<Float32Array> {
    const out = new Float32Array(3 * this.frames);
    this.blocks.forEach((block, i) => out.set(centre({ block, at: 0 }, body), 3 * i));
    return Promise.resolve(out);
  }
  /** Of the newest frames, since those to come are not known; before anything touches, the heaviest body's weight. */
  typicalForce(body: number): number {
    const sample = new ForceSample(this.scene);
    for (const block of this.blocks.slice(-RECENT)) sample.add(block);
    return sample.typical(body) || heaviestWeight(this.scene);
  }
}

export interface LiveEvents {
  status(status: StatusMessage): void;
  frame(): void;
  /** A line for the user; empty: what was said no longer holds. `lasts`: it holds until something else is said. */
  tell(text: string, lasts: boolean): void;
}

export class LiveConnection {
  run: LiveRun | null = null;
  status: StatusMessage | null = null;
  private events: LiveEvents | null = null;
  private shownRun = NaN; // the run that the frames so far are of
  private unseen = 0; // frames that the server has not been told of
  private todo: Promise<void> = Promise.resolve();

  private constructor(private readonly socket: WebSocket) {}

  /** Connects to the server of this page and waits for the scene and the first frame. */
  static open(): Promise<LiveConnection> {
    return new Promise((resolve, reject) => {
      const connection = new LiveConnection(openSocket());
      const { socket } = connection;
      const fail = (reason: string) => reject(new DataError(reason));
      socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
        // One after the other: unpacking takes a while, and order matters.
        connection.todo = connection.todo
          .then(() => connection.receive(data))
          .then(() => {
            if (connection.run && connection.run.frames > 0 && connection.status) resolve(connection);
          })
          .catch((error: unknown) => {
            if (connection.events) connection.events.tell(`The server sends something else than expected: ${String(error)}`, true);
            else fail(`The server sends something else than expected: ${String(error)}`);
          });
      };
      socket.onclose = ({ code, reason }) => {
        fail(reason ? `The server has refused: ${reason}.` : 'There is no simulation to be reached.');
        connection.closed(code, reason);
      };
    });
  }

  listen(events: LiveEvents): void {
    this.events = events;
    if (this.status) events.status(this.status);
    events.frame();
  }

  send(command: Command): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }
  /** What has come so far is drawn: the server may send more. */
  drawn(): void {
    for (; this.unseen > 0; --this.unseen) this.send({ type: 'seen' });
  }

  private async receive(data: string | ArrayBuffer): Promise<void> {
    if (typeof data !== 'string') return this.receiveFrame(data);
    const message = JSON.parse(data) as ServerMessage;
    if (message.type === 'scene') {
      this.run = new LiveRun(message);
    } else if (message.type === 'status') {
      this.status = message;
      this.events?.status(message);
    } else {
      this.events?.tell(message.text, false);
    }
  }

  private async receiveFrame(data: ArrayBuffer): Promise<void> {
    const { run, status } = this;
    if (!run || !status) throw new DataError('a frame before the scene');
    const block = await unpackBlock(new Uint8Array(data), run.scene);
    ++this.unseen;
    run.push(block, status.run !== this.shownRun);
    this.shownRun = status.run;
    this.events?.frame();
  }

  private closed(code: number, reason: string): void {
    const why = reason ? `: ${reason}` : '';
    if (code === SENT_AWAY) {
      this.events?.tell(`The server has closed the connection${why}.`, true);
      return;
    }
    this.events?.tell(`The connection is lost${why}. This page goes on when the simulation is there again.`, true);
    const retry = () => {
      const socket = openSocket();
      socket.onopen = () => location.reload(); // it may be another simulation
      socket.onclose = () => setTimeout(retry, PATIENCE);
    };
    setTimeout(retry, PATIENCE);
  }
}

function openSocket(): WebSocket {
  const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/live`);
  socket.binaryType = 'arraybuffer';
  return socket;
}
