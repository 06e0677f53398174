// Clocks: of a replay, and of a live run.
import type { LiveConnection, LiveRun } from './live';

/** Who says what time is shown. */
export interface Clock {
  readonly playing: boolean;
  /** s, simulated */
  readonly time: number;
  readonly begin: number;
  readonly end: number;
  toggle(): void;
  pause(): void;
  seek(time: number): void;
  /** Simulated seconds a second; 0: as fast as possible, for a live run. */
  setSpeed(factor: number): void;
  /** After so many seconds of real time. */
  advance(seconds: number): void;
  /** So many steps beyond the last frame; a replay has none. */
  stepOn(count: number): void;
}

export class Player implements Clock {
  playing = false;
  time: number;
  private speed = 1;

  constructor(
    readonly begin: number,
    readonly end: number,
  ) {
    this.time = begin;
  }
  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(this.begin, time));
  }
  toggle(): void {
    if (!this.playing && this.time >= this.end) this.time = this.begin;
    this.playing = !this.playing;
  }
  pause(): void {
    this.playing = false;
  }
  setSpeed(factor: number): void {
    this.speed = factor;
  }
  advance(seconds: number): void {
    if (!this.playing) return;
    this.seek(this.time + seconds * this.speed);
    if (this.time >= this.end) this.playing = false;
  }
  stepOn(): void {}
}

/** The server's clock. Who looks back stops the simulation; playing goes on from its end. */
export class LiveClock implements Clock {
  private past: number | null = null; // s, what is looked at; null: the newest frame

  constructor(
    private readonly run: LiveRun,
    private readonly connection: LiveConnection,
  ) {}
  get playing(): boolean {
    return this.connection.status?.playing ?? false;
  }
  get begin(): number {
    return this.run.time[0];
  }
  get end(): number {
    return this.run.time[this.run.frames - 1];
  }
  get time(): number {
    return Math.min(this.end, Math.max(this.begin, this.past ?? this.end));
  }
  toggle(): void {
    this.past = null;
    this.connection.send({ type: 'play', on: !this.playing });
  }
  pause(): void {
    if (this.playing) this.connection.send({ type: 'play', on: false });
  }
  seek(time: number): void {
    this.pause();
    this.past = time < this.end ? time : null;
  }
  setSpeed(factor: number): void {
    this.connection.send({ type: 'pace', factor });
  }
  advance(): void {
    if (this.playing) this.past = null; // another viewer may have started it
  }
  stepOn(count: number): void {
    this.past = null;
    this.connection.send({ type: 'step', count });
  }
}
