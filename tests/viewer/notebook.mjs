// A notebook exported to HTML, opened by Playwright in Chromium:  node notebook.mjs FILE.html
// Prints as JSON what is seen of the page of the report in it. Nothing is got from a network: what the export itself asks for
// there (MathJax and the like) is answered by nothing. Exits 77 without playwright-core or a browser ($CHROMIUM, else chromium).
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { difference } from './png.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const limit = 300000; // for a browser that does not answer at all; everything below waits for what is to come

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}

async function playwright() {
  const file = join(here, '../../viewer/node_modules/playwright-core/index.js');
  return import(pathToFileURL(file).href).then((module) => module.default)
    .catch(() => skip('playwright-core is not installed (npm --prefix viewer install)'));
}

/** Asked from here each time: the policy of the page forbids it the evaluation of text. */
async function until(body, what) {
  for (const end = Date.now() + limit; Date.now() < end; await new Promise((done) => setTimeout(done, 50))) {
    const value = await body();
    if (value) return value;
  }
  throw new Error(`waited in vain for ${what}`);
}

async function look(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(limit);
  const errors = [];
  const outside = [];
  const own = new Set([url]); // what the export itself asks for: its scripts miss the libraries that are not got
  page.on('request', (request) => {
    if (request.frame() === page.mainFrame()) own.add(request.url());
    else if (!/^(data|blob|about):/.test(request.url())) outside.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !own.has(message.location().url)) errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => { if (![...own].some((name) => String(error.stack).includes(name))) errors.push(error.message); });
  await page.route(/^https?:/, (route) => route.fulfill({ status: 200, body: '' }));
  await page.goto(url);
  const handle = await page.waitForSelector('iframe[srcdoc]');
  await handle.scrollIntoViewIfNeeded();
  const frame = await until(() => handle.contentFrame(), 'the frame');
  await until(() => frame.evaluate(() => (document.getElementById('caption-name')?.textContent ?? '') !== ''), 'the name of a mode');
  const canvas = await frame.waitForSelector('#canvas');
  const caption = await frame.evaluate(() => document.getElementById('caption-name').textContent);
  // Another phase is another picture; where nothing were drawn, both would be the same.
  const before = await canvas.screenshot();
  await frame.locator('#phase').fill('180');
  const moved = await until(async () => difference(before, await canvas.screenshot()), 'the picture to change with the phase');
  const rows = await frame.locator('#mode-table tbody tr').count();
  return { caption, rows, moved, errors, outside };
}

const found = await playwright();
const chromium = spawnSync('sh', ['-c', `command -v "${process.env.CHROMIUM ?? 'chromium'}"`], { encoding: 'utf8' }).stdout.trim();
if (chromium === '') skip('there is no chromium');
const browser = await found.chromium.launch({ executablePath: chromium, headless: true, chromiumSandbox: false,
  args: ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'] });
try {
  console.log(JSON.stringify(await look(browser, pathToFileURL(resolve(process.argv[2])).href)));
} finally {
  await browser.close();
}
