// The live view in a browser: plays, pauses, steps, resets, changes its solver; a body that is dragged moves; several
// viewers, closed tabs, slow clients, garbage, Ctrl-C.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, models, open, picture, serve } from './browser.mjs';

const browser = await launch();
const folder = mkdtempSync(join(tmpdir(), 'uzawa-live-'));

const until = (view, condition, argument) => view.page.waitForFunction(condition, argument);
const status = (view) => view.page.evaluate(() => window.uzawa.live.status());
const state = (view) => view.call('state');
/** Until what was drawn is newer than `time`. */
const after = (view, time) => until(view, (t) => window.uzawa.state().time > t, time);

/** Asks the server for another status and waits for it and for two drawn frames: gives the newest frame's time. */
async function roundTrip(view) {
  await view.page.evaluate(async () => {
    const { live } = window.uzawa;
    const last = live.status();
    live.send({ type: 'pace', factor: last.pace }); // changes nothing, and is answered
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    while (live.status() === last) await frame();
    await frame(); // what has come is drawn, and the server knows
    await frame();
  });
  return view.page.evaluate(() => window.uzawa.times.at(-1));
}

/** Stops it, and waits until the last frame that was on its way is drawn: several answers later there is no newer one. */
async function pause(view) {
  if ((await status(view)).playing) await view.page.keyboard.press('Space');
  await until(view, () => !window.uzawa.live.status().playing);
  for (let same = 0, time = NaN; same < 3;) {
    const now = await roundTrip(view);
    same = now === time ? same + 1 : 0;
    time = now;
  }
  await until(view, () => window.uzawa.state().time === window.uzawa.times.at(-1));
}

async function testPlaying(view) {
  assert.equal(await view.message(), '');
  await after(view, 0.2);
  const drawn = await picture(view.page);
  assert.ok(drawn.colors > 200, `the canvas has ${drawn.colors} colours`);

  await pause(view);
  const { time } = await state(view);
  for (let i = 0; i < 20; ++i) assert.equal(await roundTrip(view), time, 'a pause stops the time');
  const { dt } = await status(view);
  await view.page.locator('#live-step').click();
  await after(view, time);
  assert.ok(Math.abs((await state(view)).time - time - dt) < 1e-9, 'one step');
  await view.page.keyboard.press('ArrowRight');
  await after(view, time + 1.5 * dt);
  assert.ok(Math.abs((await state(view)).time - time - 2 * dt) < 1e-9, 'the arrow makes another step');

  await view.page.locator('#scrub').fill('0'); // back to what was seen before
  await until(view, (t) => window.uzawa.state().time < t, time);
  await view.page.keyboard.press('Space');
  await after(view, time + 0.1);
  console.log('ok: plays, pauses, steps, scrubs back and goes on');
}

async function testReset(view, start) {
  await pause(view);
  const { run } = await status(view);
  await view.page.locator('#live-reset').click();
  await until(view, (r) => window.uzawa.live.status().run === r && window.uzawa.state().time === 0, run + 1);
  assert.deepEqual((await state(view)).positions, start, 'the bodies are where they started');
  assert.equal(await view.get('frames'), 1, 'what was before is forgotten');
  await view.page.keyboard.press('Space');
  await after(view, 0.1);
  await view.page.keyboard.press('Backspace');
  await until(view, (r) => window.uzawa.live.status().run === r, run + 2);
  console.log('ok: resets');
}

async function testChanges(view) {
  for (const solver of ['pgs', 'subadmm', 'canal']) {
    await view.page.locator('#live-solver').selectOption(solver);
    await until(view, (name) => window.uzawa.live.status().solver === name, solver);
    await after(view, (await state(view)).time + 0.05);
  }
  await view.page.locator('#live-dt').fill('4');
  await view.page.keyboard.press('Enter');
  await until(view, () => window.uzawa.live.status().dt === 0.004);
  await view.page.locator('#live-tolerance').fill('1e-6');
  await view.page.keyboard.press('Enter');
  await until(view, () => window.uzawa.live.status().tolerance === 1e-6);
  await view.page.locator('#speed').selectOption('0'); // as fast as possible
  await until(view, () => window.uzawa.live.status().pace === 0 && window.uzawa.live.status().speed > 1);
  await view.page.locator('#speed').selectOption('1');
  await until(view, () => window.uzawa.live.status().pace === 1);

  assert.equal(await view.message(), '');
  await view.page.locator('#live-dt').fill('5000');
  await view.page.keyboard.press('Enter');
  await until(view, () => /^Step: from 0.001 to 100 ms/.test(document.getElementById('message-text').textContent));
  assert.equal((await status(view)).dt, 0.004, 'what is refused changes nothing');
  await view.page.locator('#message-close').click();
  await after(view, (await state(view)).time + 0.05);
  console.log('ok: changes solver, step, tolerance and pace; refuses a step of 5 s');
}

/** Drags a link over the screen until it has moved along by a third of the way; the button stays down. */
async function drag(view, link, [dx, dy]) {
  const [x, y] = await view.call('screenPosition', link);
  await view.page.mouse.move(x, y);
  await view.page.mouse.down();
  await view.page.mouse.move(x + dx, y + dy, { steps: 10 });
  await view.page.waitForFunction(
    ([l, begin, way]) => {
      const now = window.uzawa.screenPosition(l);
      return way.reduce((sum, w, k) => sum + w * (now[k] - begin[k]), 0) > (way[0] ** 2 + way[1] ** 2) / 3;
    },
    [link, [x, y], [dx, dy]],
  );
}

async function testDragging(view) {
  const top = (await view.get('names')).length - 1;
  const below = await view.call('screenPosition', 0);
  await drag(view, top, [120, -40]);
  const later = await view.call('screenPosition', 0);
  assert.ok(Math.hypot(later[0] - below[0], later[1] - below[1]) < 1, 'the view stays');
  await after(view, (await state(view)).time + 1.5); // simulated: by then it hangs beside the stack
  const height = (await state(view)).positions[top][2];
  await view.page.mouse.up();
  await until(view, ([l, z]) => window.uzawa.state().positions[l][2] < z - 0.1, [top, height]);
  console.log('ok: a body that is dragged moves, and falls when it is let go');
}

async function testSeveral(view, server) {
  const { run } = await status(view);
  await view.page.keyboard.press('Backspace');
  await until(view, (r) => window.uzawa.live.status().run > r, run);
  const other = await open(browser, server.url, { width: 800, height: 500 });
  await until(view, () => window.uzawa.live.status().viewers === 2);
  await other.page.keyboard.press('Space');
  await until(view, () => !window.uzawa.live.status().playing);
  const { time } = await state(other);
  await view.page.keyboard.press('Space');
  await after(other, time + 0.05);
  await drag(other, (await view.get('names')).length - 1, [60, -20]);
  await other.page.close(); // with a body in its hand
  await until(view, () => window.uzawa.live.status().viewers === 1);
  await after(view, (await state(view)).time + 0.1);
  console.log('ok: two viewers, one of which is closed while it pulls');
}

async function testBadClients(view) {
  // Never says that it has seen anything: it gets two frames, and no more are kept for it.
  const slow = await view.page.evaluate(async () => {
    const socket = new WebSocket(`ws://${location.host}/live`);
    socket.binaryType = 'arraybuffer';
    let frames = 0;
    const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    /** Frames that have come when this page has drawn a dozen more and the server has answered after all it has sent. */
    const wait = async (count) => {
      while (frames < count) await rest(20);
      const { time } = window.uzawa.state();
      while (window.uzawa.state().time < time + 0.2) await rest(20);
      const told = new Promise((resolve) => (answered = resolve));
      socket.send('{"type":"step","count":0}'); // refused
      await told;
      return frames;
    };
    let answered = () => {};
    socket.onmessage = ({ data }) => {
      if (typeof data !== 'string') ++frames;
      else if (JSON.parse(data).type === 'notice') answered();
    };
    const first = await wait(2);
    socket.send('{"type":"seen"}');
    const second = await wait(3);
    socket.close();
    return [first, second];
  });
  assert.deepEqual(slow, [2, 3]);

  const { notices, codes, reason } = await view.page.evaluate(async () => {
    const garbage = ['', '{', '[]', 'null', '{"type":7}', '{"type":"fly"}', '{"type":"step","count":1e99}', '\u0000', '{"type":"pull","link":-1}',
      new Uint8Array([255, 0, 1]), '['.repeat(5000)];
    const out = { notices: new Set(), codes: new Set(), reason: '' };
    for (let sent = 0; sent < 10000;) {
      const socket = new WebSocket(`ws://${location.host}/live`);
      const closed = new Promise((resolve) => (socket.onclose = resolve));
      socket.onmessage = ({ data }) => {
        const message = typeof data === 'string' ? JSON.parse(data) : {};
        if (message.type === 'notice') out.notices.add(message.text);
      };
      await new Promise((resolve) => (socket.onopen = resolve));
      for (let i = 0; i < 1000; ++i, ++sent) socket.send(garbage[i % garbage.length]);
      const event = await closed;
      out.codes.add(event.code);
      out.reason = event.reason;
    }
    return { notices: [...out.notices], codes: [...out.codes], reason: out.reason };
  });
  assert.deepEqual(codes, [1008]);
  assert.match(reason, /too many messages that make no sense/);
  assert.ok(notices.length > 0);
  await after(view, (await state(view)).time + 0.1);
  console.log(`ok: a client that is slow, one that sends 10,000 malformed frames ("${notices[0]}")`);
}

async function testEnd(view, server) {
  const { code, errors } = await server.end();
  assert.equal(code, 0, `Ctrl-C: ${errors}`);
  assert.match(errors, /a viewer was sent away: too many messages/);
  await until(view, () => /The simulation has ended|connection is lost: the simulation has ended/i.test(document.getElementById('message-text').textContent));
  console.log('ok: Ctrl-C ends it, and the page says so');
}

async function testRobot() {
  const server = await serve([join(models, 'humanoid_scene.xml'), '--paused'], folder);
  const view = await open(browser, server.url, { expected: /WebSocket/ });
  assert.equal((await state(view)).time, 0);
  await view.page.keyboard.press('Space');
  await after(view, 0.2);
  await view.page.keyboard.press('f');
  await until(view, () => window.uzawa.state().contactsShown > 0);
  await server.end();
  await view.close();
  console.log('ok: a robot from a file, paused at first, with force arrows');
}

try {
  const server = await serve(['box-stack', '--set', 'count=4', '--paused'], folder);
  const view = await open(browser, server.url, { expected: /WebSocket/, width: 800, height: 500 }); // it tries again when the server has ended
  const start = (await state(view)).positions;
  await view.page.keyboard.press('Space');
  await testPlaying(view);
  await testReset(view, start);
  await testChanges(view);
  await testDragging(view);
  await testSeveral(view, server);
  await testBadClients(view);
  await testEnd(view, server);
  await view.close();
  await testRobot();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
