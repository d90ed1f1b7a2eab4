// The report's page knows the tree of parts: they are listed, can be hidden, and energies are summed by them. The page is
// written by the program $ROUTH. Exits 1 if any check fails, 77 (skipped) without a browser or the program.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser } from './chromium.mjs';

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

const place = mkdtempSync(join(tmpdir(), 'routh-parts-'));
const leaf = `connections: [root]
bodies: {m: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints: {j: {type: revolute, between: [m, root], at: [0, 0, 0], axis: z}}
loads: {s: {type: torsion_spring, between: [m, root], axis: z, stiffness: 90, damping: 0.3}}
`;
const branch = `connections: [root]
bodies: {arm: {mass: 2, inertia: [1, 1, 2], position: [1, 0, 0]}}
joints: {j: {type: revolute, between: [arm, root], at: [0, 0, 0], axis: z}}
loads: {s: {type: torsion_spring, between: [arm, root], axis: z, stiffness: 200, damping: 0.1}}
parts: {leaf: {file: leaf.yaml, at: [2, 0, 0], count: 2, step: [1, 0.5, 0], connect: {root: arm}}}
`;
const tree = `title: Tree
bodies: {trunk: {mass: 5, inertia: [1, 1, 2]}}
joints: {j: {type: revolute, between: [trunk, ground], at: [0, 0, 0], axis: z}}
loads: {s: {type: torsion_spring, between: [trunk, ground], axis: z, stiffness: 400, damping: 1}}
`;
const parts = `parts:
  one: {file: branch.yaml, connect: {root: trunk}}
  two: {file: branch.yaml, at: [0, 1, 0], mirror: y, connect: {root: trunk}}
`;

function write(name, text) {
  writeFileSync(join(place, `${name}.yaml`), text);
  const page = join(place, `${name}.html`);
  const done = spawnSync(program, ['report', join(place, `${name}.yaml`), '--output', page, '-q'], { encoding: 'utf8' });
  if (/was not built into/.test(done.stderr)) skip(done.stderr);
  expect(done.status === 0, `routh report ${name}: ${done.stderr}`);
  return page;
}

const dataOf = (page) => JSON.parse(/<script type="application\/json" id="routh-data">([\s\S]*?)<\/script>/.exec(readFileSync(page, 'utf8'))[1]);

async function open(browser, page) {
  const tab = await browser.open(pathToFileURL(page).href, { media: [{ name: 'prefers-reduced-motion', value: 'reduce' }] });
  await tab.until('document.querySelector("#mode-table tbody tr") && document.getElementById("caption-name").textContent !== ""', 'the model to be drawn');
  await settle(tab);
  return tab;
}

const settle = (tab) => tab.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true), 100))))');

/** Fractions of hundred thousandths by name. */
function fractions(data, mode, kind) {
  const list = mode.part_shares[kind];
  return Object.fromEntries(list.flatMap((p, i) => (i % 2 === 0 ? [[data.part_names[p], list[i + 1]]] : [])));
}

async function checkEnergies(browser, page, tab) {
  const data = dataOf(page);
  await check('the data has sums by part, of all depths', () => {
    equal([...data.part_names].sort(), ['one', 'one.leaf', 'one.leaf.1', 'one.leaf.2', 'two', 'two.leaf', 'two.leaf.1', 'two.leaf.2'], 'parts');
    for (const mode of data.modes.filter((m) => m.part_shares)) {
      for (const kind of ['kinetic', 'strain', 'dissipation']) {
        const found = fractions(data, mode, kind);
        const list = mode.shares[kind];
        for (const name of data.part_names) {
          const inside = list.filter((s, i) => i % 2 === 1 && data.share_names[list[i - 1]].split(' ')[1].startsWith(`${name}.`))
            .reduce((sum, x) => sum + x, 0);
          expect(Math.abs(inside - (found[name] ?? 0)) <= 15, `${kind} of ${name}: ${found[name]}, not ${inside}`);
        }
      }
    }
  });
  await check('energies are shown by part, as deep as is chosen', async () => {
    const bars = () => tab.evaluate('[...document.querySelectorAll("#details .shares > div:first-child .bar span:first-child")].map((e) => e.textContent).sort()');
    expect((await bars()).includes('one.arm'), `by element: ${await bars()}`);
    const choose = async (depth) => {
      await tab.evaluate(`(() => { const s = document.getElementById("share-depth"); s.value = "${depth}"; s.dispatchEvent(new Event("change")); })()`);
    };
    await choose(1);
    equal(await bars(), ['one', 'trunk', 'two'], 'one deep');
    await choose(2);
    equal(await bars(), ['one.arm', 'one.leaf', 'trunk', 'two.arm', 'two.leaf'], 'two deep');
    const sum = await tab.evaluate('[...document.querySelectorAll("#details .shares > div:first-child .bar")].reduce((s, e) => s + Number(e.title.split(": ")[1].split(" ")[0]), 0)');
    expect(Math.abs(sum - 100) < 0.05, `they sum to ${sum} %`);
    await choose(0);
  });
}

async function checkTree(tab) {
  const listed = () => tab.evaluate('[...document.querySelectorAll("#part-tree input")].map((e) => e.dataset.name)');
  const shown = () => tab.evaluate('[...document.querySelectorAll("#labels span")].filter((e) => !e.hidden).map((e) => e.textContent).sort()');
  const tick = async (name) => {
    await tab.evaluate(`document.querySelector('#part-tree input[data-name="${name}"]').click()`);
    await settle(tab);
  };
  await check('parts and bodies are listed as a tree', async () => {
    await tab.evaluate('document.getElementById("part-tree").open = true');
    equal(await listed(), ['one', 'two', 'trunk'], 'the outermost');
    for (const name of ['one', 'one.leaf', 'one.leaf.2']) {
      await tab.evaluate(`document.querySelector('[data-part="${name}"]').open = true`);
      await settle(tab);
    }
    equal(await listed(), ['one', 'one.leaf', 'one.leaf.1', 'one.leaf.2', 'one.leaf.2.m', 'one.arm', 'two', 'trunk'], 'opened');
  });
  await check('a part can be hidden and shown again', async () => {
    const all = ['one.arm', 'one.leaf.1.m', 'one.leaf.2.m', 'trunk', 'two.arm', 'two.leaf.1.m', 'two.leaf.2.m'];
    const picture = () => tab.evaluate('document.getElementById("canvas").toDataURL()');
    equal(await shown(), all, 'all bodies');
    await tick('two');
    equal(await shown(), all.slice(0, 4), 'without part two');
    await tick('one.leaf.2');
    equal(await shown(), ['one.arm', 'one.leaf.1.m', 'trunk'], 'without a leaf of part one');
    equal(await tab.evaluate(`document.querySelector('#part-tree input[data-name="one"]').indeterminate`), true, 'part one in part');
    await tick('two');
    await tick('one.leaf.2');
    equal(await shown(), all, 'all bodies again');
    expect((await picture()).length > 100, 'there is a picture');
  });
}

const browser = new Browser(browserProgram);
try {
  writeFileSync(join(place, 'leaf.yaml'), leaf);
  writeFileSync(join(place, 'branch.yaml'), branch);
  const page = write('tree', tree + parts);
  const tab = await open(browser, page);
  await checkEnergies(browser, page, tab);
  await checkTree(tab);
  await check('no error is logged', () => expect(tab.errors.length === 0, tab.errors.join(' | ')));
  await tab.close();
  const flat = write('flat', tree);
  await check('a model without parts has no list of them', async () => {
    expect(dataOf(flat).part_names === undefined, 'the data has parts');
    const plain = await open(browser, flat);
    equal(await plain.evaluate('document.getElementById("part-tree").hidden'), true, 'hidden');
    equal(await plain.evaluate('document.getElementById("share-depth")'), null, 'no choice');
  });
} catch (error) {
  failures++;
  console.log(`not ok: ${error.stack}`);
} finally {
  await browser.close();
  rmSync(place, { recursive: true, force: true });
}
console.log(`${checks} checks, ${failures} failed`);
process.exit(failures ? 1 : 0);
