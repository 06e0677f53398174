// How long a film takes: one picture of the page a frame, as `uzawa render` did at first, beside `uzawa render --film`.
// UZAWA_BUILD=build/release node scripts/film_speed.mjs [FRAMES]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

process.env.UZAWA_BUILD = resolve(process.env.UZAWA_BUILD ?? 'build/release');
const { launch, open, run } = await import('../tests/viewer/browser.mjs');

const frames = Number(process.argv[2] ?? 40);
const [width, height] = [1280, 720];
const folder = mkdtempSync(join(tmpdir(), 'uzawa-film-'));
const seconds = async (work) => {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1e3;
};

try {
  run('uzawa', ['run', 'quadruped-drop', '--time', String(frames / 60), '--html', 'run.html', '--json'], folder);
  const pictures = async (count) => {
    const browser = await launch();
    const view = await open(browser, join(folder, 'run.html'), { width, height });
    await view.call('present', { panels: false, azimuth: null, elevation: null, zoom: 1, camera: '', toggles: { plots: false } });
    for (let frame = 0; frame < count; ++frame) {
      await view.call('seek', frame);
      await view.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      writeFileSync(join(folder, `${frame}.png`), await view.page.screenshot());
    }
    await browser.close();
  };
  const film = (count) => run('uzawa', ['render', 'run.html', '--frames', `0:${count - 1}`, '--film', '--width', String(width), '--height', String(height), '--out', '.'], folder);
  // To start the browser takes the same: half of the frames tell what a frame takes.
  const [few, many] = [Math.ceil(frames / 2), frames];
  for (const [name, make] of [['pictures of the page', pictures], ['a film', film]]) {
    const [short, long] = [await seconds(() => make(few)), await seconds(() => make(many))];
    console.log(`${name}: ${long.toFixed(1)} s for ${many} frames, ${((1e3 * (long - short)) / (many - few)).toFixed(1)} ms a frame`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
