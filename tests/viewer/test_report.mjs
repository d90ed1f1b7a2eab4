// The page of `routh report` in a real browser:  node test_report.mjs [PAGE...]
// Opens each page from disk, uses it as a reader would, and prints one line a check. Without PAGE it takes the built
// viewer with the sample's data, and what the program $ROUTH writes of two examples where there is one.
// Exits 1 if any check fails, 77 (skipped) without a browser ($CHROMIUM, else chromium) or a page. Node built-ins only.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Browser, pause } from './chromium.mjs';
import { brightness, difference } from './png.mjs';

const source = process.env.ROUTH_SOURCE ?? resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const browserProgram = process.env.CHROMIUM ?? 'chromium';
const examples = Number(process.env.ROUTH_TEST_EFFORT ?? 1) > 1
  ? ['rotor-stator', 'four-bar', 'flexible-double-pendulum'] : ['flexible-double-pendulum'];

const still = [{ name: 'prefers-reduced-motion', value: 'reduce' }];
const dataElement = /<script type="application\/json" id="routh-data">([\s\S]*?)<\/script>/;
const hostile = '</script><img src=x onerror=alert(1)><!--<script>alert(2)//\u2028{{7*7}}';
const moving = 0.002; // share of the picture's pixels that a moving model changes at the least

let failures = 0;
let checks = 0;

function report(name, error) {
  checks++;
  if (error !== undefined) failures++;
  console.log(error === undefined ? `ok ${checks} ${name}` : `not ok ${checks} ${name}: ${error}`);
}

async function check(name, body) {
  try {
    await body();
    report(name);
  } catch (error) {
    report(name, error.message);
  }
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

const selectedRow = '#mode-table tr[aria-selected="true"]';
const chosen = (page) => page.evaluate(`document.querySelector(${JSON.stringify(selectedRow)})?.dataset.row ?? null`);
const shownRows = (page) => page.evaluate('[...document.querySelectorAll("#mode-table tbody tr")].map((r) => r.dataset.row)');
const text = (page, id) => page.evaluate(`document.getElementById(${JSON.stringify(id)}).textContent`);

/** Two animation frames have been drawn since. */
const settle = (page) => page.evaluate(
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true), 50))))');

async function ready(page) {
  await page.until('document.querySelector("#mode-table tbody tr") && document.getElementById("caption-name").textContent !== ""',
    'the model to be drawn');
  await settle(page);
}

async function canvasPicture(page) {
  const { x, y, width, height } = await page.middle('#canvas');
  const [w, h] = [Math.floor(width), Math.floor(height)];
  return page.screenshot({ x: Math.round(x - w / 2), y: Math.round(y - h / 2), width: w, height: h });
}

const playing = (page) => page.evaluate('document.getElementById("play").getAttribute("aria-pressed") === "true"');

/** Waits until as much of the picture differs from an earlier one as is wanted: a busy machine draws late. */
async function pictureBecomes(page, first, wanted, message) {
  for (const end = Date.now() + 20000; ;) {
    await settle(page);
    const now = await canvasPicture(page);
    const share = difference(first, now);
    if (wanted(share)) return now;
    expect(Date.now() < end, `${message} (${(100 * share).toFixed(3)} % of its pixels)`);
  }
}

const changes = (page, first, message, more = moving) => pictureBecomes(page, first, (share) => share > more, message);
const comesBack = (page, first, message) => pictureBecomes(page, first, (share) => share === 0, message);

async function setPlaying(page, on) {
  if (await playing(page) !== on) await page.click('#play');
  expect(await playing(page) === on, `the button did not ${on ? 'start' : 'stop'} the motion`);
  await settle(page);
}

/** The largest change of the picture within a few seconds. */
async function motion(page, seconds, enough = 1) {
  const first = await canvasPicture(page);
  let most = 0;
  for (const end = Date.now() + 1000 * seconds; Date.now() < end && most < enough;) {
    await pause(250);
    most = Math.max(most, difference(first, await canvasPicture(page)));
  }
  return most;
}

const bytesOf = (text) => Buffer.from(text, 'base64');

/** Twelve numbers of every marker that has some. */
function motionOf(data, mode) {
  if (mode.motion === undefined || Array.isArray(mode.motion)) return mode.motion ?? [];
  const { unit } = mode.motion;
  const out = [];
  data.moved.forEach((marker, k) => {
    out[marker] = [mode.motion.re, mode.motion.im].flatMap((text) => Array.from({ length: 6 }, (_, i) =>
      (text === undefined ? 0 : bytesOf(text).readInt16LE(12 * k + 2 * i) * unit[i < 3 ? 0 : 1])));
  });
  return out;
}

/** A row of the table whose mode moves something, best one that oscillates. */
function rowToWatch(data) {
  const rows = data.modes.filter((mode) => mode.eigenvalue[1] >= 0);
  const moves = (mode) => data.flexible !== undefined || motionOf(data, mode).some((m, k) => data.markers[k].body !== 'ground'
    && Math.hypot(m[0], m[1], m[2], m[6], m[7], m[8]) > 1e-6);
  const best = rows.findIndex((mode) => mode.eigenvalue[1] > 0 && moves(mode));
  return 1 + (best >= 0 ? best : Math.max(rows.findIndex(moves), 0));
}

async function checkContents(page, data) {
  const rows = data.modes.filter((mode) => mode.eigenvalue[1] >= 0);
  await check('shows the title of the model', async () => {
    expect(await text(page, 'title') === (data.title || data.file || 'Routh report'), `it says "${await text(page, 'title')}"`);
  });
  await check('has one row for every real eigenvalue or conjugate pair', async () => {
    const shown = await shownRows(page);
    expect(shown.length === rows.length, `${shown.length} rows for ${rows.length}`);
  });
  await check('shows the damped frequencies of the data', async () => {
    const shown = await page.evaluate('[...document.querySelectorAll("#mode-table tbody td.damped_frequency_hz")].map((c) => c.title)');
    rows.forEach((mode, k) => expect(Number(shown[k]) === mode.damped_frequency_hz, `row ${k + 1} has ${shown[k]}`));
  });
  await check('marks unstable and rigid-body modes', async () => {
    const states = await page.evaluate('[...document.querySelectorAll("#mode-table tbody tr")].map((r) => r.dataset.state)');
    rows.forEach((mode, k) => {
      expect((states[k] === 'rigid') === mode.rigid, `row ${k + 1} is ${states[k]}`);
      const grows = mode.eigenvalue[0] > 1e-6 * Math.hypot(...mode.eigenvalue) && !mode.rigid;
      expect(!grows || states[k] === 'unstable', `row ${k + 1} grows and is ${states[k]}`);
    });
  });
  await check('shows every warning', async () => {
    const shown = await page.evaluate('[...document.querySelectorAll("#warnings li")].map((w) => w.textContent)');
    expect(JSON.stringify(shown) === JSON.stringify(data.warnings ?? []), JSON.stringify(shown));
  });
}

async function checkMotion(page, data) {
  const watched = rowToWatch(data);
  await check('a click on a row picks its mode', async () => {
    await page.click(`#mode-table tr[data-row="${watched}"] td.name`);
    expect(await chosen(page) === String(watched), `row ${await chosen(page)} is chosen`);
    expect((await text(page, 'caption-name')).startsWith(`Mode ${watched}:`), await text(page, 'caption-name'));
    expect((await text(page, 'details-title')).startsWith(`Mode ${watched}:`), await text(page, 'details-title'));
  });
  // Labels and the phase are not in question: only the canvas may make the difference.
  await page.evaluate('document.getElementById("show-labels").checked && document.getElementById("show-labels").click()');
  await check('the picture moves', async () => {
    await setPlaying(page, true);
    const change = await motion(page, 30, moving);
    expect(change >= moving, `only ${(100 * change).toFixed(3)} % of its pixels changed`);
  });
  await check('it stands still when paused', async () => {
    await setPlaying(page, false);
    const change = await motion(page, 0.5);
    expect(change === 0, `${(100 * change).toFixed(3)} % of its pixels changed`);
  });
  await check('the space bar plays and pauses', async () => {
    await page.evaluate('document.activeElement.blur()');
    await page.key(' ', 'Space');
    expect(await playing(page), 'it did not start');
    await page.key(' ', 'Space');
    expect(!await playing(page), 'it did not stop');
  });
  await check('the amplitude slider changes the picture', async () => {
    await page.evaluate(`{ const s = document.getElementById('phase'); s.value = 90;
      s.dispatchEvent(new Event('input')); s.value = 30; s.dispatchEvent(new Event('input')); }`);
    await settle(page);
    const before = await canvasPicture(page);
    const set = (value) => page.evaluate(`{ const s = document.getElementById('amplitude'); s.value = ${value};
      s.dispatchEvent(new Event('input')); }`);
    await set(3);
    await changes(page, before, 'nothing changed', 0.0005);
    await set(1);
  });
  await check('the model can be turned with mouse and keyboard', async () => {
    const { x, y } = await page.middle('#canvas');
    const before = await canvasPicture(page);
    await page.send('Input.dispatchMouseEvent', { type: 'mousePressed', x, y, button: 'left', buttons: 1, clickCount: 1 });
    for (const d of [20, 60, 120]) await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: x + d, y: y + d / 3, button: 'left', buttons: 1 });
    await page.send('Input.dispatchMouseEvent', { type: 'mouseReleased', x: x + 120, y: y + 40, button: 'left' });
    await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 2, y: 2 });
    const dragged = await changes(page, before, 'dragging does nothing');
    await page.evaluate('document.getElementById("canvas").focus()');
    await page.key('ArrowRight', 'ArrowRight', 8);
    await changes(page, dragged, 'Shift and an arrow key do nothing');
    await page.click('.views [data-side="best"]');
  });
}

/** csv: what the page has to save. */
async function checkTable(page, data, csv) {
  const count = data.modes.filter((mode) => mode.eigenvalue[1] >= 0).length;
  await check('arrow keys move through the modes', async () => {
    await page.click('#mode-table tbody tr:first-child td.name');
    const order = await shownRows(page);
    await page.key('ArrowDown');
    expect(await chosen(page) === order[Math.min(1, count - 1)], `down: row ${await chosen(page)}`);
    await page.key('ArrowUp');
    expect(await chosen(page) === order[0], `up: row ${await chosen(page)}`);
    await page.key('ArrowUp');
    expect(await chosen(page) === order[0], 'it left the table at its top');
  });
  await check('every column of numbers sorts both ways', async () => {
    const keys = await page.evaluate('[...document.querySelectorAll("#mode-table th")].filter((h) => h.offsetWidth > 0).map((h) => h.dataset.key)');
    expect(keys.length >= 6, `only ${keys.length} columns`);
    for (const key of keys.filter((k) => k !== 'name' && k !== 'state')) {
      for (const direction of ['ascending', 'descending']) {
        const sorted = () => page.evaluate(`document.querySelector('#mode-table th[data-key="${key}"]').getAttribute('aria-sort')`);
        for (let k = 0; k < 2 && await sorted() !== direction; k++) await page.click(`#mode-table th[data-key="${key}"] button`);
        expect(await sorted() === direction, `${key} does not sort ${direction}`);
        const values = (await page.evaluate(`[...document.querySelectorAll('#mode-table td.${key}')].map((c) => c.title || c.textContent)`))
          .map(Number).filter((v) => !Number.isNaN(v));
        const sign = direction === 'ascending' ? 1 : -1;
        expect(values.every((v, k) => k === 0 || sign * (v - values[k - 1]) >= 0), `${key} ${direction}: ${values.slice(0, 8)}`);
      }
    }
    expect((await shownRows(page)).length === count, 'rows were lost');
  });
  await check('a point of the complex plane picks its row', async () => {
    // One that no other covers.
    const point = await page.evaluate(`(() => {
      document.getElementById('plane').scrollIntoView({ block: 'center' });
      const places = [...document.querySelectorAll('.point')].map((p) => {
        const { x, y, width, height } = p.getBoundingClientRect();
        return { mode: p.dataset.mode, x: x + width / 2, y: y + height / 2 };
      });
      const room = (p) => Math.min(...places.filter((q) => q.mode !== p.mode).map((q) => Math.hypot(p.x - q.x, p.y - q.y)));
      return places.filter((p) => p.mode !== '').sort((a, b) => room(b) - room(a))[0];
    })()`);
    await page.clickAt(point.x, point.y);
    expect(await chosen(page) === point.mode, `row ${await chosen(page)} instead of ${point.mode}`);
    const rings = await page.evaluate('document.querySelectorAll(".plane-box .chosen").length');
    const real = data.modes.filter((mode) => mode.eigenvalue[1] >= 0)[point.mode - 1].eigenvalue[1] === 0;
    expect(rings === (real ? 1 : 2), `${rings} points are marked`);
    expect(await page.evaluate('!document.getElementById("tooltip").hidden'), 'no values are shown beside the pointer');
  });
  await check('the table downloads as CSV', async () => {
    await page.evaluate(`{ window.saved = []; const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => { window.saved.push(blob); return make.call(URL, blob); };
      HTMLAnchorElement.prototype.click = function () {}; }`);
    await page.click('#csv');
    const text = await page.evaluate('window.saved[0].text()');
    expect(text.split('\n').length === data.modes.length + 2, `${text.split('\n').length} lines`);
    expect(text === csv, `it is not what routh modes --csv prints: ${text.slice(0, 200)}`);
  });
}

async function checkLooks(page) {
  await check('light and dark change by the button', async () => {
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    const before = await theme();
    await page.evaluate('scrollTo(0, 0)');
    const bright = { [before]: brightness(await page.screenshot()) };
    await page.click('#theme');
    await settle(page);
    const after = await theme();
    bright[after] = brightness(await page.screenshot());
    expect(before !== after, `it stays ${before}`);
    expect(bright.light > 180 && bright.dark < 70, `brightness ${JSON.stringify(bright)}`);
    await page.evaluate('localStorage.clear()');
  });
  await check('the tab key reaches the controls in order, with a visible focus', async () => {
    await page.evaluate('document.activeElement.blur(); getSelection().removeAllRanges(); document.body.tabIndex = -1; document.body.focus()');
    const seen = [];
    for (let k = 0; k < 30 && !seen.includes('csv'); k++) {
      await page.key('Tab');
      seen.push(await page.evaluate('document.activeElement.id || document.activeElement.dataset.side || document.activeElement.className'));
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle !== "none"'), `${seen.at(-1)} shows no focus`);
    }
    const wanted = ['theme', 'canvas', 'play', 'amplitude', 'speed', 'csv'];
    const order = wanted.map((id) => seen.indexOf(id));
    expect(order.every((at, k) => at >= 0 && (k === 0 || at > order[k - 1])), `the order is ${seen.join(', ')}`);
  });
  await check('every control has a name', async () => {
    const nameless = await page.evaluate(`[...document.querySelectorAll('button, input, canvas, [role="region"]')]
      .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.[0]?.textContent.trim())).map((e) => e.outerHTML.slice(0, 80))`);
    expect(nameless.length === 0, nameless.join(' '));
  });
}

async function checkTouch(browser, url) {
  const page = await browser.open(url, { width: 390, height: 844, scale: 2, mobile: true });
  await ready(page);
  await check('fits a telephone without scrolling sideways', async () => {
    const [content, window] = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
    expect(content <= window && window === 390, `${content} pixels wide in a window of ${window}`);
  });
  await check('touch: one finger turns the model, two zoom it', async () => {
    await page.evaluate('document.getElementById("show-labels").checked && document.getElementById("show-labels").click()');
    if (await playing(page)) {
      const { x, y } = await page.middle('#play');
      await page.tap([x, y], 'document.getElementById("play").getAttribute("aria-pressed") === "false"', 'the touch of the button to pause');
    }
    const { x, y } = await page.middle('#canvas');
    const first = await canvasPicture(page);
    await page.touch([[[x, y]], [[x + 30, y]], [[x + 90, y + 10]]]);
    const turned = await changes(page, first, 'one finger does nothing');
    await page.touch([[[x - 30, y], [x + 30, y]], [[x - 60, y], [x + 60, y]], [[x - 110, y], [x + 110, y]]]);
    await changes(page, turned, 'two fingers do nothing');
  });
  await check('touch: a tap on a row picks its mode', async () => {
    const last = (await shownRows(page)).at(-1);
    const { x, y } = await page.middle(`#mode-table tr[data-row="${last}"] td.name`);
    await page.tap([x, y], `document.querySelector('${selectedRow}')?.dataset.row === "${last}"`, 'the row to be chosen');
  });
  return page;
}

/** Of a page whose last mode is mostly a controller's, and whose last but one moves nothing. */
async function checkControllers(page) {
  const names = await page.evaluate('[...document.querySelectorAll("#mode-table td.name")].map((c) => c.textContent)');
  await check('states of controllers are counted', async () => {
    expect((await text(page, 'facts')).includes('States of controllers2'), await text(page, 'facts'));
  });
  await check('modes of controllers are marked', async () => {
    expect(names.at(-1).includes('(controller)'), names.at(-1));
    expect(names.at(-2) === 'controller alone', names.at(-2));
    expect(names.slice(0, -2).every((name) => !name.includes('controller')), JSON.stringify(names));
    await page.click(`#mode-table tr[data-row="${names.length}"] td.name`);
    expect((await text(page, 'details')).includes('In states of controllers97.5 %'), await text(page, 'details'));
  });
  await check('signals are listed with their rates, rounding as zero', async () => {
    const shown = await text(page, 'operating');
    expect(shown.includes('pid.integralstateV s2.0000\u22123.0000'), shown);
    expect(shown.includes('angleoutputrad0'), shown);
  });
}

/** The page with other data, beside the given one. */
function variant(page, folder, name, change) {
  const data = JSON.parse(dataElement.exec(page)[1]);
  change(data);
  const json = JSON.stringify(data).replace(/</g, '\\u003c');
  const path = join(folder, name);
  writeFileSync(path, page.replace(dataElement, () => `<script type="application/json" id="routh-data">${json}</script>`));
  return pathToFileURL(path).href;
}

async function checkHostile(page) {
  await check('names that look like markup are shown as text', async () => {
    expect(await text(page, 'title') === hostile, `the title reads "${await text(page, 'title')}"`);
    const names = await page.evaluate('[...document.querySelectorAll("#mode-table td.name")].map((c) => c.textContent)');
    expect(names.some((name) => name.includes(hostile)), `the modes are called ${JSON.stringify(names)}`);
    expect(await text(page, 'description') === hostile, 'the description differs');
    const made = await page.evaluate('[document.images.length, document.scripts.length, document.querySelectorAll("[onerror]").length]');
    expect(JSON.stringify(made) === '[1,2,0]', `images, scripts, handlers: ${made}`);
  });
  await check('even a script that got into the page would not run', async () => {
    await page.evaluate(`{ const s = document.createElement('script'); s.textContent = 'window.ran = true'; document.body.append(s);
      const i = document.createElement('div'); i.setAttribute('onclick', 'window.ran = true'); document.body.append(i); i.click(); }`);
    expect(await page.evaluate('window.ran === undefined'), 'it ran');
    // The browser rightly says that it refused; nothing else may have gone wrong.
    page.errors = page.errors.filter((e) => !/Content Security Policy/.test(e));
  });
}

async function checkUnstable(page) {
  await check('an unstable mode is opened first and marked in words and colour', async () => {
    const state = await page.evaluate(`document.querySelector('${selectedRow}').dataset.state`);
    expect(state === 'unstable', `the mode opened with is ${state}`);
    expect((await text(page, 'verdict')).includes('1 mode grows'), await text(page, 'verdict'));
    expect((await page.evaluate(`document.querySelector('${selectedRow} td.state').textContent`)).includes('unstable'), 'the row does not say so');
  });
  await check('the wishes of the system are followed: dark, no motion', async () => {
    expect(await page.evaluate('document.documentElement.dataset.theme') === 'dark', 'it is light');
    expect(!await playing(page), 'it moves');
  });
}

/** A page with a mode that grows, controllers, and names that look like markup, in the dark. */
async function checkOdd(browser, url, controlled) {
  const page = await browser.open(url, { media: [{ name: 'prefers-color-scheme', value: 'dark' }, ...still] });
  await ready(page);
  await checkUnstable(page);
  if (controlled) await checkControllers(page);
  await checkHostile(page);
  return page;
}

/** The nodes of flexible bodies, in the picture alone: everything else is switched off. */
async function checkFlexible(browser, url, data) {
  const page = await browser.open(url, { media: still });
  await ready(page);
  const shape = (mode) => data.flexible === undefined || mode.flexible?.some((f) => f.strain && bytesOf(f.strain).includes(255)) === true;
  const row = 1 + data.modes.filter((mode) => mode.eigenvalue[1] >= 0).findIndex((mode) => mode.eigenvalue[1] > 0 && shape(mode));
  await page.click(`#mode-table tr[data-row="${row}"] td.name`);
  for (const id of ['show-labels', 'show-rest', 'show-paths', 'show-grid', 'show-solids']) {
    await page.evaluate(`{ const box = document.getElementById('${id}'); if (box.checked) box.click(); }`);
  }
  const phase = (degrees) => page.evaluate(`{ const s = document.getElementById('phase'); s.value = ${degrees};
    s.dispatchEvent(new Event('input')); }`);
  await phase(0);
  await settle(page);
  const first = await canvasPicture(page);
  if (data.flexible) await check('flexible: every mode that moves has numbers for all nodes', () => {
    for (const mode of data.modes.filter((m) => m.motion)) {
      mode.flexible.forEach((f, k) => {
        const { nodes, triangles } = data.flexible[k];
        expect(bytesOf(f.re).length === 2 * nodes.length * (triangles.length > 0 ? 3 : 6), f.re.slice(0, 60));
        expect(f.strain === undefined || bytesOf(f.strain).length === nodes.length, f.strain?.slice(0, 60));
      });
    }
  });
  await check('flexible: the nodes move', async () => {
    await phase(180);
    await changes(page, first, 'the picture stays as it is');
    await phase(0);
    await comesBack(page, first, 'a whole cycle does not lead back');
  });
  await check('flexible: strain energy is coloured, with a legend, and can be switched off', async () => {
    expect(await page.evaluate('!document.getElementById("strain-legend").hidden'), 'there is no legend');
    await page.click('#show-strain');
    await page.until('document.getElementById("strain-legend").hidden', 'the legend to go');
    await changes(page, first, 'the colours stay');
    await page.click('#show-strain');
    await comesBack(page, first, 'the colours do not come back');
  });
  return page;
}

async function clean(name, page, allowed) {
  await check(`${name}: no error is logged`, () => expect(page.errors.length === 0, page.errors.join(' | ')));
  await check(`${name}: nothing but the file itself is asked for`, () => {
    const other = page.requests.filter((url) => url !== allowed && !/^(data|blob):/.test(url));
    expect(other.length === 0 && page.requests.includes(allowed), other.join(' '));
  });
  await page.close();
}

function makeUnstable(data) {
  const shown = data.modes.filter((mode) => mode.eigenvalue[1] >= 0);
  const mode = shown.find((m) => !m.rigid) ?? shown[0];
  mode.rigid = false;
  mode.eigenvalue[0] = 0.3;
  mode.damping_ratio = -0.1;
}

function makeControlled(data) {
  const shown = data.modes.filter((mode) => mode.eigenvalue[1] >= 0);
  const [still, last] = shown.slice(-2);
  data.degrees_of_freedom.control = 2;
  data.operating_point.signals = [
    { name: 'pid.integral', kind: 'state', unit: 'V s', value: 2, rate: -3, placed: false },
    { name: 'angle', kind: 'output', unit: 'rad', value: -3e-34 },
  ];
  for (const mode of data.modes) mode.control = 0;
  last.control = 0.975;
  still.control = 1;
  still.shares = { kinetic: [], strain: [], dissipation: [] };
  still.motion = data.markers.map(() => Array(12).fill(0));
}

function makeHostile(data) {
  const named = data.share_names ?? data.modes.flatMap((m) => m.shares?.kinetic ?? []).map((s) => s.name);
  const old = named[0].replace(/^body /, '');
  data.title = data.description = data.file = data.program = hostile;
  for (const body of data.bodies) if (body.name === old) body.name = hostile;
  for (const marker of data.markers) {
    if (marker.name === old) marker.name = hostile;
    if (marker.body === old) marker.body = hostile;
  }
  for (const mode of data.modes) if (mode.shares) mode.shares.kinetic = [{ name: `body ${hostile}`, fraction: 1 }];
  data.warnings = [hostile];
  data.parameters = [{ name: hostile, value: 1 }];
}

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

/** The viewer's own form with the sample's data in it. */
function samplePage(folder) {
  const form = join(source, 'viewer/dist/report.html');
  if (!existsSync(form)) skip('viewer/dist/report.html is not built (./dev build, with npm)');
  const data = readFileSync(join(source, 'viewer/sample/rotor-stator.json'), 'utf8').replace(/</g, '\\u003c');
  const page = join(folder, 'sample.html');
  writeFileSync(page, readFileSync(form, 'utf8').replace('<!--ROUTH-DATA-->',
    () => `<script type="application/json" id="routh-data">${data}</script>`));
  return page;
}

/** What the program writes of an example. */
function programPage(folder, name, ...more) {
  const page = join(folder, `${name}.html`);
  const run = spawnSync(process.env.ROUTH, ['report', join(source, `examples/${name}.yaml`), ...more, '--output', page], { encoding: 'utf8' });
  report(`routh report writes a page of ${name}`, run.status === 0 && existsSync(page) ? undefined
    : `${run.error?.message ?? `it ended with ${run.status ?? run.signal}`} ${run.stderr ?? ''}`.trim());
  return existsSync(page) ? [page] : [];
}

/** What `routh modes --csv` prints of the example that the program wrote the page of. */
function printedCsv(page) {
  const model = join(source, `examples/${basename(page, '.html')}.yaml`);
  if (!existsSync(process.env.ROUTH ?? '') || !existsSync(model)) return undefined;
  return spawnSync(process.env.ROUTH, ['modes', '--csv', model], { encoding: 'utf8' }).stdout;
}

/** Loads that are beams: bent and coloured as flexible bodies are. */
async function testElements(browser, folder) {
  if (!existsSync(process.env.ROUTH ?? '')) return;
  for (const file of programPage(folder, 'helicopter-blade')) {
    console.log(`# ${basename(file)}`);
    const url = pathToFileURL(resolve(file)).href;
    const data = JSON.parse(dataElement.exec(readFileSync(file, 'utf8'))[1]);
    await clean('with beams between bodies', await checkFlexible(browser, url, data), url);
  }
}

function pagesToTest(folder) {
  if (process.argv.length > 2) return process.argv.slice(2);
  const pages = [samplePage(folder)];
  if (existsSync(process.env.ROUTH ?? '')) pages.push(...examples.flatMap((name) => programPage(folder, name)));
  return pages;
}

async function testPage(browser, file, folder) {
  console.log(`# ${basename(file)}`);
  const html = readFileSync(file, 'utf8');
  const found = dataElement.exec(html);
  if (found === null) throw new Error(`${file} holds no data element; is it written by routh report?`);
  const data = JSON.parse(found[1]);
  const url = pathToFileURL(resolve(file)).href;
  const page = await browser.open(url, { media: [{ name: 'prefers-color-scheme', value: 'light' }] });
  await ready(page);
  await checkContents(page, data);
  await checkMotion(page, data);
  await checkTable(page, data, printedCsv(file) ?? data.modes_csv);
  await checkLooks(page);
  await clean('the page', page, url);
  if (data.flexible) await clean('with flexible bodies', await checkFlexible(browser, url, data), url);
  await clean('on a telephone', await checkTouch(browser, url), url);
  const controlled = data.modes.filter((mode) => mode.eigenvalue[1] >= 0).length > 1;
  const odd = variant(html, folder, 'odd.html', (changed) => {
    makeHostile(changed);
    if (controlled) makeControlled(changed);
    makeUnstable(changed);
  });
  await clean('with what is odd', await checkOdd(browser, odd, controlled), odd);
}

/** The map of what parameters do to modes: sorted, with values and colours, gone through by keys. */
async function testEffects(browser, folder) {
  const [file] = programPage(folder, 'quarter-car-active', '--sensitivity');
  if (file === undefined) return;
  const data = JSON.parse(dataElement.exec(readFileSync(file, 'utf8'))[1]).sensitivity;
  const url = pathToFileURL(resolve(file)).href;
  const page = await browser.open(url, { media: still });
  await ready(page);
  const heads = () => page.evaluate('[...document.querySelectorAll(".effects tbody th")].map((h) => h.textContent)');
  const largest = (name, of) => Math.max(...data.modes.map((m) => Math.abs(m.by.find((b) => b.parameter === name)[of])));
  const sorted = (of, only) => data.modes[0].by.map((b) => b.parameter).sort((a, b) => (only ?? largest)(b, of) - (only ?? largest)(a, of));
  const same = (a, b) => expect(JSON.stringify(a) === JSON.stringify(b), `${a} are not ${b}`);
  await check('the map is seen', async () => { expect(await page.evaluate('document.querySelector(".effects").offsetHeight') > 100, 'it has no height'); });
  await check('parameters are sorted by their largest effect', async () => { same(await heads(), sorted('frequency_effect')); });
  await check('the strongest cell has the full colour, and words with its value', async () => {
    const at = await page.evaluate(`(() => { const cells = [...document.querySelectorAll('.effects td')];
      const alpha = (c) => Number(/([\\d.]+)\\)$/.exec(c.style.background)?.[1] ?? 0);
      const best = cells.reduce((a, b) => (alpha(b) > alpha(a) ? b : a)); best.focus();
      return { alpha: alpha(best), tip: document.getElementById('tooltip').textContent, hidden: document.getElementById('tooltip').hidden }; })()`);
    const most = Math.max(...data.modes[0].by.map((b) => largest(b.parameter, 'frequency_effect')));
    expect(Math.abs(at.alpha - 0.85) < 1e-6, `its opacity is ${at.alpha}`);
    expect(!at.hidden && at.tip.includes(most.toPrecision(4).slice(0, 4)), `the words are "${at.tip}"`);
  });
  await check('a head of a column sorts by its mode, and the other effect can be chosen', async () => {
    await page.evaluate('document.querySelectorAll(".effects thead button")[2].click()');
    same(await heads(), sorted('frequency_effect', (name, of) => Math.abs(data.modes[2].by.find((b) => b.parameter === name)[of])));
    await page.evaluate('document.querySelectorAll(".effects thead button")[2].click()');
    await page.evaluate(`(() => { const s = document.querySelector('#sensitivity select'); s.value = 'damping_effect'; s.dispatchEvent(new Event('change')); })()`);
    same(await heads(), sorted('damping_effect'));
  });
  await check('arrow keys go through the cells and Enter chooses the mode', async () => {
    const press = (key) => page.evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }))`);
    await page.evaluate('document.querySelector(\'.effects td[tabindex="0"]\').focus()');
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'Enter']) await press(key);
    expect(await page.evaluate('document.activeElement.cellIndex') === 3, 'the focus is not in the third mode');
    expect(await chosen(page) === String(data.modes[2].number), `the mode chosen is ${await chosen(page)}`);
    expect(await page.evaluate('document.activeElement.classList.contains("chosen")'), 'its column is not marked');
  });
  await clean('the map of effects', page, url);
}

async function main() {
  if (spawnSync(browserProgram, ['--version'], { stdio: 'ignore' }).status !== 0) skip(`there is no ${browserProgram}`);
  const folder = mkdtempSync(join(tmpdir(), 'routh-report-'));
  process.on('exit', () => { rmSync(folder, { recursive: true, force: true, maxRetries: 3 }); });
  const pages = pagesToTest(folder);
  const browser = new Browser(browserProgram);
  try {
    for (const page of pages) await testPage(browser, page, folder);
    if (process.argv.length === 2 && existsSync(process.env.ROUTH ?? '')) await testEffects(browser, folder);
    if (process.argv.length <= 2) await testElements(browser, folder);
  } finally {
    await browser.close();
  }
}

await main().catch((error) => { report('the test runs to its end', error.message); });
console.log(`${checks - failures} passed, ${failures} failed`);
process.exitCode = failures > 0 ? 1 : 0;
