/* Small vectors and matrices; 3 x 3 row-major. */
import type { Matrix3, Vector } from './data';

export const sub = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const scale = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a: Vector): number => Math.hypot(a[0], a[1], a[2]);
export const cross = (a: Vector, b: Vector): Vector =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export const identity: Matrix3 = [1, 0, 0, 0, 1, 0, 0, 0, 1];

export function multiply(a: Matrix3, b: Matrix3): Matrix3 {
  const c: Matrix3 = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      for (let k = 0; k < 3; k++) c[3 * i + j]! += a[3 * i + k]! * b[3 * k + j]!;
    }
  }
  return c;
}

export const column = (m: Matrix3, j: 0 | 1 | 2): Vector => [m[j], m[(j + 3) as 3], m[(j + 6) as 6]];

export const fromColumns = (a: Vector, b: Vector, c: Vector): Matrix3 =>
  [a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]];

export const transform = (m: Matrix3, v: Vector): Vector => [
  m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
  m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
  m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
];

/** A right-handed triad whose third column is along `axis` (z if it is zero). */
export function triad(axis: Vector): Matrix3 {
  const length = norm(axis);
  const z: Vector = length > 0 ? scale(axis, 1 / length) : [0, 0, 1];
  const helper: Vector = Math.abs(z[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0];
  const x = cross(helper, z);
  const unit = scale(x, 1 / norm(x));
  return fromColumns(unit, cross(z, unit), z);
}

/** Eigenvalues and eigenvectors (columns, right-handed) of a symmetric matrix, by Jacobi rotations. */
export function symmetricEigen(matrix: Matrix3): { values: Vector; vectors: Matrix3 } {
  let a: Matrix3 = [...matrix];
  let v: Matrix3 = [...identity];
  for (let sweep = 0; sweep < 30; sweep++) {
    const off = Math.abs(a[1]) + Math.abs(a[2]) + Math.abs(a[5]);
    if (off <= 1e-15 * (Math.abs(a[0]) + Math.abs(a[4]) + Math.abs(a[8]))) break;
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) {
      const apq = a[3 * p + q]!;
      if (apq === 0) continue;
      const tau = (a[4 * q]! - a[4 * p]!) / (2 * apq);
      const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau));
      const c = 1 / Math.sqrt(1 + t * t);
      const s = t * c;
      const r: Matrix3 = [...identity];
      const rt: Matrix3 = [...identity];
      r[4 * p] = c; r[4 * q] = c; r[3 * p + q] = s; r[3 * q + p] = -s;
      rt[4 * p] = c; rt[4 * q] = c; rt[3 * p + q] = -s; rt[3 * q + p] = s;
      a = multiply(multiply(rt, a), r);
      v = multiply(v, r);
    }
  }
  if (dot(cross(column(v, 0), column(v, 1)), column(v, 2)) < 0) {
    v[2] = -v[2]; v[5] = -v[5]; v[8] = -v[8];
  }
  return { values: [a[0], a[4], a[8]], vectors: v };
}

/** Angle (rad) and axis of a rotation matrix. */
export function axisAngle(r: Matrix3): { angle: number; axis: Vector } {
  const w: Vector = [r[7] - r[5], r[2] - r[6], r[3] - r[1]];
  const sine = norm(w) / 2;
  const cosine = (r[0] + r[4] + r[8] - 1) / 2;
  const angle = Math.atan2(sine, cosine);
  if (sine > 1e-6) return { angle, axis: scale(w, 1 / (2 * sine)) };
  if (cosine > 0) return { angle: 0, axis: [0, 0, 1] };
  // Half a turn: (R + I) / 2 = n n'; its longest column gives n.
  const columns = ([0, 1, 2] as const).map((j) =>
    add(column(r, j), [j === 0 ? 1 : 0, j === 1 ? 1 : 0, j === 2 ? 1 : 0]));
  const longest = columns.reduce((a, b) => (norm(b) > norm(a) ? b : a));
  return { angle: Math.PI, axis: scale(longest, 1 / norm(longest)) };
}

export interface Ellipse {
  /** Half axes of the path of re cos(t) - im sin(t), and the normal of its plane (area-directed). */
  major: number;
  minor: number;
  direction: Vector;
  normal: Vector;
}

export function ellipse(re: Vector, im: Vector): Ellipse {
  const a = re[0] ** 2 + re[1] ** 2 + re[2] ** 2;
  const b = im[0] ** 2 + im[1] ** 2 + im[2] ** 2;
  const c = re[0] * im[0] + re[1] * im[1] + re[2] * im[2];
  const mean = (a + b) / 2;
  const radius = Math.hypot((a - b) / 2, c);
  const t = 0.5 * Math.atan2(-2 * c, a - b);
  const at = (s: number): Vector => [0, 1, 2].map((k) => re[k]! * Math.cos(s) - im[k]! * Math.sin(s)) as Vector;
  const normal: Vector = [im[1] * re[2] - im[2] * re[1], im[2] * re[0] - im[0] * re[2], im[0] * re[1] - im[1] * re[0]];
  return { major: Math.sqrt(Math.max(mean + radius, 0)), minor: Math.sqrt(Math.max(mean - radius, 0)),
    direction: at(t), normal };
}
