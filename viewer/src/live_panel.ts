// What can be changed in a live run: solver and parameters, step and reset.
import { element, tell } from './dom';
import type { LiveConnection } from './live';
import type { Change, StatusMessage } from './schema';

/** A number of the status in an input, which may show it in another unit. */
interface Field {
  id: string;
  key: Exclude<keyof Change, 'solver'>;
  /** of what is shown, in units of the message */
  unit: number;
  name: string;
  unitName: string;
}
const FIELDS: Field[] = [
  { id: 'live-dt', key: 'dt', unit: 1e-3, name: 'Step', unitName: ' ms' },
  { id: 'live-tolerance', key: 'tolerance', unit: 1, name: 'Tolerance', unitName: '' },
  { id: 'live-iterations', key: 'iterations', unit: 1, name: 'Iterations', unitName: '' },
  { id: 'live-restitution', key: 'restitution', unit: 1, name: 'Restitution', unitName: '' },
  { id: 'live-friction', key: 'friction', unit: 1, name: 'Friction', unitName: '' },
];

export class LivePanel {
  constructor(private readonly connection: LiveConnection) {
    const panel = element<HTMLDetailsElement>('live');
    panel.hidden = false;
    panel.open = window.innerWidth > 760;
    element('live-buttons').hidden = false;
    element<HTMLOptionElement>('speed-max').hidden = false;
    for (const row of document.querySelectorAll<HTMLElement>('.live-only')) row.hidden = false;
    element('live-step').addEventListener('click', () => connection.send({ type: 'step', count: 1 }));
    element('live-reset').addEventListener('click', () => connection.send({ type: 'reset' }));
    const solver = element<HTMLSelectElement>('live-solver');
    solver.addEventListener('change', () => {
      connection.send({ type: 'change', solver: solver.value });
      solver.blur();
    });
    for (const field of FIELDS) {
      const input = element<HTMLInputElement>(field.id);
      input.addEventListener('change', () => this.change(field, input));
    }
  }

  private change(field: Field, input: HTMLInputElement): void {
    const value = Number(input.value) * field.unit;
    input.blur();
    // In the unit of the field: the server would speak of seconds.
    if (!input.validity.valid || input.value === '') tell(`${field.name}: from ${input.min} to ${input.max}${field.unitName}.`, { lasts: false });
    else this.connection.send({ type: 'change', [field.key]: value });
    if (this.connection.status) this.show(this.connection.status); // what holds, until the server says otherwise
  }

  show(status: StatusMessage): void {
    const solver = element<HTMLSelectElement>('live-solver');
    if (solver.options.length === 0) solver.append(...status.solvers.map((name) => new Option(name, name)));
    if (document.activeElement !== solver) solver.value = status.solver;
    for (const { id, key, unit } of FIELDS) {
      const input = element<HTMLInputElement>(id);
      if (document.activeElement !== input) input.value = String(Number((status[key] / unit).toPrecision(6)));
    }
    const others = status.viewers > 1 ? `  ·  ${status.viewers} viewers` : '';
    element('live-facts').textContent = (status.playing ? `${status.speed.toFixed(2)} × real time` : 'paused') + others;
    const speed = element<HTMLSelectElement>('speed');
    const known = [...speed.options].find((option) => Number(option.value) === status.pace);
    if (known && document.activeElement !== speed) speed.value = known.value;
  }
}
