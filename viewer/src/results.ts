/* The numbers of results, and the columns of tables that show them; written by tools/renew.py from the tables by which the
 * library writes results. */

/** A column of numbers: a member of a row, or a part of a complex one. */
export interface Column<Row> {
  member: keyof Row;
  /** 0: real, 1: imaginary part. */
  part?: 0 | 1;
  title: string;
  unit: string;
  help: string;
  /** Significant digits. */
  digits: number;
  /** Shown as per cent. */
  percent?: true;
}

export interface MultiplierValues {
  /** Floquet multiplier, `[re, im]` with im >= 0 */
  multiplier: [number, number];
  /** true: the conjugate is a multiplier too */
  pair: boolean;
  /** true: the multiplier 1 of a shift along the motion */
  trivial: boolean;
  /** of the multiplier */
  modulus: number;
  /** change of the multiplier with half the steps */
  error: number;
  /** condition number of the multiplier as an eigenvalue, 1 or more */
  condition: number | null;
  /** `[re, im]` with im >= 0, in 1/s and rad/s, with the harmonic; null where the multiplier is no larger than its error [1/s] */
  exponent: [number | null, number | null];
  /** imaginary part before the harmonic is added [rad/s] */
  principal: number | null;
  /** number of the largest harmonic of the shape */
  harmonic: number;
  /** fraction of that harmonic */
  share: number;
  /** of the exponent [Hz] */
  damped_frequency_hz: number | null;
  /** of the exponent [Hz] */
  undamped_frequency_hz: number | null;
  /** of the exponent */
  damping_ratio: number | null;
}

export interface ModeValues {
  /** eigenvalue s, `[re, im]` in 1/s and rad/s [1/s] */
  eigenvalue: [number, number];
  /** undamped natural frequency, |s| / 2 pi [Hz] */
  undamped_frequency_hz: number;
  /** damped natural frequency, |Im s| / 2 pi [Hz] */
  damped_frequency_hz: number;
  /** damping ratio, -Re s / |s|; 0 for a zero eigenvalue */
  damping_ratio: number;
  /** a zero eigenvalue: rigid-body or neutral motion */
  rigid: boolean;
  /** with controllers: fraction of their states in the mode, 0 to 1 */
  control?: number;
  /** how many eigenvalues agree with this one within their error bounds, itself included */
  multiplicity: number;
  /** how many eigenvalues, itself included, rounding could make of one defective eigenvalue, such as that of critical damping; 0 where it is none of such */
  defective: number;
  /** index in `modes` of the complex conjugate, its own for a real eigenvalue */
  conjugate: number;
  /** with `--blades`: n of the largest part exp(i n psi_k) of blade k; 0 collective, 1 and -1 cyclic */
  blade_order?: number;
  /** with `--blades`: fraction of the orders n and -n in the motion of the blades */
  blade_share?: number | null;
  /** with `--blades`: 1 where the wave of the blades goes around with the rotation, -1 against it, 0 where it stands */
  whirl?: number | null;
  /** with `--blades`: frequency of that part as the blades see it [Hz] */
  rotating_frequency_hz?: number | null;
  /** condition number of the eigenvalue, 1 or more; `null` with `--wanted` */
  condition: number | null;
  /** estimate of the absolute error of the eigenvalue from rounding; with `--method penalty` also the bound of the method's error [1/s] */
  error_bound: number | null;
  /** with `--wanted`: how well the pair solves the equations, relative to their largest terms */
  residual?: number;
}

export const modeColumns: Column<ModeValues>[] = [
  { member: 'damped_frequency_hz', title: 'Frequency', unit: 'Hz', help: 'Damped frequency', digits: 5 },
  { member: 'damping_ratio', title: 'Damping', unit: '%', help: 'Damping ratio', digits: 3, percent: true },
  { member: 'undamped_frequency_hz', title: 'Undamped', unit: 'Hz', help: 'Undamped frequency', digits: 5 },
  { member: 'eigenvalue', part: 0, title: 'Real part', unit: '1/s', help: 'Real part of the eigenvalue', digits: 4 },
  { member: 'eigenvalue', part: 1, title: 'Imag. part', unit: 'rad/s', help: 'Imaginary part of the eigenvalue', digits: 5 },
];
