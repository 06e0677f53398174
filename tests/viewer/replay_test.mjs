// A replay in a browser: loads, plays, scrubs, and shows bodies where the log says; damaged ones say so.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, launch, models, open, picture, run } from './browser.mjs';

const POSITION_ERROR = 1 / 131070; // of the range of a link: docs/replay-format.md
const ROUNDING = 2e-7; // of a float, relative
const MOST_BYTES_A_MINUTE = 10e6;
const MOST_SCRIPT_BYTES = 1e6;
const FRAME_BUDGET = 1000 / 60; // ms

const browser = await launch();
const folder = mkdtempSync(join(tmpdir(), 'uzawa-e2e-'));

function record(name, args) {
  const file = join(folder, `${name}.html`);
  run('uzawa', ['run', ...args, '--html', file, '--log', join(folder, `${name}.h5`)], folder);
  return { file, log: JSON.parse(run('log_positions', [join(folder, `${name}.h5`)], folder)) };
}

/** m, how far a link may be drawn from where the log has it. */
function bounds(log) {
  return log.positions[0].map((_, link) => {
    const sides = [0, 1, 2].map((k) => {
      const way = log.positions.map((frame) => frame[link][k]);
      const size = way.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      const range = way.reduce((a, x) => Math.max(a, x), -Infinity) - way.reduce((a, x) => Math.min(a, x), Infinity);
      return range * POSITION_ERROR + size * ROUNDING + 1e-9;
    });
    return Math.hypot(...sides);
  });
}

async function checkPositions(view, log, frames) {
  const times = await view.get('times');
  const most = bounds(log);
  const fractions = [0, 0.3, 0.77, 1];
  for (const frame of fractions.map((share) => Math.round(share * (frames - 1)))) {
    await view.call('seek', frame);
    const state = await view.call('state');
    assert.equal(state.frame, frame);
    const at = log.times.indexOf(times[frame]);
    assert.ok(at >= 0, `frame ${frame} is a step of the log`);
    state.positions.forEach((place, link) => {
      const off = Math.hypot(...place.map((x, k) => x - log.positions[at][link][k]));
      assert.ok(off <= most[link], `frame ${frame}, link ${link} is off by ${off} m, allowed ${most[link]}`);
    });
  }
}

async function checkPlaying(view, frames) {
  const press = async (key, times = 1) => {
    for (let i = 0; i < times; ++i) await view.page.keyboard.press(key);
  };
  await view.call('seek', 0);
  await press('ArrowDown', 3); // a tenth of the speed: a busy machine must not miss the end
  await press('Space');
  await view.page.waitForFunction(() => window.uzawa.state().frame > 3);
  await press('Space');
  assert.equal((await view.call('state')).playing, false);
  const stopped = (await view.call('state')).time;
  await view.page.evaluate(async () => {
    for (let i = 0; i < 6; ++i) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
  assert.equal((await view.call('state')).time, stopped, 'a pause stops the time');
  await press('ArrowUp', 3);

  await view.page.locator('#scrub').fill(String(Math.floor(frames / 2)));
  await view.page.waitForFunction((wanted) => window.uzawa.state().frame === wanted, Math.floor(frames / 2));
  await view.page.keyboard.press('ArrowRight');
  await view.page.waitForFunction((wanted) => window.uzawa.state().frame === wanted, Math.floor(frames / 2) + 1);
}

async function checkPlayingToTheEnd(view, frames) {
  await view.page.keyboard.press('End');
  await view.page.waitForFunction((wanted) => window.uzawa.state().frame === wanted, frames - 1);
  await view.page.keyboard.press('Space'); // plays again from the beginning
  await view.page.waitForFunction((last) => window.uzawa.state().frame < last, frames - 1);
  await view.page.locator('#speed').selectOption('10');
  await view.page.waitForFunction(() => !window.uzawa.state().playing);
  assert.equal((await view.call('state')).frame, frames - 1, 'it plays to the end and stops there');
}

async function checkDrawing(view, body, frames) {
  await view.call('seek', frames - 1);
  assert.equal((await view.call('state')).contactsShown, 0, 'contacts are shown on demand');
  const plain = await picture(view.page);
  assert.ok(plain.colors > 200, `the canvas has ${plain.colors} colours`);
  await view.call('select', body);
  await view.call('seek', frames - 1);
  const selected = await picture(view.page);
  assert.ok(selected.orange > plain.orange + 1e-3, `the selected body is seen: ${plain.orange} to ${selected.orange}`);
  await view.call('select', '');
  await view.page.keyboard.press('f');
  await view.call('seek', frames - 1);
  assert.ok((await view.call('state')).contactsShown > 0, 'force arrows');
}

const cases = [
  { name: 'box stack', args: ['box-stack', '--time', '1'], body: 'box5', links: 10 },
  { name: 'eight quadrupeds', args: ['quadruped-drop', '--time', '0.8'], body: null, links: 104, small: true },
  { name: 'MJCF robot', args: [join(models, 'humanoid_scene.xml'), '--time', '1'], body: null, links: null },
];

async function testRuns() {
  for (const { name, args, body, links, small } of cases) {
    const { file, log } = record(name.replaceAll(' ', '-'), args);
    const view = await open(browser, file);
    assert.equal(await view.message(), '');
    const [frames, names] = [await view.get('frames'), await view.get('names')];
    assert.ok(frames > 45, `${frames} frames`);
    if (links !== null) assert.equal(names.length, links);
    await checkPositions(view, log, frames);
    await checkPlaying(view, frames);
    if (name === 'box stack') await checkPlayingToTheEnd(view, frames);
    await checkDrawing(view, body ?? names[0], frames);
    if (small) {
      const text = readFileSync(file, 'utf8');
      const bytes = text.length - text.indexOf('<script type="text/plain" class="uzawa-block"'); // page and scene come once
      const aMinute = (60 * bytes) / log.times.at(-1);
      assert.ok(aMinute < MOST_BYTES_A_MINUTE, `${aMinute / 1e6} MB a minute for ${names.length} bodies`);
      console.log(`  ${(aMinute / 1e6).toFixed(1)} MB a minute`);
    }
    await view.close();
    console.log(`ok: ${name}, ${frames} frames, ${names.length} bodies`);
  }
}

async function testShapes() {
  const shapes = ['sphere" size=".1', 'capsule" size=".1 .2', 'box" size=".1 .2 .3', 'cylinder" size=".1 .2', 'ellipsoid" size=".1 .2 .3',
    'mesh" mesh="m', 'sphere" name="bowl" size=".1'];
  const bodies = shapes.map((shape, i) => `<body name="b${i}" pos="${i} 0 1"><freejoint/><geom type="${shape}"/></body>`).join('');
  writeFileSync(join(folder, 'shapes.xml'), `<mujoco model="shapes &lt;/script&gt;">
    <custom><text name="uzawa.sdf:bowl" data="bowl radius=0.08 height=0.05 thickness=0.004"/></custom>
    <asset><mesh name="m" vertex="0 0 0  .1 0 0  0 .1 0  0 0 .1"/><hfield name="h" nrow="8" ncol="8" size=".3 .3 .1 .1"/></asset>
    <worldbody><geom type="plane" size="0 0 1"/><geom type="hfield" hfield="h" pos="0 0 -2"/>${bodies}</worldbody></mujoco>`);
  const { file, log } = record('shapes', ['shapes.xml', '--time', '0.2']);
  const view = await open(browser, file);
  await checkPositions(view, log, await view.get('frames'));
  for (let geom = 1; geom < 2 + shapes.length; ++geom) {
    assert.ok((await view.call('geomPosition', geom)) !== null, `geom ${geom} is drawn`);
  }
  assert.ok(await view.call('select', 'b2') === undefined);
  await view.call('seek', 5);
  assert.equal((await view.call('state')).selected, 'b2');
  await view.close();
  console.log('ok: all shapes');
}

async function testManySpheres() {
  let bodies = '';
  for (let i = 0; i < 1000; ++i) {
    bodies += `<body pos="${i % 10} ${Math.floor(i / 10) % 10} ${1 + Math.floor(i / 100)}"><freejoint/><geom type="sphere" size=".3"/></body>`;
  }
  writeFileSync(join(folder, 'many.xml'), `<mujoco><worldbody><geom type="plane" size="0 0 1"/>${bodies}</worldbody></mujoco>`);
  const { file } = record('many', ['many.xml', '--time', '0.3', '--dt', '0.01']);
  const view = await open(browser, file);
  await view.call('seek', 10);
  const { drawCalls, positions } = await view.call('state');
  assert.equal(positions.length, 1000);
  assert.ok(drawCalls < 12, `1000 spheres take ${drawCalls} draw calls`);
  const costs = [];
  for (let i = 0; i < 5; ++i) costs.push(await view.call('frameCost', 20));
  const cost = Math.min(...costs); // of the script alone: others want the processor, too
  assert.ok(cost < FRAME_BUDGET, `${cost} ms of script a frame`);
  console.log(`ok: 1000 spheres, ${drawCalls} draw calls, ${cost.toFixed(2)} ms of script a frame`);
  await view.close();
}

/** An hour of ten bodies: 216,001 frames in 361 blocks. */
async function testHugeReplay() {
  const file = join(folder, 'hour.html');
  const { x } = JSON.parse(run('long_replay', [file, '216000'], folder));
  const begin = Date.now();
  const view = await open(browser, file);
  assert.equal(await view.get('frames'), 216001);
  const loaded = (Date.now() - begin) / 1e3;
  await view.call('seek', 216000);
  const { time, positions } = await view.call('state');
  assert.ok(Math.abs(time - 3600) < 1e-6);
  assert.ok(Math.abs(positions[0][0] - x) < 2e-5, `${positions[0][0]} instead of ${x}`);
  await view.call('select', 'body3'); // its way is looked for in all blocks
  await view.call('seek', 7);
  assert.equal((await view.call('state')).selected, 'body3');
  await view.close();
  console.log(`ok: an hour of ten bodies, ${(statSync(file).size / 1e6).toFixed(0)} MB, loads in ${loaded.toFixed(0)} s`);
}

function testPageSize() {
  const page = readFileSync(join(build, 'viewer', 'page.html'), 'utf8');
  const script = page.slice(page.indexOf('<script>'), page.indexOf('</script>')).length;
  assert.ok(script > 1e5 && script < MOST_SCRIPT_BYTES, `the page's script has ${script} bytes`);
  console.log(`ok: the page's script has ${(script / 1e3).toFixed(0)} kB`);
}

async function testDamage() {
  run('uzawa', ['run', 'box-stack', '--set', 'count=2', '--time', '21', '--html', 'long.html'], folder);
  const whole = readFileSync(join(folder, 'long.html'), 'utf8');
  const block = (n) => whole.split('class="uzawa-block"', n).join('class="uzawa-block"').length;
  const complain = async (text, pattern, frames) => {
    writeFileSync(join(folder, 'bad.html'), text);
    const view = await open(browser, join(folder, 'bad.html'));
    assert.match(await view.message(), pattern);
    assert.equal(await view.page.evaluate(() => window.uzawa?.frames ?? 0), frames);
    await view.close();
  };
  await complain(whole.slice(0, block(3) + 200), /block 3 of 3 is cut off/, 1200);
  await complain(whole.slice(0, whole.lastIndexOf('<script type="application/json" id="uzawa-end"')), /its end is missing/, 1261);
  await complain(whole.slice(0, block(1) + 200), /truncated or damaged: block 1 of 1 is cut off/, 0);
  await complain(whole.slice(0, whole.indexOf('id="uzawa-scene"') + 200), /scene is damaged or cut off/, 0);
  const at = block(2) + 1000;
  const other = whole[at] === 'A' ? 'B' : 'A';
  await complain(whole.slice(0, at) + other + whole.slice(at + 1), /block 2 of 3 is damaged/, 600);
  await complain(whole.slice(0, at) + '!' + whole.slice(at + 1), /block 2 of 3 is damaged: its base64/, 600);
  await complain(readFileSync(join(build, 'viewer', 'page.html'), 'utf8'), /no run in this page/, 0);
  console.log('ok: truncated and damaged replays say so');
}

try {
  const begin = Date.now();
  for (const test of [testPageSize, testRuns, testShapes, testManySpheres, testHugeReplay, testDamage]) await test();
  console.log(`all of it took ${((Date.now() - begin) / 1e3).toFixed(0)} s`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
