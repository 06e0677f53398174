// Links to a moment of the run: page.html#t=1.25
import { tell } from './dom';

export class TimeLink {
  constructor(private readonly jump: (time: number) => void) {
    window.addEventListener('hashchange', () => this.read());
  }

  /** Goes where the address says, if it says anything. */
  read(): void {
    const text = new URLSearchParams(location.hash.slice(1)).get('t');
    const time = Number(text);
    if (text && Number.isFinite(time)) this.jump(time);
  }

  copy(time: number, digits: number): void {
    const url = new URL(location.href);
    url.hash = `t=${time.toFixed(digits)}`;
    history.replaceState(null, '', url);
    const copied = navigator.clipboard?.writeText(url.href) ?? Promise.reject(new Error('no clipboard'));
    copied.then(
      () => tell(`The link to ${time.toFixed(digits)} s is copied.`, { lasts: false }),
      () => tell(`The address of this page now leads to ${time.toFixed(digits)} s: ${url.href}`, { lasts: false }),
    );
  }
}
