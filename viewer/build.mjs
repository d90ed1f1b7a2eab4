// Bundle the page into dist/report.html: one file with its style and its script inside, and one place for the data.
// With --sample, also dist/sample.html: the same page with sample/rotor-stator.json in it.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const placeholder = '<!--ROUTH-DATA-->';
const read = (name) => readFileSync(join(here, name), 'utf8');

async function bundle(entry, loader) {
  const result = await esbuild.build({
    entryPoints: [join(here, entry)], bundle: true, minify: true, write: false, format: 'iife', target: 'es2020',
    charset: 'ascii', legalComments: 'none', logLevel: 'warning', loader,
  });
  return result.outputFiles[0].text.trim();
}

const hash = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

function fill(form, values) {
  return form.replace(/%(CSP|STYLE|SCRIPT)%/g, (_, name) => values[name]);
}

const three = 'three.js, (c) 2010-2026 three.js authors, MIT licence: permission is granted, free of charge, to deal in the '
  + 'Software without restriction, provided that this notice is kept; it comes without warranty of any kind.';
const script = `/* ${three} */\n${await bundle('src/main.ts')}`;
const style = await bundle('src/page.css');
// Only this style and this script are let in by the page, whatever its data may hold.
const policy = ["default-src 'none'", `script-src ${hash(script)}`, `style-src ${hash(style)}`, 'img-src data: blob:',
  "base-uri 'none'", "form-action 'none'"].join('; ');
const page = fill(read('src/page.html'), { CSP: policy, STYLE: style, SCRIPT: script });

const places = page.split(placeholder).length - 1;
if (places !== 1) throw new Error(`the page has ${places} places for its data, it must have 1`);
if (/<\/script|<!--/i.test(script)) throw new Error('the script has text that would end its element early');
if (/\b(?:src|href)="(?!data:|#)/.test(page.replace(script, ''))) throw new Error('the page refers to another file');

mkdirSync(join(here, 'dist'), { recursive: true });
writeFileSync(join(here, 'dist/report.html'), page);
console.log(`dist/report.html: ${(page.length / 1000).toFixed(0)} kB`);

if (process.argv.includes('--sample')) {
  const json = JSON.stringify(JSON.parse(read('sample/rotor-stator.json'))).replace(/</g, '\\u003c');
  const element = `<script type="application/json" id="routh-data">${json}</script>`;
  writeFileSync(join(here, 'dist/sample.html'), page.replace(placeholder, () => element));
  console.log('dist/sample.html');
}
