// Which modes the report's page can move, what it opens on, and what is to be seen of them on screens, narrow ones and
// paper. The pages are written by the program $ROUTH. Exits 1 if any check fails, 77 (skipped) without a browser, the
// program or the page's build tools.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Browser } from './chromium.mjs';
import { difference } from './png.mjs';

const source = process.env.ROUTH_SOURCE ?? resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const viewer = join(source, 'viewer');
const browserProgram = process.env.CHROMIUM ?? 'chromium';
const program = process.env.ROUTH;

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

function equal(found, wanted, what) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  expect(a === b, `${what}: ${a}, not ${b}`);
}

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

if (program === undefined || !existsSync(program)) skip('there is no program');
if (spawnSync(browserProgram, ['--version']).status !== 0) skip(`there is no ${browserProgram}`);
if (!existsSync(join(viewer, 'node_modules/esbuild'))) skip('viewer/node_modules has no esbuild');

const place = mkdtempSync(join(tmpdir(), 'routh-shown-'));

/** Masses side by side, each on its own: eigenvalues are known, mode k of stiffness k^2 is the k-th. */
function row(masses) {
  const lines = (write) => masses.map((m, i) => write(m, i)).join('\n');
  return `title: Row of masses
bodies:
${lines((_, i) => `  m${i}: {mass: 1, inertia: [1, 1, 1], position: [${(0.2 * i).toFixed(1)}, 0, 0]}`)}
joints:
${lines((_, i) => `  r${i}: {type: translational, between: [m${i}, ground], at: [${(0.2 * i).toFixed(1)}, 0, 0], axis: z}`)}
loads:
${lines(({ k, c }, i) => `  s${i}: {type: force, on: m${i}, components: [0, 0, -${k}*DZ(m${i}) - (${c})*VZ(m${i})]}`)}
operating_point: {type: given}
`;
}

function write(name, text, ...options) {
  const [model, page] = [join(place, `${name}.yaml`), join(place, `${name}.html`)];
  writeFileSync(model, text);
  const done = spawnSync(program, ['report', model, '--output', page, ...options], { encoding: 'utf8' });
  expect(done.status === 0, `routh report ${name}: ${done.stderr}`);
  return pathToFileURL(page).href;
}

const dataOf = (url) => JSON.parse(/<script type="application\/json" id="routh-data">([\s\S]*?)<\/script>/.exec(readFileSync(fileURLToPath(url), 'utf8'))[1]);

/** Numbers of the modes, as the table has them, whose motion is there. */
const stored = (url) => dataOf(url).modes.filter((mode) => mode.eigenvalue[1] >= 0)
  .flatMap((mode, k) => (mode.motion === undefined ? [] : [k + 1]));

const still = [{ name: 'prefers-reduced-motion', value: 'reduce' }];

async function open(browser, url, options = {}) {
  const page = await browser.open(url, { media: still, ...options });
  await page.until('document.querySelector("#mode-table tbody tr") && document.getElementById("caption-name").textContent !== ""', 'the model to be drawn');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true), 100))))');
  return page;
}

const text = (page, id) => page.evaluate(`document.getElementById(${JSON.stringify(id)}).textContent`);

// 220 masses: number 201 grows, 151 grows faster, 101 .. 105 are the least damped; all others are damped by 1 .. 2 %
const growing = { 151: -0.9, 201: -0.5 };
const masses = Array.from({ length: 220 }, (_, i) => {
  const n = i + 1;
  const ratio = n >= 101 && n <= 105 ? 1e-4 * (n - 100) : 0.01 + 5e-5 * n;
  return { k: n * n, c: growing[n] ?? 2 * ratio * n };
});

async function checkLarge(browser) {
  const url = write('large', row(masses));
  const there = stored(url);
  await check('motion is stored of the unstable, the least damped and the lowest of many modes', async () => {
    expect(there.length < 100, `of ${there.length} modes, so this model is not large`);
    for (const n of [151, 201, 101, 102, 103, 104, 105, 1, 2, 3, 4, 5, 6, 7, 8]) expect(there.includes(n), `mode ${n} has none`);
  });
  await check('what is stored is told', async () => {
    expect(dataOf(url).warnings.some((w) => w.includes(`motion of ${there.length} of the 220 modes`)), 'no warning');
  });
  const page = await open(browser, url);
  await check('the page opens on the worst mode and draws its motion', async () => {
    expect((await text(page, 'caption-name')).startsWith('Mode 151:'), await text(page, 'caption-name'));
    expect(/Hz, damping/.test(await text(page, 'caption-values')), await text(page, 'caption-values'));
  });
  await check('a mode without motion says how to have it', async () => {
    await page.evaluate('document.querySelector(\'#mode-table tr[data-row="180"]\').click()');
    expect((await text(page, 'caption-values')).includes('routh report --animate 180'), await text(page, 'caption-values'));
  });
  await page.close();
  await check('chosen modes are stored', async () => {
    const chosen = stored(write('chosen', row(masses), '--animate', '180,210:213,151'));
    for (const n of [180, 210, 211, 212, 213, 151, 201, 1]) expect(chosen.includes(n), `mode ${n} has no motion`);
    expect(stored(write('all', row(masses), '--animate', '1:220')).length === 220, 'not all that were asked for');
  });
  await check('numbers that are none are refused', async () => {
    for (const [words, why] of [['0', 'takes numbers'], ['221', 'no mode 221'], ['3,', 'takes numbers'], ['5:3', 'takes numbers'], ['x', 'takes numbers']]) {
      const done = spawnSync(program, ['report', join(place, 'large.yaml'), '--output', join(place, 'no.html'), '--animate', words], { encoding: 'utf8' });
      expect(done.status === 2 && done.stderr.includes(why), `--animate ${words}: ${done.status} ${done.stderr}`);
    }
  });
}

async function checkReal(browser) {
  // (s + 1)(s + 4), overdamped, beside a mass that is not
  const url = write('real', row([{ k: 4, c: 5 }, { k: 100, c: 0.1 }]));
  const page = await open(browser, url);
  const picture = async () => {
    const { x, y, width, height } = await page.middle('#canvas');
    const [w, h] = [Math.floor(width), Math.floor(height)];
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 150)))');
    return page.screenshot({ x: Math.round(x - w / 2), y: Math.round(y - h / 2), width: w, height: h });
  };
  await check('a real mode is drawn deformed where nothing moves', async () => {
    await page.evaluate('document.querySelector(\'#mode-table tr[data-row="1"]\').click()');
    expect((await text(page, 'caption-values')).includes('slow swing'), await text(page, 'caption-values'));
    equal(await text(page, 'phase-value'), '0\u00b0', 'the phase');
    const deformed = await picture();
    await page.evaluate('(() => { const a = document.getElementById("amplitude"); a.value = 0; a.dispatchEvent(new Event("input")); })()');
    const share = difference(deformed, await picture());
    expect(share > 0.002, `only ${100 * share} % of the pixels differ from the model at rest`);
  });
  await page.close();
  const moving = await open(browser, url, { media: [] });
  await check('on paper it is deformed while it plays', async () => {
    await moving.evaluate('document.querySelector(\'#mode-table tr[data-row="1"]\').click()');
    const pictures = new Set();
    for (let k = 0; k < 4; k++) {
      await moving.evaluate('new Promise((done) => setTimeout(() => done(true), 170))');
      await moving.evaluate('window.dispatchEvent(new Event("beforeprint"))');
      pictures.add(await moving.evaluate('document.getElementById("print-picture").src'));
    }
    equal(pictures.size, 1, 'pictures for paper at different times');
  });
  await moving.close();
}

const jeffcott = readFileSync(join(source, 'examples/jeffcott-rotor.yaml'), 'utf8');
/** Another mass beside the rotor, which its speed does not change. */
const beside = jeffcott.replace('bodies:\n', 'bodies:\n  side: {mass: 1, inertia: [1, 1, 1], position: [2, 0, 0]}\n')
  .replace('joints:\n', 'joints:\n  rail: {type: translational, between: [side, ground], at: [2, 0, 0], axis: z}\n')
  .replace('loads:\n', 'loads:\n  beside: {type: force, on: side, components: [0, 0, -300*DZ(side) - 3*VZ(side)]}\n')
  .replace('[disc.x, disc.y]', '[disc.x, disc.y, side.z]');

async function checkWhirl(browser) {
  const page = await open(browser, write('whirl', jeffcott, '--set', 'spin=10'));
  await check('the two senses of a whirl have names of their own', async () => {
    // damping in the shaft drives the whirl in the sense of the speed, about +z: it is the less damped one
    const names = await page.evaluate('[...document.querySelectorAll("#mode-table tbody tr")].map((r) => [r.querySelector(".name").textContent, Number(r.querySelector(".damping_ratio").title)])');
    const sorted = names.sort((a, b) => a[1] - b[1]).map(([name]) => name.replace(/\u00a0/g, ' '));
    expect(sorted.length === 2 && sorted[0].endsWith('about +z') && sorted[1].endsWith('about \u2212z'), JSON.stringify(sorted));
  });
  await page.close();
}

/** Of one body whose motion is given, by the page's own source. */
async function checkSize() {
  const esbuild = createRequire(join(viewer, 'package.json'))('esbuild');
  const file = join(place, 'motion.mjs');
  esbuild.buildSync({ entryPoints: [join(viewer, 'src/scene/motion.ts')], outfile: file, format: 'esm', bundle: true });
  const { BodyMotion } = await import(pathToFileURL(file));
  const model = { movers: [{ body: 0, source: 0, center: [0, 0, 0] }], bodies: [{ flexible: false, ground: false, radius: 1, center: [0, 0, 0] }], flexible: [], unit: 1, size: 10 };
  const motion = new BodyMotion(model);
  await check('a whirl is as large as its radius, an ellipse as its half axis', async () => {
    const sized = (re, im) => {
      motion.setMode({ motion: [[...re, 0, 0, 0, ...im, 0, 0, 0]] });
      return motion.displacement(0).shift;
    };
    const near = (found, wanted, what) => expect(Math.abs(found - wanted) < 1e-14, `${what}: ${found}, not ${wanted}`);
    near(sized([1, 0, 0], [0, -1, 0]), 1, 'a circle of radius 1');
    near(sized([1, 0, 0], [0, 0, 0.5]), 1, 'an ellipse of half axes 1 and 1/2');
    near(sized([3, 0, 0], [4, 0, 0]), 5, 'a line');
    for (let k = 0; k < 20; k++) {
      const [re, im] = [0, 1].map((j) => [0, 1, 2].map((i) => Math.sin(1 + 7 * k + 3 * i + 11 * j)));
      let most = 0; // along the path, independently
      for (let t = 0; t < 20000; t++) {
        const a = Math.PI * t / 20000;
        most = Math.max(most, Math.hypot(...re.map((x, i) => x * Math.cos(a) - im[i] * Math.sin(a))));
      }
      expect(Math.abs(sized(re, im) / most - 1) < 1e-7, `${sized(re, im)}, not ${most}`);
    }
  });
}

async function checkLocus(browser) {
  const page = await open(browser, write('locus', beside, '--sweep', 'spin=0:40:11'));
  await check('a constant eigenvalue has a dot in the root locus, and no other branch', async () => {
    const dots = await page.evaluate(`[...document.querySelectorAll('#sweep .chart')].map((chart) => [...chart.querySelectorAll('.chart-box .mark[data-mark="dot"]')]
      .map((dot) => dot.getBoundingClientRect()).filter((r) => r.width > 2 && r.height > 2).length)`);
    equal(dots, [0, 0, 1], 'dots in the three diagrams');
  });
  await page.close();
}

async function checkNarrow(browser, url) {
  for (const width of [400, 600, 1280]) {
    const page = await open(browser, url, { width });
    await check(`every column of modes can be seen at ${width} pixels`, async () => {
      const heads = await page.evaluate(`(async () => {
        const out = [];
        const scroll = document.getElementById('mode-scroll').getBoundingClientRect();
        for (const head of document.querySelectorAll('#mode-table thead th')) {
          head.scrollIntoView({ inline: 'end', block: 'nearest' });
          await new Promise((done) => requestAnimationFrame(done));
          const box = head.getBoundingClientRect();
          if (!(box.width > 10 && box.left >= scroll.left - 1 && box.right <= scroll.right + 1)) out.push(head.dataset.key);
        }
        return [document.querySelectorAll('#mode-table thead th').length, out, document.documentElement.scrollWidth <= innerWidth];
      })()`);
      equal(heads, [8, [], true], 'columns, those that are not seen, and whether the page itself fits');
    });
    await page.close();
  }
}

async function checkPaper(browser) {
  const url = write('paper', row(masses.slice(0, 12).map((m, i) => ({ ...m, k: `k${i}` }))).replace('bodies:\n',
    `parameters: {${masses.slice(0, 12).map((m, i) => `k${i}: ${m.k}`).join(', ')}}\nbodies:\n`), '--sensitivity');
  // A4 and Letter less margins of 12 mm
  for (const width of [703, 725]) {
    const page = await open(browser, url, { width });
    await page.evaluate('window.dispatchEvent(new Event("beforeprint"))');
    await page.send('Emulation.setEmulatedMedia', { media: 'print' });
    await check(`tables fit on paper of ${width} pixels with every column`, async () => {
      const found = await page.evaluate(`[...document.querySelectorAll('table')].filter((t) => t.offsetWidth > 0)
        .map((t) => [t.textContent.slice(0, 20), t.getBoundingClientRect().right, [...t.rows[0].cells].filter((c) => c.offsetWidth === 0).length])
        .filter(([, right, hidden]) => right > ${width} || hidden > 0)`);
      equal(found, [], 'tables that do not');
      const modes = await page.evaluate(`[...document.querySelectorAll('.paper thead th:not(.name)')].map((h) => Number(h.textContent))`);
      equal(modes, Array.from({ length: 12 }, (_, k) => k + 1), 'modes in the map of effects');
      equal(await page.evaluate('document.querySelectorAll("#mode-table thead th").length'), 8, 'columns of modes');
    });
    await page.close();
  }
  await checkNarrow(browser, url);
}

const browser = new Browser(browserProgram);
try {
  await checkLarge(browser);
  await checkReal(browser);
  await checkWhirl(browser);
  await checkSize();
  await checkLocus(browser);
  await checkPaper(browser);
} catch (error) {
  failures++;
  console.log(`not ok: ${error.stack}`);
} finally {
  await browser.close();
  rmSync(place, { recursive: true, force: true });
}
console.log(`${checks} checks, ${failures} failed`);
process.exit(failures ? 1 : 0);
