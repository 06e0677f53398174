// The clock of a replay.
export class Player {
  playing = false;
  speed = 1;
  time: number;

  constructor(private readonly times: number[]) {
    this.time = times[0];
  }
  get begin(): number {
    return this.times[0];
  }
  get end(): number {
    return this.times[this.times.length - 1];
  }
  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(this.begin, time));
  }
  toggle(): void {
    if (!this.playing && this.time >= this.end) this.time = this.begin;
    this.playing = !this.playing;
  }
  /** After so many seconds of real time. */
  advance(seconds: number): void {
    if (!this.playing) return;
    this.seek(this.time + seconds * this.speed);
    if (this.time >= this.end) this.playing = false;
  }
}
