// How force arrows are drawn, and what they mean.
import { shortNumber } from './chart_specs';
import { element } from './dom';
import type { Show } from './show';

export class ForcePanel {
  private body = -1;
  private name = '';
  private base = 0; // m a newton, automatic

  constructor(
    private readonly shows: Show[],
    private readonly redraw: () => void,
  ) {
    const slider = element<HTMLInputElement>('force-scale');
    slider.addEventListener('input', () => this.apply());
    element('force-auto').addEventListener('click', () => {
      slider.value = '0';
      this.fit();
    });
    element<HTMLInputElement>('force-split').addEventListener('change', () => this.apply());
  }

  show(on: boolean): void {
    for (const { contacts } of this.shows) contacts.showForces = on;
    element('legend').hidden = !on;
    if (on) this.fit();
  }

  /** Arrows are of one body from now on (-1: of all). */
  select(body: number, name: string): void {
    [this.body, this.name] = [body, name];
    this.fit();
  }

  /** To the forces that there are: of runs side by side, one scale for both. */
  private fit(): void {
    const scales = this.shows.map((show) => show.automaticScale(this.body)).filter((scale) => scale > 0);
    this.base = scales.length > 0 ? Math.min(...scales) : 0;
    this.apply();
  }

  private apply(): void {
    const slider = element<HTMLInputElement>('force-scale');
    const scale = this.base * 2 ** Number(slider.value);
    const split = element<HTMLInputElement>('force-split').checked;
    for (const { contacts } of this.shows) {
      contacts.scale = scale;
      contacts.split = split;
    }
    const { cell } = this.shows[0].stage;
    const newtons = scale > 0 ? `${shortNumber(cell / scale)} N` : '–';
    slider.setAttribute('aria-valuetext', `a grid cell is ${newtons}`);
    element('legend-text').textContent = `Contact forces on ${this.body < 0 ? 'all bodies' : this.name}: an arrow as long as a grid cell (${shortNumber(cell)} m) is ${newtons}`;
    element('legend-parts').hidden = !split;
    this.redraw();
  }
}
