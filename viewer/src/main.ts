// Finds the run: one or two in this page, or at the server that this page comes from.
import { element, tell } from './dom';
import { LiveConnection } from './live';
import { Page, type Shown } from './page';
import { readReplay } from './replay';
import type { Run } from './run';
import { DataError } from './schema';
import { Show } from './show';

async function findRuns(): Promise<{ runs: Run[]; live: LiveConnection | null }> {
  const progress = (share: number) => (element('loading').textContent = `Loading: ${Math.round(100 * share)} %`);
  const replay = await readReplay(document, progress);
  if (replay) {
    const beside = await readReplay(document, progress, '-2');
    return { runs: beside ? [replay, beside] : [replay], live: null };
  }
  if (!location.protocol.startsWith('http')) throw new DataError('There is no run in this page.');
  const live = await LiveConnection.open();
  return { runs: [live.run!], live };
}

async function start(): Promise<void> {
  const { runs, live } = await findRuns();
  const views: Shown[] = [];
  for (const [i, run] of runs.entries()) {
    const canvas = element<HTMLCanvasElement>(i === 0 ? 'view' : 'view-2');
    canvas.hidden = false;
    const show = await Show.make(run, canvas, element('stage')).catch((error: unknown) => {
      if (error instanceof Error && /WebGL/i.test(error.message)) throw new DataError('This page needs WebGL 2, which this browser has not or has turned off.');
      throw error;
    });
    views.push({ run, show });
  }
  element('app').hidden = false;
  const page = new Page(views, live);
  element('loading').hidden = true;
  window.uzawa = page.api();
  page.start();
}

document.addEventListener('DOMContentLoaded', () => {
  start().catch((error: unknown) => {
    element('loading').hidden = true;
    tell(error instanceof DataError ? error.message : `Something went wrong in this page: ${String(error)}`, { isFatal: true });
    if (!(error instanceof DataError)) console.error(error);
  });
});
