// Textures, cameras and lights of the model's file: cameras against MuJoCo's own, colours against those of the file.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { launch, open, run } from './browser.mjs';

const browser = await launch();
const folder = mkdtempSync(join(tmpdir(), 'uzawa-e2e-'));

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A picture of pixels [red, green, blue], row by row from the top. */
function png(width, pixels) {
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const out = Buffer.alloc(8);
    out.writeUInt32BE(data.length, 0);
    out.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([out.subarray(0, 4), body, out.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, pixels.length / width, 8, 2, 0, 0, 0]);
  const rows = [];
  for (let i = 0; i < pixels.length; i += width) rows.push(0, ...pixels.slice(i, i + width).flat());
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.from(rows))), chunk('IEND', Buffer.alloc(0))]);
}

const [RED, GREEN, BLUE, YELLOW] = [[230, 20, 20], [20, 230, 20], [20, 20, 230], [230, 230, 20]];
writeFileSync(join(folder, 'squares.png'), png(2, [RED, GREEN, BLUE, YELLOW]));

// A plate to look down on, and an arm that swings under a cart that rolls.
writeFileSync(join(folder, 'look.xml'), `<mujoco>
  <visual><headlight active="0"/></visual>
  <asset>
    <texture name="squares" type="2d" file="squares.png"/>
    <texture name="checks" type="2d" builtin="checker" rgb1="0.9 0.1 0.9" rgb2="0.1 0.9 0.9" width="64" height="64"/>
    <texture name="red" type="cube" builtin="flat" rgb1="0.9 0.05 0.05" width="16" height="16"/>
    <texture name="sky" type="skybox" builtin="gradient" rgb1="0.1 0.2 0.9" rgb2="0.9 0.9 0.1" width="32" height="192"/>
    <material name="squares" texture="squares"/>
    <material name="checks" texture="checks" texrepeat="1 1" texuniform="true"/>
    <material name="red" texture="red"/>
  </asset>
  <worldbody>
    <light name="reddish" directional="true" pos="0 0 3" dir="0 0 -1" diffuse="0.8 0 0" specular="0 0 0"/>
    <geom name="floor" type="plane" size="0 0 1" material="checks"/>
    <geom name="plate" type="box" size="0.2 0.2 0.01" pos="0 0 0.5" material="squares" contype="0" conaffinity="0"/>
    <camera name="above" pos="0 0 1.5" fovy="30"/>
    <camera name="aside" pos="3 -2 1" mode="targetbody" target="rod"/>
    <camera name="heavy" pos="-1 2 2" mode="targetbodycom" target="cart"/>
    <body name="cart" pos="1 0 1">
      <joint name="rail" type="slide" axis="1 0.3 0"/><geom type="box" size=".1 .05 .05" mass="2" material="red"/>
      <camera name="along" pos="0 -2 0" xyaxes="1 0 0 0 0 1" mode="track"/>
      <camera name="middle" pos="0 -2 .3" xyaxes="1 0 0 0 .2 1" mode="trackcom"/>
      <body name="rod" euler="10 20 30">
        <joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .5 0 0" mass="1"/>
        <body name="hand" pos=".5 0 0" euler="0 0 40"><geom size=".05" mass=".5"/><camera name="hand" pos="0 0 .2" euler="20 40 0" fovy="60"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>`);
const { q } = JSON.parse(run('uzawa', ['run', 'look.xml', '--time', '0.7', '--html', 'look.html', '--json'], folder));
const html = join(folder, 'look.html');

async function testCameras() {
  const expected = JSON.parse(run('mujoco_cameras', ['look.xml', ...q.map(String)], folder));
  const view = await open(browser, html);
  const last = (await view.get('frames')) - 1;
  assert.deepEqual([...(await view.get('cameras'))].sort(), Object.keys(expected).sort());
  for (const [name, { position, ahead, fovy }] of Object.entries(expected)) {
    assert.equal(await view.call('lookThrough', name), true, name);
    await view.call('seek', last);
    const { camera, cameraAhead, fieldOfView } = await view.call('state');
    for (const [what, ours, theirs] of [['position', camera, position], ['direction', cameraAhead, ahead]]) {
      theirs.forEach((x, k) => assert.ok(Math.abs(ours[k] - x) < 1e-3, `${what} of ${name}: ${ours}, MuJoCo: ${theirs}`));
    }
    assert.ok(Math.abs(fieldOfView - fovy) < 1e-9);
  }
  assert.equal(await view.call('lookThrough', 'nonsense'), false);
  await view.page.keyboard.press('[');
  const chosen = () => view.page.evaluate(() => document.getElementById('camera').selectedOptions[0].textContent);
  assert.notEqual(await chosen(), 'Free camera');
  await view.call('seek', last);
  const before = (await view.call('state')).camera;
  await view.page.mouse.move(240, 150); // who turns the view leaves the file's camera, from where it is
  await view.page.mouse.down();
  await view.page.mouse.move(242, 150);
  await view.page.mouse.up();
  await view.page.waitForFunction(() => document.getElementById('camera').selectedOptions[0].textContent === 'Free camera');
  const after = (await view.call('state')).camera;
  before.forEach((x, k) => assert.ok(Math.abs(after[k] - x) < 0.2, `from ${before} to ${after}`));
  await view.close();
  console.log('ok: cameras of the file are where MuJoCo has them');
}

/** Of the picture, at shares of its width and height: which of red, green and blue are there. */
async function colourAt(view, x, y) {
  const pixel = await view.page.evaluate(([right, down]) => {
    const canvas = document.getElementById('view');
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const pen = copy.getContext('2d');
    pen.drawImage(canvas, 0, 0);
    return [...pen.getImageData(Math.round(right * copy.width), Math.round(down * copy.height), 1, 1).data].slice(0, 3);
  }, [x, y]);
  return pixel;
}
const isColour = (pixel, expected) => expected.every((c, k) => (c > 128 ? pixel[k] > 100 : pixel[k] < 0.6 * Math.max(...pixel)));

async function testTextures() {
  const view = await open(browser, html, { width: 400, height: 400 });
  await view.call('present', { panels: false, azimuth: null, elevation: null, zoom: 1, camera: 'above', toggles: { plots: false } });
  await view.call('seek', 0);
  // The plate, 0.99 m below the camera, fills 0.4 of 0.53 m: its quarters are about 0.19 of the picture from the middle.
  const quarters = [[0.31, 0.31, RED], [0.69, 0.31, GREEN], [0.31, 0.69, BLUE], [0.69, 0.69, YELLOW]];
  for (const [x, y, colour] of quarters) {
    const pixel = await colourAt(view, x, y);
    assert.ok(isColour(pixel, colour), `at ${x}, ${y}: ${pixel}, expected ${colour}`);
  }
  // A floor of checks of 1 m (texrepeat 1: one picture over 2 m, of two squares): magenta over x y > 0 or below it.
  const corners = [await colourAt(view, 0.02, 0.02), await colourAt(view, 0.98, 0.02), await colourAt(view, 0.02, 0.98), await colourAt(view, 0.98, 0.98)];
  const [MAGENTA, CYAN] = [[230, 25, 230], [25, 230, 230]];
  assert.ok(isColour(corners[0], MAGENTA) !== isColour(corners[1], MAGENTA), `checks: ${corners}`);
  assert.ok(isColour(corners[0], MAGENTA) ? isColour(corners[3], MAGENTA) && isColour(corners[1], CYAN) : isColour(corners[1], MAGENTA), `checks: ${corners}`);
  await view.call('set', 'textures', false);
  await view.call('seek', 0);
  const [r, g, b] = await colourAt(view, 0.31, 0.31);
  assert.ok(Math.max(r, g, b) - Math.min(r, g, b) < 40, `without textures it is white: ${[r, g, b]}`);
  await view.call('set', 'dark', true); // and the ground is that of the page
  await view.call('seek', 0);
  const dark = await colourAt(view, 0.02, 0.02);
  assert.ok(Math.max(...dark) < 90, `a dark ground: ${dark}`);
  await view.close();
  console.log('ok: textures of the file');
}

// A cloth that lies still where the camera looks down on it: 0.4 m wide, x to the right and y up in the picture.
writeFileSync(join(folder, 'cloth.xml'), `<mujoco>
  <option gravity="0 0 0"/>
  <asset><texture name="squares" type="2d" file="squares.png"/><material name="squares" texture="squares"/></asset>
  <worldbody>
    <camera name="above" pos="0 0 1.5" fovy="30"/>
    <flexcomp name="cloth" type="grid" dim="2" count="5 5 1" spacing=".1 .1 .1" pos="0 0 .5" mass="0.1" radius="0.002" material="squares"
      texcoord="${[0, 1, 2, 3, 4].flatMap((x) => [0, 1, 2, 3, 4].map((y) => `${x / 4} ${1 - y / 4}`)).join(' ')}">
      <elasticity young="1e4" poisson="0.3" thickness="0.004" elastic2d="both"/><contact selfcollide="none"/>
    </flexcomp>
  </worldbody>
</mujoco>`);

/** The places that the file gives each vertex put the first row of the picture at y up. */
async function testTexturesOfSoftBodies() {
  run('uzawa', ['run', 'cloth.xml', '--time', '0.05', '--html', 'cloth.html'], folder);
  const view = await open(browser, join(folder, 'cloth.html'), { width: 400, height: 400 });
  await view.call('present', { panels: false, azimuth: null, elevation: null, zoom: 1, camera: 'above', toggles: { plots: false } });
  await view.call('seek', 0);
  const quarters = [[0.31, 0.31, RED], [0.69, 0.31, GREEN], [0.31, 0.69, BLUE], [0.69, 0.69, YELLOW]];
  for (const [x, y, colour] of quarters) {
    const pixel = await colourAt(view, x, y);
    assert.ok(isColour(pixel, colour), `cloth at ${x}, ${y}: ${pixel}, expected ${colour}`);
  }
  await view.call('set', 'textures', false);
  await view.call('seek', 0);
  const [r, g, b] = await colourAt(view, 0.31, 0.31);
  assert.ok(Math.max(r, g, b) - Math.min(r, g, b) < 40, `without textures it is white: ${[r, g, b]}`);
  await view.close();
  console.log('ok: textures of soft bodies');
}

async function testLights() {
  const view = await open(browser, html, { width: 400, height: 400 });
  const look = (lights) => ({ panels: false, azimuth: null, elevation: null, zoom: 1, camera: 'above', toggles: { lights, textures: false, plots: false } });
  await view.call('present', look(false));
  await view.call('seek', 0);
  const ours = await colourAt(view, 0.5, 0.5);
  await view.call('present', look(true));
  await view.call('seek', 0);
  const theirs = await colourAt(view, 0.5, 0.5);
  assert.ok(ours[1] > 100, `our light is white: ${ours}`);
  assert.ok(theirs[0] > 100 && theirs[1] < 10 && theirs[2] < 10, `the only light of the file is red: ${theirs}`);
  await view.close();
  console.log('ok: lights of the file');
}

function testRender() {
  run('uzawa', ['render', 'look.html', '--camera', 'above', '--frames', '0', '--lights', '--out', 'pictures'], folder);
  assert.throws(() => run('uzawa', ['render', 'look.html', '--camera', 'nonsense', '--frames', '0', '--out', 'pictures'], folder),
    (error) => /no camera 'nonsense'; it has .*above/.test(String(error.stderr)));
  console.log('ok: pictures through a camera of the file');
}

try {
  for (const test of [testCameras, testTextures, testTexturesOfSoftBodies, testLights, testRender]) await test();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
