// What a user does with a replay beside playing it: forces, links, tables, joints, two runs at once, keys, a phone.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, models, open, run } from './browser.mjs';

const GRAVITY = 9.81;
const FORCE_ERROR = 1 / 128; // docs/replay-format.md: 1/256 of each force
const MOST_BYTES_OF_A_ROBOT = 5e6; // 20 s

const browser = await launch();
const folder = mkdtempSync(join(tmpdir(), 'uzawa-e2e-'));
const text = (view, id) => view.page.evaluate((at) => document.getElementById(at).textContent, id);
const hidden = (view, id) => view.page.evaluate((at) => document.getElementById(at).hidden, id);
const close = (a, b, error, what) => assert.ok(Math.abs(a - b) <= error, `${what}: ${a}, expected ${b}`);

function record(name, args) {
  run('uzawa', ['run', ...args, '--html', `${name}.html`, '--log', `${name}.h5`], folder);
  return join(folder, `${name}.html`);
}
const stack = record('stack', ['box-stack', '--set', 'count=3', '--time', '1']);

/** The lowest of three boxes of 1 kg bears the weight of the two others. */
async function testForces() {
  const view = await open(browser, stack, { width: 900, height: 700 });
  await view.call('seek', (await view.get('frames')) - 1);
  assert.equal(await hidden(view, 'legend'), true);
  await view.page.keyboard.press('f');
  assert.match(await text(view, 'legend-text'), /on all bodies: an arrow as long as a grid cell \(.* m\) is .* N/);
  const { forceScale } = await view.call('state');
  assert.ok(forceScale > 0);
  await view.page.locator('#force-scale').fill('2');
  close((await view.call('state')).forceScale / forceScale, 4, 1e-9, 'two notches are four times the length');
  await view.page.locator('#force-auto').click();
  close((await view.call('state')).forceScale / forceScale, 1, 1e-9, 'auto');
  const names = await view.get('names');
  await view.call('select', names[0]);
  assert.match(await text(view, 'legend-text'), new RegExp(`on ${names[0]}: `));
  for (const [body, weights] of [[0, 1], [1, 1], [2, 1]]) {
    await view.call('select', names[body]);
    await view.call('seek', (await view.get('frames')) - 1);
    const force = await view.call('netForce');
    close(force[2], weights * GRAVITY, 6 * GRAVITY * FORCE_ERROR, `contacts carry ${names[body]}`);
    assert.match(await text(view, 'selection-facts'), /contacts push it with 9\.\d+ N/);
  }
  await view.page.locator('#force-split').check();
  assert.equal(await hidden(view, 'legend-parts'), false);
  await view.close();
  console.log('ok: forces');
}

async function testTimeLinkAndCsv() {
  const view = await open(browser, `${stack}#t=0.5`);
  close((await view.call('state')).time, 0.5, 1e-9, '#t=0.5');
  assert.match(await text(view, 'clock'), /^0\.500 \/ 1\.000 s$/);
  await view.page.evaluate(() => (location.hash = 't=0.25'));
  await view.page.waitForFunction(() => Math.abs(window.uzawa.state().time - 0.25) < 1e-9);
  await view.call('set', 'plots', true);
  const [download] = await Promise.all([view.page.waitForEvent('download'), view.page.locator('#csv').click()]);
  assert.equal(download.suggestedFilename(), 'box-stack.csv');
  const rows = readFileSync(await download.path(), 'utf8').trim().split('\n');
  const times = await view.get('times');
  assert.equal(rows.length, times.length + 1);
  assert.equal(rows[0].split(',')[0], 'time (s)');
  rows.slice(1).forEach((row, i) => assert.equal(Number(row.split(',')[0]), times[i]));
  await view.close();
  console.log('ok: link to a time, table of the charts');
}

async function testChartZoom() {
  const view = await open(browser, stack, { width: 1000, height: 700 });
  const box = await view.page.locator('.chart canvas').first().boundingBox();
  await view.page.mouse.move(box.x + 0.6 * box.width, box.y + 0.5 * box.height);
  for (let i = 0; i < 5; ++i) await view.page.mouse.wheel(0, -100);
  await view.page.waitForFunction(() => window.uzawa.charts().span[1] - window.uzawa.charts().span[0] < 0.5);
  await view.page.mouse.dblclick(box.x + 0.6 * box.width, box.y + 0.5 * box.height);
  await view.page.waitForFunction(() => !window.uzawa.charts().zoomed);
  await view.close();
  console.log('ok: charts zoom');
}

/** A pendulum of one hinge on a slide: the values of the last frame are those of the run. */
async function testJoints() {
  writeFileSync(join(folder, 'arm.xml'), `<mujoco><worldbody><body name="cart"><joint name="rail" type="slide" axis="1 0 0"/><geom size=".1"/>
    <body name="rod"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .5 0 0"/></body></body></worldbody></mujoco>`);
  const { q, v } = JSON.parse(run('uzawa', ['run', 'arm.xml', '--time', '1', '--html', 'arm.html', '--json'], folder));
  const view = await open(browser, join(folder, 'arm.html'));
  await view.call('seek', (await view.get('frames')) - 1);
  const { joints } = await view.call('state');
  joints.forEach((value, j) => close(value, q[j], 1e-4, `joint ${j}`));
  await view.page.locator('#tree summary').click();
  const tree = await text(view, 'tree-list');
  assert.match(tree, /cart.*rail .* m/);
  assert.match(tree, /rod.*hinge .* rad/);
  await view.page.locator('#tree-list button').nth(1).press('Enter');
  await view.page.waitForFunction(() => window.uzawa.state().selected === 'rod');
  await view.call('seek', (await view.get('frames')) - 1);
  const speed = Number(/hinge .*, (.*) rad\/s/.exec(await text(view, 'selection-facts'))[1].replace('−', '-'));
  close(speed, v[1], 0.35 * Math.abs(v[1]) + 0.2, 'speed of the hinge, by differences');
  await view.close();
  console.log('ok: tree of bodies, joints');
}

async function testCameraStaysAboveTheFloor() {
  const view = await open(browser, stack);
  await view.page.mouse.move(240, 150);
  await view.page.mouse.down();
  await view.page.mouse.move(240, -600, { steps: 5 });
  await view.page.mouse.up();
  await view.call('seek', 3);
  const { camera } = await view.call('state');
  assert.ok(camera[2] > 0, `the camera is at ${camera}`);
  await view.close();
  console.log('ok: no camera under the floor');
}

async function testTwoRuns() {
  const soft = ['run', 'box-stack', '--set', 'count=3', '--time', '0.5', '--solver', 'soft-convex', '--log', 'soft.h5'];
  assert.throws(() => run('uzawa', soft, folder), { status: 1 }, 'soft contact sinks in: its check fails');
  run('uzawa', ['replay', 'stack.h5', 'soft.h5', '--html', 'pair.html'], folder);
  const view = await open(browser, join(folder, 'pair.html'), { width: 1000, height: 600 });
  assert.match(await text(view, 'caption-1'), /box-stack, auto/);
  assert.match(await text(view, 'caption-2'), /box-stack, soft-convex/);
  const [first, second] = await Promise.all(['view', 'view-2'].map((id) => view.page.locator(`#${id}`).boundingBox()));
  assert.ok(second.x >= first.x + first.width - 2, 'they are side by side');
  await view.call('seekTime', 0.45);
  await view.page.waitForFunction(() => Math.abs(window.uzawa.state().time - 0.45) < 1e-9);
  const { positions, secondPositions } = await view.call('state');
  assert.equal(secondPositions.length, positions.length);
  assert.ok(secondPositions[2][2] < positions[2][2], 'soft contact sinks in');
  await view.call('seekTime', 1); // the second run is over by then
  await view.page.waitForFunction(() => Math.abs(window.uzawa.state().time - 1) < 1e-9);
  await view.call('set', 'plots', false); // they cover the second
  for (const at of [first, second]) { // the box in the middle, in either of them
    const [x, y] = await view.call('screenPosition', 1);
    await view.page.mouse.click(x - first.x + at.x, y);
    await view.page.waitForFunction(() => window.uzawa.state().selected === window.uzawa.names[1]);
    await view.call('select', '');
  }
  await view.close();
  console.log('ok: two runs side by side');
}

async function testKeysAndNames() {
  const view = await open(browser, stack);
  const names = await view.get('names');
  for (const [key, body] of [['n', 0], ['n', 1], ['b', 0], ['b', names.length - 1]]) {
    await view.page.keyboard.press(key);
    await view.page.waitForFunction((name) => window.uzawa.state().selected === name, names[body]);
  }
  await view.page.keyboard.press('Escape');
  await view.page.waitForFunction(() => window.uzawa.state().selected === '');
  const nameless = await view.page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, canvas')]
      .filter((at) => !(at.textContent.trim() || at.getAttribute('aria-label') || at.closest('label') || at.title))
      .map((at) => at.outerHTML),
  );
  assert.deepEqual(nameless, [], 'everything has a name');
  const playing = async () => (await view.call('state')).playing;
  const pressed = (id) => view.page.evaluate((at) => document.getElementById(at).getAttribute('aria-pressed') === 'true', id);
  await view.call('seek', 0);
  await view.page.locator('#points').click();
  await view.page.keyboard.press('Space'); // plays, and does not press the button that was clicked last
  assert.deepEqual([await playing(), await pressed('points')], [true, true]);
  await view.call('pause');
  await view.page.locator('#points').focus();
  await view.page.keyboard.press('Tab');
  await view.page.keyboard.press('Space'); // presses the button that the Tab key went to
  await view.page.waitForFunction(() => document.getElementById('forces').getAttribute('aria-pressed') === 'true');
  assert.equal(await playing(), false);
  await view.page.keyboard.press('?');
  assert.match(await text(view, 'help'), /A step is solved when/);
  await view.close();
  console.log('ok: keys and names');
}

async function testDarkAsTheSystem() {
  for (const colorScheme of ['dark', 'light']) {
    const page = await browser.newPage({ colorScheme });
    await page.goto(`file://${stack}`);
    await page.waitForFunction(() => window.uzawa);
    assert.equal(await page.evaluate(() => document.documentElement.classList.contains('dark')), colorScheme === 'dark');
    await page.close();
  }
  console.log('ok: dark as the system is');
}

/** Buttons that need a second row push up what is above them. */
async function testLegendIsAboveTheButtons() {
  for (const width of [700, 900, 1200]) {
    const view = await open(browser, stack, { width, height: 700 });
    await view.page.keyboard.press('f');
    const overlap = await view.page.evaluate(() => {
      const [legend, footer] = [document.getElementById('legend'), document.querySelector('footer')].map((at) => at.getBoundingClientRect());
      return legend.bottom - footer.top;
    });
    assert.ok(overlap <= 0, `at ${width} px the legend covers ${overlap} px of the controls`);
    await view.close();
  }
  console.log('ok: the legend is above the buttons');
}

async function testPhone() {
  const view = await open(browser, stack, { width: 390, height: 844 });
  await view.page.keyboard.press('f');
  await view.page.keyboard.press('n');
  const outside = await view.page.evaluate(() =>
    ['name', 'facts', 'selection', 'legend', 'play', 'scrub', 'clock', 'speed']
      .map((id) => [id, document.getElementById(id).getBoundingClientRect()])
      .filter(([, box]) => box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight)
      .map(([id]) => id),
  );
  assert.deepEqual(outside, [], 'outside of the screen');
  const overlap = await view.page.evaluate(() => {
    const [legend, footer] = [document.getElementById('legend'), document.querySelector('footer')].map((at) => at.getBoundingClientRect());
    return legend.bottom - footer.top;
  });
  assert.ok(overlap <= 0, `the legend covers ${overlap} px of the controls`);
  await view.close();
  console.log('ok: a phone');
}

/** What `uzawa render` makes, a browser shows. */
async function testFilms() {
  const film = ['render', 'stack.html', '--frames', '0:20:2', '--width', '320', '--height', '240', '--forces', '--film', '--out', '.'];
  run('uzawa', film, folder);
  run('uzawa', [...film, '--webp'], folder);
  writeFileSync(join(folder, 'films.html'), '<video src="stack.webm" muted></video><img src="stack.webp">');
  const page = await browser.newPage();
  await page.goto(`file://${join(folder, 'films.html')}`);
  const { video, image } = await page.evaluate(async () => {
    const [v, i] = [document.querySelector('video'), document.querySelector('img')];
    await i.decode();
    await v.play();
    await new Promise((resolve) => (v.onended = resolve));
    return { video: [v.videoWidth, v.videoHeight, v.currentTime], image: [i.naturalWidth, i.naturalHeight] };
  });
  assert.deepEqual([video.slice(0, 2), image], [[320, 240], [320, 240]]);
  close(video[2], 11 / 30, 0.04, 'length of the film');
  await page.close();
  console.log('ok: films');
}

/** Pictures of which only what has moved is drawn anew are those that are drawn whole. */
async function testPicturesOfAFilm() {
  const falling = record('falling', ['quadruped-drop', '--time', '0.6']);
  const view = await open(browser, falling);
  await view.call('present', { panels: false, azimuth: null, elevation: null, zoom: 1.3, camera: '', toggles: { plots: false } });
  const frames = [0, 1, 2, 20, 21, 21, 36, 3];
  const take = async (frame) => (await view.call('capture', frame, { png: true, webp: false })).png;
  const film = [];
  for (const frame of frames) film.push(await take(frame));
  assert.notEqual(film[1], film[3], 'it moves');
  for (const [i, frame] of frames.entries()) {
    await view.call('set', 'points', false); // after that, everything is drawn
    assert.ok((await take(frame)) === film[i], `frame ${frame} of the film has all that is in its picture`);
  }
  await view.close();
  console.log('ok: pictures of a film');
}

function testSizeOfARobot() {
  const { size } = statSync(record('robot', [join(models, 'quadruped_scene.xml'), '--time', '20', '--log-fps', '1']));
  assert.ok(size < MOST_BYTES_OF_A_ROBOT, `20 s of a robot take ${size / 1e6} MB`);
  console.log(`ok: 20 s of a robot take ${(size / 1e6).toFixed(2)} MB`);
}

try {
  const begin = Date.now();
  const tests = [testForces, testTimeLinkAndCsv, testChartZoom, testJoints, testCameraStaysAboveTheFloor, testTwoRuns, testKeysAndNames,
    testDarkAsTheSystem, testLegendIsAboveTheButtons, testPhone, testFilms, testPicturesOfAFilm, testSizeOfARobot];
  for (const test of tests) await test();
  console.log(`all of it took ${((Date.now() - begin) / 1e3).toFixed(0)} s`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
