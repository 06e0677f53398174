// Bundles the page and writes it as a C++ file: node build.mjs OUT.html OUT.cpp
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const [, , htmlFile, cppFile] = process.argv;
const MOST_BYTES = 1e6; // of the script

const result = await build({
  entryPoints: ['src/main.ts'],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'ascii',
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
});
const script = result.outputFiles[0].text.trim();
if (script.length > MOST_BYTES) throw new Error(`the page's script has ${script.length} bytes, more than ${MOST_BYTES}`);
// The licence of three.js asks to go wherever it goes.
const notice = `/* Contains three.js:\n${readFileSync('node_modules/three/LICENSE', 'utf8').trim()} */\n`;
const page = readFileSync('src/page.html', 'utf8')
  .replace('/*uzawa:style*/', () => readFileSync('src/page.css', 'utf8'))
  .replace('/*uzawa:script*/', () => notice + script);
writeFileSync(htmlFile, page);

// String literals of a size that every compiler takes; octal escapes for what C++ would read otherwise.
const bytes = Buffer.from(page, 'utf8');
const literals = [];
for (let begin = 0; begin < bytes.length; begin += 8192) {
  let text = '';
  for (const byte of bytes.subarray(begin, begin + 8192)) {
    const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 && byte !== 63;
    text += plain ? String.fromCharCode(byte) : '\\' + byte.toString(8).padStart(3, '0');
  }
  literals.push(`"${text}"`);
}
writeFileSync(cppFile, `#include "viewer_page.hpp"

namespace uzawa {

std::string_view viewer_page() {
  static constexpr char text[] =
${literals.join('\n')};
  return {text, sizeof(text) - 1};
}

}  // namespace uzawa
`);
console.log(`page script: ${(script.length / 1e3).toFixed(0)} kB`);
