// The chart component of the report's page in a real browser, on data made here: axes, gaps, hovering, keys, zoom,
// selection from outside, CSV. Exits 1 if any check fails, 77 (skipped) without a browser or the page's build tools.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Browser } from './chromium.mjs';

const source = process.env.ROUTH_SOURCE ?? resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const viewer = join(source, 'viewer');
const browserProgram = process.env.CHROMIUM ?? 'chromium';

let failures = 0;
let checks = 0;

async function check(name, body) {
  checks++;
  try {
    await body();
    console.log(`ok ${checks} ${name}`);
  } catch (error) {
    failures++;
    console.log(`not ok ${checks} ${name}: ${error.message}`);
  }
}

function equal(found, wanted, what) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: ${a}, not ${b}`);
}

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

const entry = `
import { Chart } from ${JSON.stringify(join(viewer, 'src/chart/chart'))};
import { Tooltip } from ${JSON.stringify(join(viewer, 'src/tooltip'))};
const tip = new Tooltip();
window.chosen = [];
window.ranges = [];
const links = { choose: (s, k) => window.chosen.push([s, k]), onRange: (r) => window.ranges.push(r) };
window.lines = new Chart(document.getElementById('lines'), {
  label: 'Lines', x: { title: 'frequency, Hz', logarithmic: true }, y: { title: 'size, m' }, file: 'a.csv', series: [
    { name: 'first', x: [1, 10, 100, 1000, 10000], y: [0, 1, null, 3, 4], line: true, mark: 'circle' },
    { name: 'other, "x"', x: [0, 10, 10000], y: [5, 4, 2], line: true, dashed: true },
  ] }, tip, links);
window.map = new Chart(document.getElementById('map'), {
  label: 'Map', x: { title: 'mode', names: ['a', 'b', 'c'] }, y: { title: 'parameter', names: ['k', 'm'] }, series: [],
  cells: { value: [[1, -2, null], [0, 1, 2]], title: 'share', diverging: true } }, tip, links);
`;

async function checkAll(page) {
  const value = (expression) => page.evaluate(expression);
  const svg = '#lines .chart-box > svg';
  const key = (name) => value(`document.querySelector(${JSON.stringify(svg)}).dispatchEvent(new KeyboardEvent('keydown', { key: '${name}', bubbles: true }))`);
  await check('a gap in the data breaks the line, and what has no place on the axis is left out', async () => {
    const paths = await value(`[...document.querySelectorAll('#lines .chart-box .line')].map((p) => p.getAttribute('d').replace(/[^ML]/g, ''))`);
    equal(paths, ['MLML', 'ML'], 'the lines');
  });
  await check('ticks lie at powers of ten', async () => {
    const labels = await value(`[...document.querySelectorAll('#lines .chart-box text[text-anchor="middle"]')].map((t) => t.textContent)`);
    equal(labels.slice(0, 5), ['1', '10', '100', '1000', '10000'], 'the labels');
  });
  await check('the legend names every line once and the picture has a name', async () => {
    equal(await value(`[...document.querySelectorAll('#lines .chart-legend li')].map((l) => l.textContent)`), ['first', 'other, "x"'], 'the legend');
    equal(await value(`document.querySelector('${svg}').getAttribute('aria-label').startsWith('Lines.')`), true, 'the name');
    equal(await value(`document.querySelector('${svg}').tabIndex`), 0, 'the place in the order of the keyboard');
  });
  await check('the CSV holds what is shown', async () => {
    equal(await value('window.lines.csv()'), 'series,"frequency, Hz","size, m"\r\nfirst,1,0\r\nfirst,10,1\r\nfirst,1000,3\r\nfirst,10000,4\r\n'
      + '"other, ""x""",10,4\r\n"other, ""x""",10000,2\r\n', 'all of it');
    await value('window.lines.setRange([5, 2000])');
    equal(await value('window.lines.csv()'), 'series,"frequency, Hz","size, m"\r\nfirst,10,1\r\nfirst,1000,3\r\n"other, ""x""",10,4\r\n', 'a part');
    await value('window.lines.reset()');
    equal(await value('window.ranges.at(-1)'), [1, 10000], 'the range that was told');
    equal(await value('window.map.csv()'), 'share,mode,parameter\r\n1,a,k\r\n-2,b,k\r\n,c,k\r\n0,a,m\r\n1,b,m\r\n2,c,m\r\n', 'the map');
  });
  await check('keys step from point to point over the gap, and enter chooses', async () => {
    for (const name of ['PageDown', 'PageDown', 'PageDown', 'Enter']) await key(name);
    equal(await value('window.chosen.at(-1)'), [0, 3], 'the choice');
    equal((await value('document.getElementById("tooltip").textContent')).split('\n'), ['first', 'frequency, Hz: 1000.00', 'size, m: 3.00000'], 'what is said');
    equal(await value('document.querySelector("#lines [aria-live]").textContent === document.getElementById("tooltip").textContent'), true, 'said to a screen reader');
  });
  await check('keys zoom and show all again', async () => {
    await key('+');
    const [low, high] = await value('window.ranges.at(-1)');
    equal([Math.log10(low).toFixed(9), Math.log10(high).toFixed(9)], ['0.600000000', '3.400000000'], 'the middle seven tenths of four decades');
    await key('0');
    equal(await value('window.ranges.at(-1)'), [1, 10000], 'all');
  });
  await check('a point that is selected elsewhere is marked', async () => {
    await value('document.activeElement.blur(), window.lines.select([{ series: 0, index: 1 }, { series: 0, index: 2 }])');
    await value(`document.querySelector('${svg}').dispatchEvent(new FocusEvent('blur'))`);
    equal(await value('document.querySelectorAll("#lines .chosen").length'), 1, 'the marks: the gap has none');
  });
  await check('pointing at a place shows the values there, and a click chooses', async () => {
    const at = await value(`(() => { const b = document.querySelector('#map .cell:nth-of-type(2)').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`);
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased']) {
      await page.send('Input.dispatchMouseEvent', { type, x: at[0], y: at[1], button: type === 'mouseMoved' ? 'none' : 'left', clickCount: 1 });
    }
    equal(await value('window.chosen.at(-1)'), [-1, 1], 'the cell');
    equal((await value('document.getElementById("tooltip").textContent')).split('\n'), ['k', 'b', 'share: \u22122.00000'], 'what is said');
  });
  await check('cells have the colours of the ramp and gaps none', async () => {
    const fills = await value(`[...document.querySelectorAll('#map .cell')].map((c) => c.getAttribute('fill'))`);
    equal([fills.length, fills[1], fills[2], fills[4]], [5, 'rgb(33 102 172)', 'rgb(247 247 247)', 'rgb(178 24 43)'], 'the fills');
  });
  await check('no error is logged', () => { equal(page.errors, [], 'errors'); });
}

if (spawnSync(browserProgram, ['--version']).status !== 0) skip(`${browserProgram} does not run`);
if (!existsSync(join(viewer, 'node_modules/esbuild'))) skip('the page is not built here');
const esbuild = createRequire(join(viewer, 'package.json'))('esbuild');
const folder = mkdtempSync(join(tmpdir(), 'routh-chart-'));
const bundle = (options) => esbuild.buildSync({ bundle: true, write: false, format: 'iife', ...options }).outputFiles[0].text;
const script = bundle({ stdin: { contents: entry, resolveDir: viewer, loader: 'ts' } });
const style = bundle({ entryPoints: [join(viewer, 'src/page.css')] });
writeFileSync(join(folder, 'chart.html'), `<!DOCTYPE html><html data-theme="light"><meta charset="utf-8"><style>${style}</style><body>
<div id="lines"></div><div id="map"></div><div id="tooltip" hidden style="position:fixed"></div><script>${script}</script></body></html>`);
const browser = new Browser(browserProgram);
try {
  const page = await browser.open(pathToFileURL(join(folder, 'chart.html')).href);
  await checkAll(page);
  if (process.env.ROUTH_PICTURE) {
    const { data } = await page.send('Page.captureScreenshot', { format: 'png' });
    writeFileSync(process.env.ROUTH_PICTURE, Buffer.from(data, 'base64'));
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${checks - failures} of ${checks} checks passed`);
process.exit(failures > 0 ? 1 : 0);
