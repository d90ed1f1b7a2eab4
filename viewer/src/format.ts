/* Numbers as an engineer reads them. */

const minus = '\u2212';

/** A number, not zero, as digits and a power of ten: 0 where the digits are all. */
export interface Form {
  digits: string;
  power: number;
}

/** `digits` significant digits of a positive number and its power of ten, a half to the even digit as printf has it. */
function rounded(size: number, digits: number): { figures: string; power: number } {
  const split = (text: string): { figures: string; power: number } => {
    const [figures, power] = text.replace('.', '').split('e');
    return { figures: figures!, power: Number(power) };
  };
  const all = split(size.toExponential(100));
  const tie = /^50*$/.test(all.figures.slice(digits));
  return tie && Number(all.figures[digits - 1]) % 2 === 0
    ? { figures: all.figures.slice(0, digits), power: all.power } : split(size.toExponential(digits - 1));
}

/** The rule of the program's charts too (src/base/number_form.h): what the number is after rounding decides. From 1e-4 up
 * to below 1e6 there is no power, and no digit before the point is left out. */
export function form(value: number, digits: number): Form {
  const sign = value < 0 ? minus : '';
  const size = Math.abs(value);
  let { figures, power } = rounded(size, digits);
  if (power < -4 || power >= 6) {
    return { digits: sign + (digits > 1 ? `${figures[0]}.${figures.slice(1)}` : figures), power };
  }
  if (power + 1 > digits) ({ figures, power } = rounded(size, Number(size.toExponential().split('e')[1]) + 1));
  if (power + 1 >= figures.length) return { digits: sign + figures.padEnd(power + 1, '0'), power: 0 };
  return {
    digits: sign + (power < 0 ? `0.${'0'.repeat(-power - 1)}${figures}` : `${figures.slice(0, power + 1)}.${figures.slice(power + 1)}`),
    power: 0,
  };
}

const raised = (power: number): string => `10${superscript(String(power))}`;

/** `digits` significant digits, a true minus sign, powers of ten where the number is very large or small. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '\u2013';
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return value > 0 ? '\u221e' : `${minus}\u221e`;
  const text = form(value, digits);
  return text.power === 0 ? text.digits : `${text.digits}\u202f\u00b7\u202f${raised(text.power)}`;
}

/** A value at an axis, whose neighbours are so far away (0: not known), without zeros at the end. */
export function tick(value: number, step = 0): string {
  if (value === 0) return '0';
  const digits = step > 0 ? Math.min(12, Math.max(3, Math.ceil(Math.log10(Math.abs(value) / step)) + 2)) : 4;
  const text = form(value, digits);
  const short = text.digits.includes('.') ? text.digits.replace(/\.?0+$/, '') : text.digits;
  if (text.power === 0) return short;
  if (short === '1' || short === `${minus}1`) return short.replace('1', raised(text.power));
  return `${short}\u00b7${raised(text.power)}`;
}

function superscript(digits: string): string {
  const small = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079';
  return Array.from(digits, (c) => (c === '-' ? '\u207b' : small.charAt(Number(c)))).join('');
}

/** A fraction as per cent. */
export function percent(fraction: number | null, digits = 3): string {
  return fraction === null ? '\u2013' : number(100 * fraction, digits);
}

/** A part of a whole as per cent, to a tenth. */
export function share(fraction: number): string {
  const value = 100 * fraction;
  if (Math.abs(value) < 0.05) return value < 0 ? `> ${minus}0.1` : '< 0.1';
  return value.toFixed(1).replace(/\.0$/, '').replace('-', minus);
}

/** A complex number a +/- b i. */
export function eigenvalue(re: number, im: number, digits = 6): string {
  if (im === 0) return number(re, digits);
  return `${number(re, digits)} \u00b1 ${number(Math.abs(im), digits)}\u202fi`;
}

/** Seconds, with a unit that suits what is shown: 0.9997 s are 1.00 s. */
export function duration(seconds: number): string {
  const shown = Number(seconds.toPrecision(3));
  const units: [number, number, string][] = [[1e-3, 1e6, '\u00b5s'], [1, 1e3, 'ms'], [600, 1, 's'], [36000, 1 / 60, 'min'],
    [864000, 1 / 3600, 'h'], [Infinity, 1 / 86400, 'd']];
  const [, factor, unit] = units.find(([end]) => shown < end) ?? units[5]!;
  return `${number(seconds * factor, 3)} ${unit}`;
}
