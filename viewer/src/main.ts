// Finds the run: in this page, or at the server that this page comes from.
import { element, tell } from './dom';
import { LiveConnection } from './live';
import { Page } from './page';
import { readReplay } from './replay';
import type { Run } from './run';
import { DataError } from './schema';
import { Show } from './show';

async function findRun(): Promise<{ run: Run; live: LiveConnection | null }> {
  const replay = await readReplay(document, (share) => {
    element('loading').textContent = `Loading: ${Math.round(100 * share)} %`;
  });
  if (replay) return { run: replay, live: null };
  if (!location.protocol.startsWith('http')) throw new DataError('There is no run in this page.');
  const live = await LiveConnection.open();
  return { run: live.run!, live };
}

async function start(): Promise<void> {
  const { run, live } = await findRun();
  const show = await Show.make(run, element<HTMLCanvasElement>('view')).catch((error: unknown) => {
    if (error instanceof Error && /WebGL/i.test(error.message)) throw new DataError('This page needs WebGL 2, which this browser has not or has turned off.');
    throw error;
  });
  element('app').hidden = false;
  const page = new Page(run, show, live);
  element('loading').hidden = true;
  window.uzawa = page.api();
  page.start();
}

document.addEventListener('DOMContentLoaded', () => {
  start().catch((error: unknown) => {
    element('loading').hidden = true;
    tell(error instanceof DataError ? error.message : `Something went wrong in this page: ${String(error)}`, true);
    if (!(error instanceof DataError)) console.error(error);
  });
});
