// Strip charts over the time of the run, with one cursor. A second run is drawn in dashes.
import { chartsAsCsv, chartSpecs, robustRange, shortNumber, type ChartSpec, type Line } from './chart_specs';
import { frameAt, type Run } from './run';

const LEFT = 46;
const TOP = 24;
const BOTTOM = 5;
const RIGHT = 8;
const ZOOM = 1.3; // a notch of the wheel

/** What part of the time all charts show. */
class TimeAxis {
  private chosen: [number, number] | null = null; // s; null: all of it

  constructor(private readonly runs: Run[]) {}

  whole(): [number, number] {
    const begin = Math.min(...this.runs.map(({ time }) => time[0]));
    return [begin, Math.max(begin + 1e-9, ...this.runs.map(({ time }) => time[time.length - 1]))];
  }
  span(): [number, number] {
    return this.chosen ?? this.whole();
  }
  get zoomed(): boolean {
    return this.chosen !== null;
  }
  reset(): void {
    this.chosen = null;
  }
  /** `factor` > 1: closer; about a share of the shown span. */
  zoom(factor: number, share: number): void {
    const [begin, end] = this.span();
    const about = begin + share * (end - begin);
    this.set(about - (about - begin) / factor, about + (end - about) / factor);
  }
  /** By a share of the shown span. */
  move(share: number): void {
    const [begin, end] = this.span();
    const by = share * (end - begin);
    this.set(begin + by, end + by);
  }
  private set(begin: number, end: number): void {
    const [first, last] = this.whole();
    const width = Math.max(end - begin, 1e-6 * (last - first));
    if (width >= last - first) return this.reset();
    const from = Math.min(Math.max(begin, first), last - width);
    this.chosen = [from, from + width];
  }
}

class Chart {
  readonly root = document.createElement('div');
  private readonly canvas = document.createElement('canvas');
  private readonly value = document.createElement('span');
  private readonly cursor = document.createElement('div');
  private low = 0;
  private high = 1;
  private beyond = false;

  constructor(
    /** of each run */
    private readonly specs: ChartSpec[],
    private readonly runs: Run[],
    private readonly axis: TimeAxis,
    seek: (time: number) => void,
  ) {
    const { title: name, unit } = specs[0];
    this.root.className = 'chart';
    const title = document.createElement('span');
    title.className = 'chart-title';
    title.textContent = name + (unit ? ` (${unit})` : '');
    this.canvas.setAttribute('role', 'img');
    this.value.className = 'chart-value';
    this.cursor.className = 'chart-cursor';
    this.root.append(this.canvas, title, this.value, this.cursor);
    const jump = (event: PointerEvent) => {
      if (!(event.buttons & 1)) return;
      const [begin, end] = axis.span();
      seek(begin + this.shareAt(event) * (end - begin));
    };
    this.canvas.addEventListener('pointerdown', (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      jump(event);
    });
    this.canvas.addEventListener('pointermove', jump);
  }

  /** Of the shown time, where the mouse is. */
  shareAt(event: MouseEvent): number {
    const box = this.canvas.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT)));
  }

  private shown(x: number): number {
    return this.specs[0].log ? (x > 0 ? Math.log10(x) : NaN) : x;
  }

  /** The frames that are seen, and one more on either side. */
  private frames(run: Run): [number, number] {
    const [begin, end] = this.axis.span();
    return [frameAt(run.time, begin), Math.min(run.frames - 1, frameAt(run.time, end) + 1)];
  }

  private findRange(): void {
    const values: number[] = [];
    this.runs.forEach((run, r) => {
      const [first, last] = this.frames(run);
      for (const line of this.specs[r].lines) for (let i = first; i <= last; ++i) values.push(this.shown(line.values(i)));
    });
    let { low, high, beyond } = robustRange(values);
    this.beyond = beyond;
    if (this.specs[0].log) [low, high] = [Math.floor(low), Math.ceil(high)];
    else if (low > 0 && this.specs[0].lines.length === 1) low = 0;
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
      if (this.specs[0].log && !Number.isInteger(at)) continue;
      pen.fillText(this.specs[0].log ? shortNumber(10 ** at) : shortNumber(at), LEFT - 5, y);
    }
    pen.beginPath();
    pen.rect(LEFT, TOP - 2, width - LEFT - RIGHT, bottom - TOP + 4); // outliers and what is beyond the zoom end here
    pen.clip();
    this.runs.forEach((run, r) => {
      pen.setLineDash(r > 0 ? [4, 3] : []);
      for (const line of this.specs[r].lines) this.drawLine(pen, run, line, color(line.color), width, bottom);
    });
  }

  /** One stroke from lowest to highest a pixel column, so that no peak is lost. */
  private drawLine(pen: CanvasRenderingContext2D, run: Run, line: Line, color: string, width: number, bottom: number): void {
    const [begin, end] = this.axis.span();
    const yOf = (y: number) => bottom - ((y - this.low) / (this.high - this.low)) * (bottom - TOP);
    pen.strokeStyle = color;
    pen.lineWidth = 1.2;
    pen.lineJoin = 'round';
    pen.beginPath();
    let column = NaN;
    let [low, high, last] = [0, 0, NaN];
    const finish = () => {
      if (Number.isNaN(column)) return;
      pen.lineTo(column, high);
      if (high - low > 0.5) pen.lineTo(column, low);
      pen.lineTo(column, last);
    };
    const [first, final] = this.frames(run);
    for (let i = first; i <= final; ++i) {
      const value = this.shown(line.values(i));
      if (!Number.isFinite(value)) continue;
      const x = Math.round(2 * (LEFT + ((run.time[i] - begin) / (end - begin)) * (width - LEFT - RIGHT))) / 2;
      const y = Math.max(-1e4, Math.min(1e4, yOf(value)));
      if (x !== column) {
        finish();
        [column, low, high] = [x, y, y];
      }
      [low, high, last] = [Math.min(low, y), Math.max(high, y), y];
    }
    finish();
    pen.stroke();
  }

  show(time: number): void {
    const [begin, end] = this.axis.span();
    const width = this.canvas.clientWidth - LEFT - RIGHT;
    const share = (time - begin) / (end - begin);
    this.cursor.style.visibility = share >= 0 && share <= 1 ? 'visible' : 'hidden';
    this.cursor.style.transform = `translateX(${LEFT + share * width}px)`;
    const parts = this.runs.map((run, r) =>
      this.specs[r].lines.map((line) => {
        const part = document.createElement('span');
        part.style.color = `var(${line.color})`;
        if (r > 0) part.style.borderBottom = '1px dashed';
        part.textContent = `${line.label} ${shortNumber(line.values(frameAt(run.time, time)))}`.trim();
        return part;
      }),
    );
    const inRows = parts.length > 1 && parts[0].length > 1; // a row a run: side by side they are too long
    this.value.classList.toggle('rows', inRows);
    this.value.replaceChildren(...parts.flatMap((ofRun, r) => (inRows && r > 0 ? [document.createElement('br'), ...ofRun] : ofRun)));
    const words = parts.flat().map((part) => part.textContent).join(', ');
    this.canvas.setAttribute('aria-label', `${this.specs[0].title}: ${words} ${this.specs[0].unit} at ${time.toFixed(3)} s`);
    this.root.title = this.beyond ? 'Some values are outside: zoom in (wheel), or see the CSV' : '';
  }

  get range(): { low: number; high: number; beyond: boolean } {
    return { low: this.low, high: this.high, beyond: this.beyond };
  }
}

export class Charts {
  private readonly charts: Chart[];
  private readonly axis: TimeAxis;
  private lastTime = NaN;

  constructor(
    private readonly root: HTMLElement,
    private readonly runs: Run[],
    seek: (time: number) => void,
  ) {
    const specs = runs.map(chartSpecs);
    this.axis = new TimeAxis(runs);
    this.charts = specs[0].map((_, c) => new Chart(specs.map((ofRun) => ofRun[c]), runs, this.axis, seek));
    root.append(...this.charts.map((chart) => chart.root));
    root.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.axis.move(Math.sign(event.deltaX || event.deltaY) * 0.1);
        else this.axis.zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, this.charts[0].shareAt(event));
        this.draw();
      },
      { passive: false },
    );
    root.addEventListener('dblclick', () => {
      this.axis.reset();
      this.draw();
    });
  }
  /** Saves all of them as a file. */
  download(name: string): void {
    this.runs.forEach((run, r) => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([chartsAsCsv(run)], { type: 'text/csv' }));
      link.download = `${name.replace(/[^\w.-]+/g, '_')}${r > 0 ? '-2' : ''}.csv`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }
  draw(): void {
    if (this.root.hidden) return;
    for (const chart of this.charts) chart.draw();
    this.lastTime = NaN;
  }
  show(time: number): void {
    if (this.root.hidden || time === this.lastTime) return;
    this.lastTime = time;
    for (const chart of this.charts) chart.show(time);
  }
  /** s, that are shown, and what each chart shows of its values. */
  state(): { span: [number, number]; zoomed: boolean; ranges: { low: number; high: number; beyond: boolean }[] } {
    return { span: this.axis.span(), zoomed: this.axis.zoomed, ranges: this.charts.map((chart) => chart.range) };
  }
}
