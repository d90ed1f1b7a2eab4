/* Numbers as an engineer reads them. */

const minus = '\u2212';

/** `digits` significant digits, a true minus sign, powers of ten where the number is very large or small. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '\u2013';
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return value > 0 ? '\u221e' : `${minus}\u221e`;
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4
    ? size.toExponential(digits - 1).replace(/e([+-])(\d+)$/, (_, sign: string, power: string) =>
      `\u202f\u00b7\u202f10${superscript(sign === '-' ? `-${power}` : power)}`)
    : size.toPrecision(digits).replace(/e.*$/, '');
  const plain = size >= 10 ** digits && size < 1e6 ? String(Math.round(size)) : text;
  return value < 0 ? minus + plain : plain;
}

function superscript(digits: string): string {
  const raised = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079';
  return Array.from(digits, (c) => (c === '-' ? '\u207b' : raised.charAt(Number(c)))).join('');
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

/** Seconds, with a unit that suits. */
export function duration(seconds: number): string {
  if (seconds < 1e-3) return `${number(seconds * 1e6, 3)} \u00b5s`;
  if (seconds < 1) return `${number(seconds * 1e3, 3)} ms`;
  if (seconds < 600) return `${number(seconds, 3)} s`;
  if (seconds < 36000) return `${number(seconds / 60, 3)} min`;
  if (seconds < 864000) return `${number(seconds / 3600, 3)} h`;
  return `${number(seconds / 86400, 3)} d`;
}
