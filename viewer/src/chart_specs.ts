// What the charts show.
import type { Run } from './run';

export interface Line {
  label: string;
  color: string;
  /** of a frame */
  values: (i: number) => number;
}
export interface ChartSpec {
  title: string;
  unit: string;
  log: boolean;
  lines: Line[];
}

export function chartSpecs(run: Run): ChartSpec[] {
  const s = run.series;
  return [
    { title: 'contacts', unit: '', log: false, lines: [{ label: '', color: '--c1', values: (i) => s.contacts[i] }] },
    { title: 'residual', unit: '', log: true, lines: [{ label: '', color: '--c2', values: (i) => s.residual[i] }] },
    { title: 'step time', unit: 'ms', log: true, lines: [{ label: '', color: '--c3', values: (i) => 1e3 * s.stepTime[i] }] },
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

/** All charts as a table, a row a frame. */
export function chartsAsCsv(run: Run): string {
  const specs = chartSpecs(run);
  const heads = specs.flatMap(({ title, unit, lines }) => lines.map(({ label }) => [title, label, unit && `(${unit})`].filter((word) => word !== '').join(' ')));
  const rows = run.time.map((time, i) => [time, ...specs.flatMap(({ lines }) => lines.map(({ values }) => values(i)))].join(','));
  return [['time (s)', ...heads].join(','), ...rows].join('\n') + '\n';
}

export function shortNumber(x: number): string {
  if (!Number.isFinite(x)) return '–';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return Number(x.toPrecision(2)).toExponential().replace('e-', 'e−').replace('e+', 'e');
  return String(Number(x.toPrecision(3)));
}

const SAMPLE = 4000; // values that quantiles are taken of
const TAIL = 0.01; // share of values at either end that may be outliers
const FAR = 3; // times the spread of the others, from where on they are

/** The range of values, without outliers that would flatten all others; beyond: whether there are some. */
export function robustRange(values: number[]): { low: number; high: number; beyond: boolean } {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return { low: 0, high: 1, beyond: false };
  const stride = Math.max(1, Math.floor(finite.length / SAMPLE));
  const sorted = finite.filter((_, i) => i % stride === 0).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))];
  let [low, high] = [Infinity, -Infinity];
  for (const x of finite) [low, high] = [Math.min(low, x), Math.max(high, x)];
  const [first, last] = [at(TAIL), at(1 - TAIL)];
  const spread = last - first;
  const [least, most] = [first - FAR * spread, last + FAR * spread];
  if (!(spread > 0) || (low >= least && high <= most)) return { low, high, beyond: false };
  return { low: Math.max(low, first - 0.2 * spread), high: Math.min(high, last + 0.2 * spread), beyond: true };
}
