// Soft bodies and rods in a browser: drawn where they are, smooth, selected by a click, small on the disk.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, open, picture, run, serve } from './browser.mjs';

const SIZE = 1.2; // m, more than any of the bodies extends along an axis
const ERROR = SIZE * (1 / 131070 + 2e-7); // along an axis: docs/replay-format.md, and rounding to a float
const MOST_BYTES = 5e6;
const FRAME_BUDGET = 1000 / 60; // ms

const browser = await launch();
const folder = mkdtempSync(join(tmpdir(), 'uzawa-soft-'));

async function testVertices(view, { vertices }) {
  await view.call('seek', (await view.get('frames')) - 1);
  for (const { soft, vertex, position } of vertices) {
    const drawn = await view.call('vertexPosition', soft, vertex);
    const off = Math.max(...drawn.map((x, k) => Math.abs(x - position[k])));
    assert.ok(off <= ERROR, `vertex ${vertex} of soft body ${soft} is off by ${off} m`);
  }
  assert.equal((await view.get('names')).length, 40 + 24 + 4, 'links of rods and soft bodies, no nodes');
  console.log(`ok: ${vertices.length} vertices are drawn where they are`);
}

/** In between two frames a vertex is in between, too. */
async function testBetween(view) {
  const at = async (frame) => {
    await view.call('seek', frame);
    return (await view.call('vertexPosition', 0, 100))[2];
  };
  const [before, after] = [await at(50), await at(51)];
  assert.ok(Math.abs(after - before) > 1e-4, 'it moves');
  await view.page.locator('#speed').selectOption('0.1'); // slower than the frames: a busy machine must not jump from frame to frame
  const share = await view.page.evaluate(async () => {
    const { uzawa } = window;
    uzawa.play();
    for (let i = 0; i < 1000; ++i) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const { time, frame } = uzawa.state();
      const [a, b] = [uzawa.times[frame], uzawa.times[frame + 1]];
      if (time > a + 0.2 * (b - a) && time < b - 0.2 * (b - a)) {
        uzawa.pause();
        const z = uzawa.vertexPosition(0, 100)[2];
        await uzawa.seek(frame);
        const first = uzawa.vertexPosition(0, 100)[2];
        await uzawa.seek(frame + 1);
        return { expected: (time - a) / (b - a), got: (z - first) / (uzawa.vertexPosition(0, 100)[2] - first) };
      }
    }
    return null;
  });
  await view.page.locator('#speed').selectOption('1');
  assert.ok(share && Math.abs(share.got - share.expected) < 0.05, `between two frames: ${JSON.stringify(share)}`);
  console.log('ok: vertices move between frames');
}

/** A click selects what is there: by its name, in the colour of what is selected. */
async function testSelecting(view) {
  await view.call('seek', 30);
  const names = await view.get('names');
  for (const name of ['mat', 'ball']) {
    const [x, y] = await view.call('screenPosition', names.indexOf(name));
    const plain = await picture(view.page);
    await view.page.mouse.click(x, y);
    await view.page.waitForFunction((wanted) => window.uzawa.state().selected === wanted, name);
    // The panel follows with the next drawing.
    await view.page.waitForFunction((wanted) => document.getElementById('selection-name').textContent === wanted, name);
    await view.call('seek', 30);
    const selected = await picture(view.page);
    assert.ok(selected.orange > plain.orange + 3e-3, `${name} is seen to be selected: ${plain.orange} to ${selected.orange}`);
    await view.call('select', '');
    await view.call('seek', 30);
  }
  const [x, y] = await view.call('screenPosition', names.indexOf('rope8'));
  await view.page.mouse.click(x, y);
  await view.page.waitForFunction(() => /^rope: rope\d+$/.test(document.getElementById('selection-name').textContent));
  await view.call('select', '');
  console.log('ok: clicks select soft bodies and links of rods');
}

async function testCost(view) {
  const costs = [];
  for (let i = 0; i < 5; ++i) costs.push(await view.call('frameCost', 20));
  const cost = Math.min(...costs); // of the script alone: others want the processor, too
  assert.ok(cost < FRAME_BUDGET, `${cost} ms of script a frame`);
  const { drawCalls } = await view.call('state');
  assert.ok(drawCalls < 20, `${drawCalls} draw calls`);
  console.log(`ok: ${cost.toFixed(2)} ms of script a frame, ${drawCalls} draw calls`);
}

/** What is dragged in a live view comes along. */
async function testDragging() {
  const server = await serve([], folder, ['soft_live']);
  const view = await open(browser, server.url, { width: 800, height: 500 });
  const middle = 9 * 9 + 40; // vertex in the middle of the upper side
  const start = await view.call('vertexPosition', 0, middle);
  const [x, y] = await view.call('screenPosition', 0);
  await view.page.mouse.move(x, y);
  await view.page.mouse.down();
  await view.page.mouse.move(x + 20, y - 80, { steps: 10 });
  await view.page.waitForFunction(
    ([v, from]) => Math.hypot(...window.uzawa.vertexPosition(0, v).map((p, k) => p - from[k])) > 0.02,
    [middle, start],
  );
  await view.page.mouse.up();
  assert.equal(await view.message(), '');
  await view.close();
  assert.equal((await server.end()).code, 0);
  console.log('ok: a soft body that is dragged in a live view comes along');
}

try {
  const file = join(folder, 'soft.html');
  const expected = JSON.parse(run('soft_replay', [file, '10'], folder));
  const { size } = statSync(file);
  assert.ok(size < MOST_BYTES, `ten seconds take ${size / 1e6} MB`);
  const view = await open(browser, file, { width: 960, height: 640 });
  assert.equal(await view.message(), '');
  assert.equal(await view.get('frames'), 601);
  await view.call('present', { panels: true, azimuth: null, elevation: null, zoom: 1, camera: '', toggles: { plots: false } });
  await testVertices(view, expected);
  await testBetween(view);
  await testSelecting(view);
  await testCost(view);
  await view.close();
  await testDragging();
  console.log(`ok: ten seconds of all of them take ${(size / 1e6).toFixed(1)} MB`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
