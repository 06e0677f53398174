// Strip charts over the time of the run, with one cursor.
import type { Run } from './run';

interface Line {
  label: string;
  color: string;
  values: (i: number) => number;
}
interface ChartSpec {
  title: string;
  unit: string;
  log: boolean;
  lines: Line[];
}

function specs(run: Run): ChartSpec[] {
  const s = run.series;
  return [
    { title: 'contacts', unit: '', log: false, lines: [{ label: '', color: '--c1', values: (i) => s.contacts[i] }] },
    { title: 'residual', unit: '', log: true, lines: [{ label: '', color: '--c2', values: (i) => s.residual[i] }] },
    { title: 'step time', unit: 'ms', log: false, lines: [{ label: '', color: '--c3', values: (i) => 1e3 * s.stepTime[i] }] },
    { title: 'penetration', unit: 'mm', log: false, lines: [{ label: '', color: '--c4', values: (i) => 1e3 * s.penetration[i] }] },
    {
      title: 'energy',
      unit: 'J',
      log: false,
      lines: [
        { label: 'kin', color: '--c1', values: (i) => s.kinetic[i] },
        { label: 'pot', color: '--c2', values: (i) => s.potential[i] },
        { label: 'sum', color: '--c3', values: (i) => s.kinetic[i] + s.potential[i] },
      ],
    },
  ];
}

export function shortNumber(x: number): string {
  if (!Number.isFinite(x)) return '–';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return Number(x.toPrecision(2)).toExponential().replace('e-', 'e−').replace('e+', 'e');
  return String(Number(x.toPrecision(3)));
}

const LEFT = 46;
const TOP = 24;
const BOTTOM = 5;
const RIGHT = 8;

class Chart {
  readonly root = document.createElement('div');
  private readonly canvas = document.createElement('canvas');
  private readonly value = document.createElement('span');
  private readonly cursor = document.createElement('div');
  private low = 0;
  private high = 1;

  constructor(
    private readonly spec: ChartSpec,
    private readonly run: Run,
    seek: (time: number) => void,
  ) {
    this.root.className = 'chart';
    const title = document.createElement('span');
    title.className = 'chart-title';
    title.textContent = spec.title + (spec.unit ? ` (${spec.unit})` : '');
    this.value.className = 'chart-value';
    this.cursor.className = 'chart-cursor';
    this.root.append(this.canvas, title, this.value, this.cursor);
    const jump = (event: PointerEvent) => {
      if (!(event.buttons & 1)) return;
      const box = this.canvas.getBoundingClientRect();
      const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      const [begin, end] = this.span();
      seek(begin + Math.min(1, Math.max(0, share)) * (end - begin));
    };
    this.canvas.addEventListener('pointerdown', (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      jump(event);
    });
    this.canvas.addEventListener('pointermove', jump);
  }

  private span(): [number, number] {
    const time = this.run.time;
    return [time[0], Math.max(time[time.length - 1], time[0] + 1e-9)];
  }

  private shown(x: number): number {
    return this.spec.log ? (x > 0 ? Math.log10(x) : NaN) : x;
  }

  private findRange(): void {
    let [low, high] = [Infinity, -Infinity];
    for (const line of this.spec.lines) {
      for (let i = 0; i < this.run.frames; ++i) {
        const y = this.shown(line.values(i));
        if (!Number.isFinite(y)) continue;
        low = Math.min(low, y);
        high = Math.max(high, y);
      }
    }
    if (low > high) [low, high] = [0, 1];
    if (this.spec.log) [low, high] = [Math.floor(low), Math.ceil(high)];
    else if (low > 0 && this.spec.lines.length === 1) low = 0;
    if (high - low < 1e-12 * Math.max(1, Math.abs(high))) high = low + 1;
    [this.low, this.high] = [low, high];
  }

  draw(): void {
    this.findRange();
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = Math.min(window.devicePixelRatio, 2);
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const pen = this.canvas.getContext('2d')!;
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => style.getPropertyValue(name).trim();
    pen.scale(ratio, ratio);
    pen.font = '10px system-ui, sans-serif';
    pen.textAlign = 'right';
    pen.textBaseline = 'middle';
    const bottom = height - BOTTOM;
    for (const share of [0, 0.5, 1]) {
      const y = bottom + (TOP - bottom) * share;
      const at = this.low + (this.high - this.low) * share;
      pen.strokeStyle = color('--rule');
      pen.beginPath();
      pen.moveTo(LEFT, Math.round(y) + 0.5);
      pen.lineTo(width - RIGHT, Math.round(y) + 0.5);
      pen.stroke();
      pen.fillStyle = color('--muted');
      if (this.spec.log && !Number.isInteger(at)) continue;
      pen.fillText(this.spec.log ? shortNumber(10 ** at) : shortNumber(at), LEFT - 5, y);
    }
    for (const line of this.spec.lines) this.drawLine(pen, line, color(line.color), width, bottom);
  }

  /** One stroke from lowest to highest a pixel column, so that no peak is lost. */
  private drawLine(pen: CanvasRenderingContext2D, line: Line, color: string, width: number, bottom: number): void {
    const [begin, end] = this.span();
    const yOf = (y: number) => bottom - ((y - this.low) / (this.high - this.low)) * (bottom - TOP);
    pen.strokeStyle = color;
    pen.lineWidth = 1.2;
    pen.lineJoin = 'round';
    pen.beginPath();
    let column = -1;
    let [low, high, last] = [0, 0, NaN];
    const finish = () => {
      if (column < 0 || low > high) return;
      pen.lineTo(column, high);
      if (high - low > 0.5) pen.lineTo(column, low);
      pen.lineTo(column, last);
    };
    for (let i = 0; i < this.run.frames; ++i) {
      const value = this.shown(line.values(i));
      if (!Number.isFinite(value)) continue;
      const x = Math.round(2 * (LEFT + ((this.run.time[i] - begin) / (end - begin)) * (width - LEFT - RIGHT))) / 2;
      const y = yOf(value);
      if (x !== column) {
        finish();
        [column, low, high] = [x, y, y];
      }
      [low, high, last] = [Math.min(low, y), Math.max(high, y), y];
    }
    finish();
    pen.stroke();
  }

  show(frame: number, time: number): void {
    const [begin, end] = this.span();
    const width = this.canvas.clientWidth - LEFT - RIGHT;
    this.cursor.style.transform = `translateX(${LEFT + ((time - begin) / (end - begin)) * width}px)`;
    this.value.replaceChildren(
      ...this.spec.lines.map((line) => {
        const part = document.createElement('span');
        part.style.color = `var(${line.color})`;
        part.textContent = `${line.label} ${shortNumber(line.values(frame))}`.trim();
        return part;
      }),
    );
  }
}

export class Charts {
  private readonly charts: Chart[];
  private lastTime = NaN;

  constructor(
    private readonly root: HTMLElement,
    private readonly run: Run,
    seek: (time: number) => void,
  ) {
    this.charts = specs(run).map((spec) => new Chart(spec, run, seek));
    root.append(...this.charts.map((chart) => chart.root));
  }
  draw(): void {
    if (this.root.hidden) return;
    for (const chart of this.charts) chart.draw();
    this.lastTime = NaN;
  }
  show(frame: number, time: number): void {
    const shown = this.run.time[frame];
    if (this.root.hidden || shown === this.lastTime) return;
    this.lastTime = shown;
    for (const chart of this.charts) chart.show(frame, time);
  }
}
