// Headless Chromium for the tests of the page, and the programs of the build.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const SKIPPED = 77; // what ctest reads as skipped
const PATIENCE = 120e3; // ms for what should come at once: a busy machine is no failure
export const build = process.env.UZAWA_BUILD;
export const models = process.env.UZAWA_MODELS;

export function run(program, args, folder) {
  return execFileSync(join(build, program), args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Starts `uzawa view`, or another server, at a port that is free; `end` sends Ctrl-C and gives what it leaves behind. */
export async function serve(args, folder, [program, ...first] = ['uzawa', 'view', '--port', '0']) {
  const server = spawn(join(build, program), [...first, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  process.on('exit', () => server.kill('SIGKILL')); // also where a test fails
  let errors = '';
  server.stderr.on('data', (data) => (errors += data));
  const ended = new Promise((resolve) => server.on('exit', (code) => resolve(code)));
  const url = await new Promise((resolve, reject) => {
    server.stdout.on('data', (data) => resolve(/http:\S+/.exec(String(data))?.[0]));
    server.on('exit', () => reject(new Error(`the server has ended: ${errors}`)));
  });
  return {
    url,
    end: async () => {
      server.kill('SIGINT');
      return { code: await ended, errors };
    },
  };
}

function findChromium() {
  const folders = (process.env.PATH ?? '').split(':');
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
    if (found) return found;
  }
  console.log('skipped: there is no Chromium here (Debian: apt-get install chromium)');
  process.exit(SKIPPED);
}

export async function launch() {
  const executablePath = findChromium();
  const { chromium } = createRequire(join(build, 'viewer', 'package.json'))('playwright-core');
  // Drawn by the processor: test machines have no graphics card. Containers have no sandbox.
  const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
  return chromium.launch({ executablePath, args });
}

/**
 * Opens a file, or the page of a live server (`url`), and waits until it plays or complains; the page fails the test where
 * it complains in the console. `expected`: complaints that are part of the test.
 */
export async function open(browser, url, { expected = /$^/, width = 480, height = 360 } = {}) {
  const page = await browser.newPage({ viewport: { width, height } });
  page.setDefaultTimeout(PATIENCE);
  const found = [];
  const complaints = { push: (text) => expected.test(text) || found.push(text) };
  const own = url.startsWith('http') ? url : 'file:';
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(own)) complaints.push(`wants the network: ${request.url()}`);
  });
  await page.goto(url.startsWith('http') ? url : `file://${url}`);
  await page.waitForFunction(() => window.uzawa || !document.getElementById('message').hidden);
  return {
    page,
    message: () => page.evaluate(() => (document.getElementById('message').hidden ? '' : document.getElementById('message-text').textContent)),
    call: (name, ...args) => page.evaluate(([n, a]) => window.uzawa[n](...a), [name, args]),
    get: (name) => page.evaluate((n) => window.uzawa[n], name),
    close: async () => {
      assert.deepEqual(found, [], `console of ${url}`);
      await page.close();
    },
  };
}

/** Of what is drawn: colours that occur, and the share of pixels that have the colour of a selected body. */
export function picture(page) {
  return page.evaluate(() => {
    const view = document.getElementById('view');
    const gl = view.getContext('webgl2');
    const data = new Uint8Array(4 * view.width * view.height);
    gl.readPixels(0, 0, view.width, view.height, gl.RGBA, gl.UNSIGNED_BYTE, data);
    const colors = new Set();
    let orange = 0;
    for (let i = 0; i < data.length; i += 4) {
      const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
      colors.add((r << 16) | (g << 8) | b);
      if (r > 80 && r > 1.2 * g && g > 1.6 * b) ++orange;
    }
    return { colors: colors.size, orange: orange / (data.length / 4) };
  });
}
