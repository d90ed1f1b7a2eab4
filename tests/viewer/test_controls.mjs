// Every control of the page of `routh report`, by Playwright in Chromium; Firefox opens it too where it is installed.
// Prints one line a check; exits 1 if one fails, 77 (skipped) without playwright-core (npm --prefix viewer install), a
// browser ($CHROMIUM, else chromium) or the program $ROUTH with a page in it.
// Pictures of parts are compared with tests/viewer/pictures; ROUTH_PICTURES=write writes them anew.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { coarse, decode, encode } from './png.mjs';
import { comparison, floquet } from './sections.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const source = process.env.ROUTH_SOURCE ?? resolve(here, '../..');
const program = process.env.ROUTH ?? '';
const which = (name) => spawnSync('sh', ['-c', `command -v "${name}"`], { encoding: 'utf8' }).stdout.trim();
const chromiumProgram = which(process.env.CHROMIUM ?? 'chromium');

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

const waiting = 60000; // ms: for what comes at once where nothing else runs

let failures = 0;
let checks = 0;

async function check(name, body) {
  checks++;
  try {
    await body();
    console.log(`ok ${checks} ${name}`);
  } catch (error) {
    failures++;
    console.log(`not ok ${checks} ${name}: ${String(error.message).split('\n').slice(0, 4).join(' | ')}`);
  }
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

function makePage(folder, name, ...options) {
  const page = join(folder, `${name}.html`);
  const run = spawnSync(program, ['report', join(source, `examples/${name}.yaml`), ...options, '-q', '--output', page], { encoding: 'utf8' });
  if (/was not built into/.test(run.stderr)) skip(run.stderr);
  expect(run.status === 0, `routh report ends with ${run.status}: ${run.stderr}`);
  return pathToFileURL(page).href;
}

const launch = ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'];

/** A page that notes every error and every address asked for. */
async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', colorScheme: 'light', acceptDownloads: true, ...options });
  const page = await context.newPage();
  const notes = { errors: [], requests: [] };
  page.on('console', (message) => { if (message.type() === 'error') notes.errors.push(message.text()); });
  page.on('pageerror', (error) => notes.errors.push(error.message));
  page.on('request', (request) => notes.requests.push(request.url()));
  page.setDefaultTimeout(waiting);
  await page.goto(url);
  await until(page, () => document.getElementById('caption-name').textContent !== '');
  return { page, notes, context };
}

async function clean(name, { notes, context }, url) {
  await check(`${name}: no error, and nothing but the file itself is asked for`, () => {
    expect(notes.errors.length === 0, notes.errors.join(' | '));
    const other = notes.requests.filter((r) => r !== url && !/^(data|blob):/.test(r));
    expect(other.length === 0, other.join(' '));
  });
  await context.close();
}

const chosen = (page) => page.locator('#mode-table tr[aria-selected="true"]').getAttribute('data-row');

/** Waits until the page says yes. Asked from here each time: the page's own policy forbids it the evaluation of text, by which
 *  page.waitForFunction asks again. */
async function until(page, body, argument) {
  for (const end = Date.now() + waiting; Date.now() < end; await new Promise((done) => setTimeout(done, 20))) {
    if (await page.evaluate(body, argument)) return;
  }
  throw new Error(`${body} does not come true`);
}

/** Waits until a part of the page does not look as before: a busy machine draws late. */
async function looksOther(page, part, before, message) {
  for (const end = Date.now() + waiting / 4; before.equals(await part.screenshot());) {
    expect(Date.now() < end, message);
    await settle(page);
  }
}

/** Waits until what is asked for here comes true. */
async function becomes(body, message) {
  for (const end = Date.now() + waiting / 4; !await body(); await new Promise((done) => setTimeout(done, 20))) {
    expect(Date.now() < end, message);
  }
}

const settle = (page) => page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 40))))');

async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(selector).first().click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/* ---- pictures ------------------------------------------------------------------------------ */

// Means of squares of 8 pixels: letters drawn by another version of the fonts change how a square is covered by some tenth, 25
// of 255 levels and for bold ones twice that; what is missing, moved by a line or in another colour changes it by more all over
// its place. The least that must be seen is one line of the table of checks, a sixtieth of its squares: half of that may differ.
const sameLevels = 48;
const mayDiffer = 0.008;

async function compare(page, name, selector) {
  const part = page.locator(selector).first();
  const picture = async () => coarse(await part.screenshot({ animations: 'disabled' }));
  await part.scrollIntoViewIfNeeded();
  const file = join(here, 'pictures', `${name}.png`);
  let now = await picture();
  if (process.env.ROUTH_PICTURES === 'write') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, encode(now));
  }
  const then = decode(readFileSync(file));
  let { share, sizes } = difference(now, then);
  for (let k = 0; k < 20 && share > mayDiffer; k++) { // drawn late
    await settle(page);
    now = await picture();
    ({ share, sizes } = difference(now, then));
  }
  expect(share <= mayDiffer, `${sizes}, ${(100 * share).toFixed(1)} % of the squares differ`);
}

/** Share of the squares that differ; all where sizes do. */
function difference(now, then) {
  const sizes = `${now.width} x ${now.height} beside ${then.width} x ${then.height} squares`;
  if (Math.abs(now.width - then.width) > 1 || Math.abs(now.height - then.height) > 2) return { share: 1, sizes };
  const [width, height] = [Math.min(now.width, then.width), Math.min(now.height, then.height)];
  let differ = 0;
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      if ([0, 1, 2].some((c) => Math.abs(now.pixels[3 * (j * now.width + i) + c] - then.pixels[3 * (j * then.width + i) + c]) > sameLevels)) differ++;
    }
  }
  return { share: differ / (width * height), sizes };
}

/** The measure sees what it should: another part, another theme, and one line of a table that is gone. */
async function measureSees(page) {
  const table = coarse(await page.locator('#check .answers').screenshot());
  await page.evaluate('document.querySelector("#check .answers tbody tr").style.visibility = "hidden"');
  const without = difference(coarse(await page.locator('#check .answers').screenshot()), table).share;
  await page.evaluate('document.querySelector("#check .answers tbody tr").style.visibility = ""');
  const dark = difference(table, decode(readFileSync(join(here, 'pictures/checks-dark.png')))).share;
  expect(without > mayDiffer && dark > 0.5, `a line that is missing changes ${without}, the other theme ${dark}`);
}

async function pictures(browser, url) {
  for (const theme of ['light', 'dark']) {
    const opened = await open(browser, url, { colorScheme: theme });
    const { page } = opened;
    for (const [name, selector] of [['details', '.card.details'], ['modes', '#modes'], ['response', '#response .chart'], ['checks', '#check .answers']]) {
      await check(`${theme}: ${name} look as they did`, () => compare(page, `${name}-${theme}`, selector));
    }
    if (theme === 'light') await check('the measure of pictures sees a line that is missing', () => measureSees(page));
    await clean(theme, opened, url);
  }
}

/* ---- controls ------------------------------------------------------------------------------ */

async function player(page) {
  await check('previous, next, play and the sliders do what they say', async () => {
    const first = await chosen(page);
    await page.click('#next');
    expect(await chosen(page) !== first, 'next stays');
    await page.click('#previous');
    expect(await chosen(page) === first, 'previous does not lead back');
    await page.click('#play');
    expect(await page.locator('#play').getAttribute('aria-pressed') === 'true', 'it does not play');
    await page.click('#play');
    await page.locator('#phase').fill('90');
    await until(page, () => document.getElementById('phase-value').textContent.startsWith('90'));
    for (const [id, key] of [['amplitude', 'ArrowRight'], ['speed', 'ArrowLeft'], ['phase', 'ArrowRight']]) {
      const before = await page.locator(`#${id}-value`).textContent();
      await page.locator(`#${id}`).focus();
      for (let k = 0; k < 5; k++) await page.keyboard.press(key);
      await until(page, ([of, text]) => document.getElementById(`${of}-value`).textContent !== text, [id, before])
        .catch(() => { throw new Error(`${id} does not move by keys`); });
    }
  });
  await check('every switch and every view changes the picture, and comes back', async () => {
    const canvas = page.locator('#stage');
    for (const id of ['show-solids', 'show-labels', 'show-rest', 'show-paths', 'show-grid']) {
      await settle(page);
      const before = await canvas.screenshot();
      await page.locator(`#${id}`).click();
      await looksOther(page, canvas, before, `${id} changes nothing`);
      await page.locator(`#${id}`).click();
    }
    for (const side of ['x', 'y', 'z', 'best']) {
      const before = await canvas.screenshot();
      await page.locator(`[data-side="${side}"]`).click();
      await looksOther(page, canvas, before, `the view ${side} changes nothing`);
    }
    await page.locator('#envelope').click();
    expect(await page.locator('#envelope').isChecked(), 'growth and decay is not taken');
  });
  await check('the picture and the modes are saved', async () => {
    const picture = await saved(page, '#picture');
    expect(picture.bytes.subarray(1, 4).toString() === 'PNG', `${picture.name} is no picture`);
    const csv = (await saved(page, '#csv')).bytes.toString();
    expect(csv === await page.evaluate(() => JSON.parse(document.getElementById('routh-data').textContent).modes_csv), csv.slice(0, 200));
  });
}

async function tables(page) {
  await check('heads sort, rows choose, arrows go on', async () => {
    const order = () => page.locator('#mode-table tbody tr').evaluateAll((rows) => rows.map((r) => r.dataset.row).join());
    const before = await order();
    await page.locator('#mode-table th[data-key] button').nth(3).click();
    await page.locator('#mode-table th[data-key] button').nth(3).click();
    expect(await order() !== before, 'the order stays');
    await page.locator('#mode-table th[data-key] button').first().click();
    expect(await order() === before, 'the order does not come back');
    await page.locator('#mode-table tbody tr').last().click();
    const last = await chosen(page);
    expect((await page.locator('#details-title').textContent()).startsWith(`Mode ${last}:`), 'the panel shows another mode');
    await page.keyboard.press('ArrowUp');
    expect(await chosen(page) !== last, 'the arrow does not move');
  });
  await check('a point of the plane chooses its mode; its switch and its button work', async () => {
    await page.locator('#mode-table tbody tr').first().click();
    const row = await page.evaluate(`(() => { const p = [...document.querySelectorAll('#plane svg [data-row], #plane svg .point')]; return p.length; })()`);
    expect(row > 0, 'there are no points');
    await page.locator('#plane-log').click();
    await page.locator('#plane-log').click();
    await page.locator('#plane svg').first().focus();
    await page.keyboard.press('+');
    await page.click('#plane-fit');
  });
}

const ticks = (chart) => chart.locator('svg[role="application"] text').allTextContents();

async function charts(page) {
  const first = page.locator('#response .chart').first();
  const plot = first.locator('svg[role="application"]');
  await check('a chart zooms by drag, wheel and keys, and shows all again', async () => {
    await plot.scrollIntoViewIfNeeded();
    const all = (await ticks(first)).join();
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 160, { steps: 4 });
    await page.mouse.up();
    await becomes(async () => (await ticks(first)).join() !== all, 'the drag does not zoom');
    await first.getByRole('button', { name: 'Show all' }).click();
    await becomes(async () => (await ticks(first)).join() === all, 'not all is shown again');
    await plot.focus();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 100);
    await page.mouse.wheel(0, -240);
    await until(page, (text) => [...document.querySelector('#response .chart svg[role="application"]').querySelectorAll('text')].map((t) => t.textContent).join() !== text, all);
    await page.keyboard.press('0');
    await becomes(async () => (await ticks(first)).join() === all, '0 does not show all');
    await page.keyboard.press('+');
    await becomes(async () => (await ticks(first)).join() !== all, '+ does not zoom');
    await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 100);
    await becomes(async () => (await ticks(first)).join() === all, 'a double click does not show all');
  });
  await check('a chart tells values under the pointer and by keys, and Escape leaves it', async () => {
    await plot.focus();
    await page.keyboard.press('PageDown');
    const words = await page.locator('#tooltip').textContent();
    expect(/frequency, Hz: /.test(words), `it says "${words}"`);
    expect(await first.locator('[aria-live]').textContent() === words, 'a screen reader is not told');
    await page.keyboard.press('Escape');
    expect(await page.locator('#tooltip').isHidden(), 'the words stay');
    expect(await page.evaluate('document.activeElement === document.body'), 'the chart stays in focus');
  });
  await check('every chart saves what it shows', async () => {
    const n = await page.locator('.chart').count();
    expect(n >= 7, `there are ${n} charts`);
    for (let k = 0; k < n; k++) {
      const chart = page.locator('.chart').nth(k);
      const [download] = await Promise.all([page.waitForEvent('download'), chart.getByRole('button', { name: 'CSV' }).click()]);
      const lines = readFileSync(await download.path(), 'utf8').trim().split('\r\n');
      expect(download.suggestedFilename().endsWith('.csv') && lines.length > 2, `${download.suggestedFilename()} has ${lines.length} lines`);
    }
  });
  await check('a point of the root locus chooses its mode everywhere', async () => {
    const chart = page.locator('#sweep .chart').last();
    const plot = chart.locator('svg[role="application"]');
    await plot.focus();
    const before = await chosen(page);
    let after = before;
    for (let k = 0; k < 40 && after === before; k++) {
      await page.keyboard.press('PageDown');
      await page.keyboard.press('Enter');
      after = await chosen(page);
    }
    expect(after !== before, 'no branch chooses another mode');
    expect((await page.locator('#caption-name').textContent()).startsWith(`Mode ${after}:`), 'the animated model shows another mode');
    expect(await page.locator('#sweep .chart circle.chosen').count() >= 3, 'the diagrams do not mark it');
  });
}

async function reading(page) {
  await check('every control has a name, every chart and every table too', async () => {
    const without = await page.evaluate(() => {
      const named = (e) => (e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent ?? '').trim() !== '' || e.hasAttribute('aria-labelledby');
      return [...document.querySelectorAll('button, input, select, svg[role], canvas, table[role], section, [role="region"]')]
        .filter((e) => !named(e)).map((e) => e.outerHTML.slice(0, 80));
    });
    expect(without.length === 0, without.join(' '));
    const parts = await page.evaluate(`[...document.querySelectorAll('.card')].filter((c) => !c.hidden && !c.hasAttribute('aria-label') && !c.hasAttribute('aria-labelledby')).length`);
    expect(parts === 0, `${parts} cards have no name`);
  });
  await check('Tab goes through the page in its order, from the link past the picture on', async () => {
    await page.reload();
    await until(page, () => document.getElementById('caption-name').textContent !== '');
    const seen = [];
    for (let k = 0; k < 24; k++) {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate(`document.activeElement.id || document.activeElement.className || document.activeElement.tagName`));
    }
    const places = ['skip', 'theme', 'canvas', 'play', 'amplitude', 'phase', 'picture'].map((id) => seen.findIndex((s) => String(s).includes(id)));
    expect(places.every((at, k) => at >= 0 && (k === 0 || at > places[k - 1])), seen.join(' '));
  });
  await check('the switch changes between light and dark, and the page remembers', async () => {
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    const back = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const [before, ground] = [await theme(), await back()];
    await page.click('#theme');
    expect(await theme() !== before && await back() !== ground, 'nothing changes');
    await page.reload();
    await until(page, () => document.getElementById('caption-name').textContent !== '');
    expect(await theme() !== before, 'it is forgotten');
    await page.click('#theme');
  });
}

async function paper(page) {
  await check('on paper: no controls, a still picture, tables and charts within the page', async () => {
    await page.evaluate('window.dispatchEvent(new Event("beforeprint"))');
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 1000 });
    await settle(page);
    const seen = await page.evaluate(() => {
      const shown = (e) => e.getClientRects().length > 0;
      const picture = document.getElementById('print-picture');
      return {
        controls: [...document.querySelectorAll('input, #canvas, .player, .views, .buttons, #csv, #theme')].filter(shown).map((e) => e.id || e.className),
        picture: shown(picture) && picture.naturalWidth > 100,
        cut: [...document.querySelectorAll('.scroll')].filter((e) => shown(e) && e.scrollWidth > e.clientWidth + 1).map((e) => e.getAttribute('aria-label') ?? e.id),
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      };
    });
    expect(seen.controls.length === 0, `controls: ${seen.controls.join(' ')}`);
    expect(seen.picture, 'there is no picture');
    expect(seen.cut.length === 0 && seen.wide <= 0, `cut: ${seen.cut.join(', ')}; ${seen.wide}`);
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString() === '%PDF-', 'it is no PDF');
    const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
    expect(pages >= 4 && pages <= 14, `${pages} pages`);
  });
}

async function telephone(browser, url) {
  const opened = await open(browser, url, { viewport: { width: 420, height: 850 }, colorScheme: 'dark' });
  await check('at 420 pixels nothing is wider than the page', async () => {
    expect(await opened.page.evaluate('document.documentElement.scrollWidth') <= 420, 'the page scrolls sideways');
  });
  await clean('at 420 pixels', opened, url);
}

async function withoutWebGl(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
  await context.addInitScript(() => {
    const context = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function getContext(kind, ...rest) {
      return /webgl/.test(kind) ? null : context.call(this, kind, ...rest);
    };
  });
  const page = await context.newPage();
  page.setDefaultTimeout(waiting);
  await page.goto(url);
  await check('without WebGL the page says so, and only what acts on the picture is switched off', async () => {
    await until(page, () => !document.getElementById('no-view').hidden);
    const within = (selector) => page.locator(selector).evaluateAll((all) => all.filter((c) => !c.disabled).map((c) => c.id || c.textContent));
    const left = await within('.player input, .player button, .views button');
    expect(left.join() === 'previous,next', `${left} may still be used`);
    expect((await within('#modes button, #plane-log, #plane-fit')).length > 3, 'the table and the plane are switched off');
    expect(!await page.locator('#canvas').isVisible() && !await page.locator('#space-hint').isVisible(), 'the picture is still offered');
    const first = await chosen(page);
    await page.click('#next');
    expect(await chosen(page) !== first, 'next stays');
    await page.locator('#mode-table').press('ArrowUp');
    expect(await chosen(page) === first, 'the arrow does not lead back');
  });
  await context.close();
}

/* ---- joints that stay closed, by the numbers of the page ------------------------------------- */

/** The six numbers of every moved marker at amplitude 1 and a phase, with the path's terms or without. */
function movedBy(data, path, phase, withTerms) {
  const [c, s] = [Math.cos(phase), -Math.sin(phase)];
  const { motion } = data.modes[path.mode];
  const bytes = (text) => Buffer.from(text ?? '', 'base64');
  const [re, im] = [bytes(motion.re), bytes(motion.im)];
  const out = new Map(data.moved.map((marker, k) => [marker, Array.from({ length: 6 }, (_, i) => {
    const at = 2 * (6 * k + i);
    return path.amplitude * motion.unit[i < 3 ? 0 : 1] * (c * re.readInt16LE(at) + (im.length > 0 ? s * im.readInt16LE(at) : 0));
  })]));
  const terms = bytes(path.data);
  for (let t = 0, at = 0; withTerms && t < path.terms.length; t += 4) {
    const [i, j, mask, size] = path.terms.slice(t, t + 4);
    for (let k = 0; k < 6; k++) {
      if ((mask >> k & 1) === 0) continue;
      for (const marker of data.paths.markers) {
        const value = size === 1 ? terms.readInt8(at) : terms.readInt16LE(at);
        out.get(marker)[k] += value * path.unit[k < 3 ? 0 : 1] * c ** i * s ** j / data.paths.largest ** (i + j);
        at += size;
      }
    }
  }
  return out;
}

/** How far apart the markers of joints come within a cycle, at the most: x -> p + d + exp(th) (x - p). */
function parted(data, withTerms) {
  const place = new Map(data.markers.map((m, k) => [m.name, k]));
  let most = 0;
  for (const path of data.paths.list) {
    for (let step = 0; step < 24; step++) {
      const moved = movedBy(data, path, 2 * Math.PI * step / 24, withTerms);
      const point = (name) => {
        const marker = data.markers[place.get(name)];
        const six = moved.get(place.get(marker.body));
        if (six === undefined) return marker.position;
        const p = data.markers[place.get(marker.body)].position;
        const x = marker.position.map((v, k) => v - p[k]);
        const th = six.slice(3);
        const a = Math.hypot(...th);
        const cross = (u, v) => [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        const first = cross(th, x);
        const second = cross(th, first);
        const [f, g] = a > 1e-9 ? [Math.sin(a) / a, (1 - Math.cos(a)) / a ** 2] : [1, 0.5];
        return x.map((v, k) => p[k] + six[k] + v + f * first[k] + g * second[k]);
      };
      for (const { kind, markers } of data.connections) {
        if (kind !== 'joint' || markers.some((m) => !place.has(m))) continue;
        const [u, v] = markers.map(point);
        most = Math.max(most, Math.hypot(...u.map((value, k) => value - v[k])));
      }
    }
  }
  return most;
}

async function closedJoints(browser, url) {
  const opened = await open(browser, url);
  const { page } = opened;
  await check('the pins of a linkage stay closed by the numbers of the page, and it moves', async () => {
    const data = await page.evaluate('JSON.parse(document.getElementById("routh-data").textContent)');
    expect(data.paths.list.length === 1 && data.paths.straight.length === 0, JSON.stringify(data.paths).slice(0, 100));
    // The grain is 1/32767 of the largest motion, and the opening of straight motion some hundredth of it: 300 and better.
    const [straight, closed] = [parted(data, false), parted(data, true)];
    console.log(`# pins part by ${straight.toExponential(2)} m straight on, and by ${closed.toExponential(2)} m along the path`);
    expect(straight > 1e-3 && closed < straight / 300, `pins part by ${closed} m along the path, ${straight} m straight on`);
    const canvas = page.locator('#canvas');
    await settle(page);
    const before = await canvas.screenshot();
    await page.locator('#phase').fill('180');
    await looksOther(page, canvas, before, 'it stays');
  });
  await clean('a linkage', opened, url);
}

async function firefox(folder, url) {
  const name = ['firefox-esr', 'firefox'].find((f) => which(f) !== '');
  if (name === undefined) {
    console.log('# Firefox is not installed: not opened there');
    return;
  }
  await check(`${name} opens the page from disk`, () => {
    const out = join(folder, 'firefox.png');
    const profile = mkdtempSync(join(folder, 'firefox-'));
    spawnSync(name, ['--headless', '--no-remote', '--profile', profile, '--window-size', '1280,900', '--screenshot', out, url], { timeout: 120000, stdio: 'ignore', env: { ...process.env, HOME: profile } });
    expect(existsSync(out), 'it made no picture');
    const { width, pixels } = coarse(readFileSync(out));
    const levels = new Set(Array.from({ length: pixels.length / 3 }, (_, k) => pixels[3 * k]));
    expect(width === 160 && levels.size > 40, `${width} squares with ${levels.size} levels: the page is blank`);
  });
}

async function main() {
  let playwright;
  try {
    playwright = (await import(pathToFileURL(join(source, 'viewer/node_modules/playwright-core/index.js')).href)).default;
  } catch {
    skip('playwright-core is not installed (npm --prefix viewer install)');
  }
  if (chromiumProgram === '') skip('there is no chromium');
  if (!existsSync(program)) skip('there is no program to write pages');
  const folder = mkdtempSync(join(tmpdir(), 'routh-controls-'));
  process.on('exit', () => {
    try { // Firefox may still write its profile
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    } catch (error) {
      console.log(`# ${error.message}`);
    }
  });
  const url = makePage(folder, 'quarter-car-active', '--response', '--sensitivity', '--verify', '--duration', '5', '--check', '--sweep', 'c=300:1500:7');
  const linkage = makePage(folder, 'four-bar');
  const rotor = makePage(folder, 'three-bladed-rotor', '--floquet', '--period-of', 'rate');
  const suspension = makePage(folder, 'mcpherson', '--versus', 'spring=40e3', '--versus', 'damper=1000');
  const tools = { check, expect, open, clean, becomes, compare, chosen, ticks, text: async (download) => readFileSync(await download.path(), 'utf8') };
  const browser = await playwright.chromium.launch({ executablePath: chromiumProgram, headless: true, args: launch, chromiumSandbox: false });
  try {
    const opened = await open(browser, url);
    for (const part of [player, tables, charts, reading, paper]) await part(opened.page);
    await clean('all controls', opened, url);
    await pictures(browser, url);
    await telephone(browser, url);
    await withoutWebGl(browser, url);
    await closedJoints(browser, linkage);
    await floquet(tools, browser, rotor);
    await comparison(tools, browser, suspension);
  } finally {
    await browser.close();
  }
  await firefox(folder, linkage);
}

await main().catch((error) => { failures++; console.log(`not ok the test runs to its end: ${error.message}`); });
console.log(`${checks - failures} passed, ${failures} failed`);
process.exit(failures > 0 ? 1 : 0);
