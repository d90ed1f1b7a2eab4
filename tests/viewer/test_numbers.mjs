// Numbers of the report's page as text, over more than 100 000 of them around every power of ten, against an exact
// rounding in whole numbers: what is shown is the number, to as many digits, and of the form that the rounded number asks
// for (src/base/number_form.h; tests/base/test_number_form.c has the program's). Exits 1 if any check fails, 77 (skipped)
// without the page's build tools.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const source = process.env.ROUTH_SOURCE ?? resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const viewer = join(source, 'viewer');
if (!existsSync(join(viewer, 'node_modules/esbuild'))) {
  console.log('skipped: viewer/node_modules has no esbuild');
  process.exit(77);
}
const esbuild = createRequire(join(viewer, 'package.json'))('esbuild');
const place = mkdtempSync(join(tmpdir(), 'routh-numbers-'));
const file = join(place, 'format.mjs');
esbuild.buildSync({ entryPoints: [join(viewer, 'src/format.ts')], outfile: file, format: 'esm', bundle: true });
const { duration, number, tick } = await import(pathToFileURL(file));
rmSync(place, { recursive: true });

let failures = 0;
let checks = 0;
function expect(condition, message) {
  checks++;
  if (condition) return;
  if (++failures <= 20) console.log(`not ok ${message}`);
}

/** A double as p / q in whole numbers. */
function fraction(x) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number(bits >> 52n & 0x7ffn);
  const mantissa = (bits & 0xfffffffffffffn) + (exponent ? 0x10000000000000n : 0n);
  const power = (exponent || 1) - 1075;
  return power >= 0 ? [mantissa << BigInt(power), 1n] : [mantissa, 1n << BigInt(-power)];
}

const ten = (k) => 10n ** BigInt(k);

/** The whole number nearest to p / q, half to even. */
function nearest(p, q) {
  const whole = p / q, twice = 2n * (p % q);
  return whole + (twice > q || (twice === q && whole % 2n === 1n) ? 1n : 0n);
}

/** x > 0 to so many digits: figures x 10^(power - digits + 1). */
function exact(x, digits) {
  const [p, q] = fraction(x);
  let power = Math.floor(Math.log10(x)) - 1; // raised until it is right
  while (p * ten(Math.max(0, -power - 1)) >= q * ten(Math.max(0, power + 1))) power++;
  const scale = digits - 1 - power;
  let figures = nearest(scale > 0 ? p * ten(scale) : p, scale < 0 ? q * ten(-scale) : q);
  if (figures === ten(digits)) {
    figures /= 10n;
    power++;
  }
  return { figures: figures.toString(), power };
}

/** What the rule says, spelled from the exact figures. */
function spelled(x, digits) {
  const sign = x < 0 ? '\u2212' : '';
  const size = Math.abs(x);
  const { figures, power } = exact(size, digits);
  if (power < -4 || power >= 6) {
    const raised = Array.from(String(power), (c) => (c === '-' ? '\u207b' : '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'[c])).join('');
    return `${sign}${figures[0]}${digits > 1 ? `.${figures.slice(1)}` : ''}\u202f\u00b7\u202f10${raised}`;
  }
  if (power + 1 > digits) return sign + nearest(...fraction(size)).toString();
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${figures}`;
  return sign + figures.slice(0, power + 1) + (digits > power + 1 ? `.${figures.slice(power + 1)}` : '');
}

/** Back from what is shown. */
function read(text) {
  const [digits, power] = text.replaceAll('\u2212', '-').split(/\u202f?\u00b7\u202f?/);
  const small = (t) => Number(Array.from(t.slice(2), (c) => (c === '\u207b' ? '-' : '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'.indexOf(c))).join(''));
  if (power !== undefined) return Number(`${digits}e${small(power)}`);
  return /^-?10[\u2070-\u207b\u00b9\u00b2\u00b3]/.test(digits) ? Number(`${digits.startsWith('-') ? -1 : 1}e${small(digits.replace('-', ''))}`) : Number(digits);
}

/** Around a power of ten: just below and above, by units of every digit shown, where rounding carries, and ties. */
function* around(power) {
  const at = Number(`1e${power}`);
  for (let digit = 1; digit <= 17; digit++) {
    for (const m of [1, 2, 3, 4, 4.99, 5, 5.01, 6, 7, 9.7]) {
      yield at * (1 - m * 10 ** -digit);
      yield at * (1 + m * 10 ** -digit);
    }
  }
  for (const text of ['9.995', '99.95', '0.9997', '9.9997', '9.99949', '9.99951', '9.9999995', '2.5', '1.0005', '1.00050001', '3.5']) yield Number(`${text}e${power}`);
  yield at;
}

let seen = 0;
for (let power = -320; power <= 308; power++) {
  for (const size of around(power)) {
    if (!(size > 0) || !Number.isFinite(size)) continue;
    for (const digits of power >= -8 && power <= 9 ? [1, 2, 3, 4, 6, 7, 12] : [4]) {
      for (const x of [size, -size]) {
        seen++;
        const [found, wanted] = [number(x, digits), spelled(x, digits)];
        expect(found === wanted, `${x} to ${digits} digits is ${found}, not ${wanted}`);
      }
    }
  }
}
console.log(`${seen} numbers`);
expect(seen > 100000, `only ${seen} numbers`);

// what stood on the page for them
for (const [x, wanted] of [[-9999.7, '\u221210000'], [99999.7, '100000'], [999.97, '1000'], [0.99997, '1.000'], [999999.7, '1.000\u202f\u00b7\u202f10\u2076'],
  [0.000099999, '0.0001000'], [123456, '123456'], [0, '0'], [NaN, '\u2013'], [-Infinity, '\u2212\u221e']]) {
  expect(number(x) === wanted, `${x} is ${number(x)}, not ${wanted}`);
}
for (const [x, wanted] of [[0.9997, '1.00 s'], [0.00099996, '1.00 ms'], [599.9, '10.0 min'], [35999, '10.0 h'], [863999, '10.0 d'], [0.5, '500 ms'], [2.5e-4, '250 \u00b5s'], [0.9994, '999 ms']]) {
  expect(duration(x) === wanted, `${x} s is ${duration(x)}, not ${wanted}`);
}

// a duration is what it says, within a half of its last digit
const second = { '\u00b5s': 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400 };
for (let power = -7; power <= 6; power++) {
  for (const x of around(power)) {
    if (!(x > 0)) continue;
    const [value, unit] = duration(x).split(' ');
    expect(Math.abs(read(value) * second[unit] / x - 1) <= 0.00501, `${x} s is shown as ${duration(x)}`);
  }
}

// ticks of an axis: each is read back, and neighbours are told from each other
for (let power = -300; power <= 300; power += power > -12 && power < 12 ? 1 : 12) {
  for (const m of [1, 2, 5, 9.9997, -9.9997, -1]) {
    const at = Number(`${m}e${power}`);
    expect(Math.abs(read(tick(at)) / at - 1) <= 5.001e-4, `${at} at an axis is ${tick(at)}`);
    for (const part of [1, 1e-2, 1e-5, 1e-8]) {
      const step = Math.abs(at) * part;
      const [a, b] = [tick(at, step), tick(at + step, step)];
      expect(a !== b && Math.abs(read(a) - at) < 0.1 * step, `${at} and its neighbour at ${step} are ${a} and ${b}`);
    }
  }
}

console.log(`${checks} checks, ${failures} failed`);
process.exit(failures ? 1 : 0);
