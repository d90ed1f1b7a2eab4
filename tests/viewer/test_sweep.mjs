// The section that `routh report --sweep` adds, in a real browser: Campbell diagram, damping, root locus, map, and how
// they go with the modes of the page. Exits 1 if any check fails, 77 (skipped) without a browser or the program.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Browser } from './chromium.mjs';

const source = process.env.ROUTH_SOURCE ?? resolve(dirname(fileURLToPath(import.meta.url)), '../..');
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

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

/** The page of an example, and the data in it. */
function written(folder, name, ...options) {
  const page = join(folder, `${name}-${options.length}.html`);
  const run = spawnSync(process.env.ROUTH, ['report', join(source, `examples/${name}.yaml`), ...options, '--output', page], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`routh report ended with ${run.status}: ${run.stderr}`);
  const [, json] = /<script type="application\/json" id="routh-data">([\s\S]*?)<\/script>/.exec(readFileSync(page, 'utf8'));
  return { url: pathToFileURL(page).href, data: JSON.parse(json) };
}

const chart = (k) => `document.querySelectorAll('#sweep .chart')[${k}]`;

/** Where the i-th value of the k-th line of a chart is drawn, in the window. */
async function place(page, k, series, i) {
  return page.evaluate(`(() => {
    const svg = ${chart(k)}.querySelector('.chart-box > svg');
    svg.scrollIntoView({ block: 'center' });
    const box = svg.getBoundingClientRect();
    const d = svg.querySelectorAll('path.line')[${series}].getAttribute('d');
    const [x, y] = d.split(/[ML]/)[${i + 1}].split(' ').map(Number);
    return [box.x + x, box.y + y];
  })()`);
}

const chosenRow = (page) => page.evaluate(`Number(document.querySelector('#mode-table tr[aria-selected="true"]').dataset.row)`);
const settle = (page) => page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 50)))');

async function open(browser, url) {
  const page = await browser.open(url, { media: [{ name: 'prefers-reduced-motion', value: 'reduce' }] });
  await page.until('document.querySelector("#mode-table tbody tr") && document.getElementById("caption-name").textContent !== ""', 'the page');
  return page;
}

async function checkLine(browser, { url, data }) {
  const page = await open(browser, url);
  const [line] = data.sweep.lines;
  const shown = data.modes.filter((m) => m.eigenvalue[1] >= 0);
  await check('every mode that is no exact zero has a branch, which passes through its eigenvalue', () => {
    const own = line.values.indexOf(3);
    expect(own === line.own, `the own value is number ${line.own}, not ${own}`);
    const found = line.branches.map((b) => b.mode).sort((a, b) => a - b);
    const wanted = data.modes.flatMap((m, k) => (m.rigid || m.eigenvalue[1] < 0 ? [] : [k]));
    expect(JSON.stringify(found) === JSON.stringify(wanted), `${found} where ${wanted} were to be`);
    for (const b of line.branches) {
      const [re, im] = data.modes[b.mode].eigenvalue;
      expect(Math.hypot(b.re[own] - re, b.im[own] - im) < 1e-8 * Math.hypot(re, im), `branch ${b.name} is at ${b.re[own]}, ${b.im[own]}`);
    }
  });
  await check('there are three diagrams; the first has a line of the speed, the others no legend', async () => {
    expect(await page.evaluate('document.querySelectorAll("#sweep .chart").length') === 3, 'not three');
    const legend = await page.evaluate(`[...${chart(0)}.querySelectorAll('.chart-legend li')].map((l) => l.textContent)`);
    expect(legend.at(-1) === '1\u00d7 spin' && legend.includes('critical speed'), legend.join('; '));
    expect(legend.length === line.branches.length + 2, legend.join('; '));
    expect(await page.evaluate(`${chart(1)}.querySelectorAll('.chart-legend li').length`) === 0, 'the legend is there twice');
  });
  // The line of the speed of 2 pi rad/s ends at 1 Hz: its place against that of another line's end tells the scale.
  await check('the line of the speed is spin / 2 pi', async () => {
    const lines = line.branches.length;
    const last = line.values.length - 1;
    const y = async (series, i) => (await place(page, 0, series, i))[1];
    const zero = await y(lines, 0);
    const scale = (await y(lines - 1, last) - zero) / (line.branches[lines - 1].im[last] / 2 / Math.PI);
    expect(Math.abs((await y(lines, last) - zero) / scale - 1) < 0.02, `it ends at ${(await y(lines, last) - zero) / scale} Hz`);
  });
  await check('a click on a branch chooses its mode, and marks it in all diagrams', async () => {
    for (const k of [3, 1]) {
      const [x, y] = await place(page, 0, k, line.values.length - 5);
      await page.clickAt(x, y);
      await settle(page);
      const row = 1 + shown.indexOf(data.modes[line.branches[k].mode]);
      // Two lines may be nearer to each other there than the pointer is exact.
      const near = line.branches.filter((b) => Math.abs(b.im.at(-5) - line.branches[k].im.at(-5)) < 0.05).map((b) => 1 + shown.indexOf(data.modes[b.mode]));
      expect(near.includes(await chosenRow(page)), `row ${await chosenRow(page)} is chosen, not ${row}`);
      for (const d of [0, 1, 2]) expect(await page.evaluate(`${chart(d)}.querySelectorAll('.chosen').length`) >= 1, `diagram ${d} has no mark`);
    }
  });
  await check('what is pointed at is said with the mode and its figures', async () => {
    const k = line.branches.length - 1;
    const [x, y] = await place(page, 0, k, 7);
    await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
    const said = await page.evaluate('document.getElementById("tooltip").textContent');
    const name = await page.evaluate(`document.querySelector('#mode-table tr[data-row="${1 + shown.indexOf(data.modes[line.branches[k].mode])}"] td.name').textContent`);
    expect(said.includes(name.split(' ')[0]) && said.includes('damping ratio: ') && said.includes(`spin: ${line.values[7].toPrecision(6)}`), said);
  });
  await check('a mode chosen in the table is marked where it is', async () => {
    const k = line.branches.length - 1;
    await page.click(`#mode-table tr[data-row="${1 + shown.indexOf(data.modes[line.branches[k].mode])}"] td.name`);
    await settle(page);
    const [x, y] = await place(page, 0, k, line.own);
    const ring = await page.evaluate(`(() => { const b = ${chart(0)}.querySelector('.chosen').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`);
    expect(Math.hypot(ring[0] - x, ring[1] - y) < 1.5, `the ring is at ${ring}, the place at ${[x, y]}`);
  });
  await check('a drag shows a part of both diagrams with that axis', async () => {
    const [x, y] = await place(page, 0, 0, 0);
    const at = { button: 'left', clickCount: 1 };
    await page.send('Input.dispatchMouseEvent', { type: 'mousePressed', x: x + 200, y: y - 100, buttons: 1, ...at });
    await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: x + 400, y: y - 20, buttons: 1, button: 'left' });
    await page.send('Input.dispatchMouseEvent', { type: 'mouseReleased', x: x + 400, y: y - 20, ...at });
    await settle(page);
    const ticks = (k) => page.evaluate(`[...${chart(k)}.querySelectorAll('text[text-anchor="middle"]')].map((t) => t.textContent).slice(0, -1).join()`);
    expect(await ticks(0) === (await ticks(1)) && !(await ticks(0)).startsWith('0,'), `${await ticks(0)} and ${await ticks(1)}`);
  });
  await check('what was solved for is listed', async () => {
    const cells = await page.evaluate(`[...document.querySelectorAll('#sweep tr[data-kind="critical speed"] td:nth-child(2)')].map((c) => Number(c.textContent))`);
    expect(cells.length === 4 && Math.abs(cells[2] - Math.sqrt(1000 / 1500 - 1 / (4 * 1500 * 1500))) < 1e-10, cells.join());
  });
  await check('no error is logged', () => expect(page.errors.length === 0, page.errors.join(' | ')));
  await page.close();
}

async function checkMap(browser, { url, data }) {
  const page = await open(browser, url);
  await check('a map shows the largest real part with the boundary, and its rows choose the line below', async () => {
    expect(await page.evaluate('document.querySelectorAll("#sweep .chart").length') === 4, 'not four diagrams');
    expect((await page.evaluate('document.getElementById("sweep-note").textContent')).includes('inner = 4'), 'not the line of the report');
    await page.click('#sweep .cell:nth-of-type(1)');
    await settle(page);
    const note = await page.evaluate('document.getElementById("sweep-note").textContent');
    expect(note.includes('inner = 2'), note);
    const flutter = await page.evaluate(`[...document.querySelectorAll('#sweep tr[data-kind="flutter"] td:nth-child(2)')].map((c) => Number(c.textContent))`);
    expect(flutter.length === 1 && Math.abs(flutter[0] - 20 * (1 + 2 / 2)) < 1e-9, flutter.join());
  });
  await check('lines away from the report\'s value choose no mode', () => {
    const other = data.sweep.lines.filter((l) => l.second !== 4);
    expect(other.length > 0 && other.every((l) => l.own === undefined && l.branches.every((b) => b.mode === undefined)), 'they do');
  });
  await check('no error is logged', () => expect(page.errors.length === 0, page.errors.join(' | ')));
  await page.close();
}

async function checkBoundary(browser, { url }) {
  const page = await open(browser, url);
  await check('a boundary is drawn over both parameters', async () => {
    expect(await page.evaluate('document.querySelectorAll("#sweep .chart").length') === 4, 'not four diagrams');
    const [x, y] = await place(page, 3, 0, 0);
    await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
    const said = (await page.evaluate('document.getElementById("tooltip").textContent')).split('\n');
    expect(said[0] === 'flutter' && said[1].startsWith('spin: ') && said[2].startsWith('inner: '), said.join('; '));
    expect(Math.abs(Number(said[1].slice(6)) - 20 * (1 + 2 / Number(said[2].slice(7)))) < 1e-3, said.join('; '));
  });
  await page.close();
}

async function checkNone(browser, { url }) {
  const page = await open(browser, url);
  await check('a report without --sweep has no such section', async () => {
    expect(await page.evaluate('document.getElementById("sweep-card").hidden'), 'it is shown');
  });
  await page.close();
}

if (spawnSync(browserProgram, ['--version'], { stdio: 'ignore' }).status !== 0) skip(`there is no ${browserProgram}`);
if (!existsSync(process.env.ROUTH ?? '') || !existsSync(join(source, 'viewer/dist/report.html'))) skip('the page is not built here');
const folder = mkdtempSync(join(tmpdir(), 'routh-sweep-'));
const browser = new Browser(browserProgram);
try {
  await checkLine(browser, written(folder, 'rotor-stator', '--set', 'spin=3', '--sweep', 'spin=0:2*pi:24', '--speed', 'spin'));
  await checkBoundary(browser, written(folder, 'jeffcott-rotor', '--sweep', 'spin=1:59:7', '--boundary', 'inner=1:6'));
  await checkMap(browser, written(folder, 'jeffcott-rotor', '--sweep', 'spin=1:64:10', '--sweep', 'inner=2:6:5'));
  await checkNone(browser, written(folder, 'jeffcott-rotor'));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${checks - failures} of ${checks} checks passed`);
process.exit(failures > 0 ? 1 : 0);
