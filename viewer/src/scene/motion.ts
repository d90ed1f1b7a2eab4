/* Rigid motion of every body in a mode at one phase. */
import type { Mode } from '../data';
import type { Model } from '../model';

/** How the envelope of the motion runs. */
export interface Phase {
  /** Factors of the real and of the imaginary part of the mode. */
  re: number;
  im: number;
}

/**
 * Body b's motion at 12 numbers from 12 b: rows [R | t] of x -> R x + t, acting on points as they stand at the
 * operating point. With the mode's displacement d and rotation th of the body's source marker at p, R = exp(th~),
 * t = p + d - R p.
 */
export class BodyMotion {
  readonly matrices: Float64Array;
  private readonly shape: Float64Array;
  private scale = 0;

  constructor(private readonly model: Model) {
    this.matrices = new Float64Array(12 * model.bodies.length);
    this.shape = new Float64Array(12 * model.bodies.length);
    this.rest();
  }

  /** Take a mode; its scale is such that at amplitude 1 the largest displacement is a tenth of the model. */
  setMode(mode: Mode | undefined): void {
    this.shape.fill(0);
    let most = 0;
    let turn = 0;
    this.model.bodies.forEach((body, b) => {
      const motion = mode?.motion?.[body.source];
      if (motion === undefined) return;
      for (let k = 0; k < 12; k++) {
        const value = motion[k] ?? 0;
        this.shape[12 * b + k] = Number.isFinite(value) ? value : 0;
      }
      const s = this.shape.subarray(12 * b, 12 * b + 12);
      const size = (i: number): number =>
        Math.hypot(s[i]!, s[i + 1]!, s[i + 2]!, s[i + 6]!, s[i + 7]!, s[i + 8]!);
      turn = Math.max(turn, size(3));
      if (!body.ground) most = Math.max(most, size(0) + size(3) * Math.max(body.radius, this.model.unit));
    });
    const byShift = most > 0 ? 0.1 * this.model.size / most : Infinity;
    const byTurn = turn > 0 ? 0.6 / turn : Infinity;
    const scale = Math.min(byShift, byTurn);
    this.scale = Number.isFinite(scale) ? scale : 0;
  }

  /** True where the mode moves something that is drawn. */
  get moves(): boolean {
    return this.scale > 0;
  }

  /** Peak displacement of body b's centre relative to the largest drawn one, for the hover text. */
  displacement(b: number): { shift: number; turn: number } {
    const s = this.shape.subarray(12 * b, 12 * b + 12);
    const size = (i: number): number => Math.hypot(s[i]!, s[i + 1]!, s[i + 2]!, s[i + 6]!, s[i + 7]!, s[i + 8]!);
    return { shift: size(0), turn: size(3) };
  }

  rest(): void {
    this.matrices.fill(0);
    for (let b = 0; b < this.model.bodies.length; b++) {
      this.matrices[12 * b] = this.matrices[12 * b + 5] = this.matrices[12 * b + 10] = 1;
    }
  }

  /** Point on the linear path of body b's centre at phase angle t. */
  pathPoint(b: number, amplitude: number, t: number, out: Float32Array, at: number): void {
    const c = amplitude * this.scale * Math.cos(t);
    const s = -amplitude * this.scale * Math.sin(t);
    const center = this.model.bodies[b]!.center;
    for (let k = 0; k < 3; k++) {
      out[at + k] = center[k]! + c * this.shape[12 * b + k]! + s * this.shape[12 * b + 6 + k]!;
    }
  }

  evaluate(amplitude: number, phase: Phase): void {
    const c = amplitude * this.scale * phase.re;
    const s = amplitude * this.scale * phase.im;
    const { shape, matrices, model } = this;
    for (let b = 0; b < model.bodies.length; b++) {
      const o = 12 * b;
      const p = model.bodies[b]!.center;
      const x = c * shape[o + 3]! + s * shape[o + 9]!;
      const y = c * shape[o + 4]! + s * shape[o + 10]!;
      const z = c * shape[o + 5]! + s * shape[o + 11]!;
      // R = I + sin(a)/a th~ + (1 - cos a)/a^2 th~ th~
      const a = Math.hypot(x, y, z);
      const f = a > 1e-9 ? Math.sin(a) / a : 1;
      const g = a > 1e-9 ? (1 - Math.cos(a)) / (a * a) : 0.5;
      matrices[o] = 1 - g * (y * y + z * z);
      matrices[o + 1] = g * x * y - f * z;
      matrices[o + 2] = g * x * z + f * y;
      matrices[o + 4] = g * x * y + f * z;
      matrices[o + 5] = 1 - g * (x * x + z * z);
      matrices[o + 6] = g * y * z - f * x;
      matrices[o + 8] = g * x * z - f * y;
      matrices[o + 9] = g * y * z + f * x;
      matrices[o + 10] = 1 - g * (x * x + y * y);
      for (let k = 0; k < 3; k++) {
        const r = o + 4 * k;
        matrices[r + 3] = p[k]! + c * shape[o + k]! + s * shape[o + 6 + k]!
          - matrices[r]! * p[0] - matrices[r + 1]! * p[1] - matrices[r + 2]! * p[2];
      }
    }
  }

  /** Where the point x of body b is now. */
  point(b: number, x: readonly number[], out: number[]): void {
    const m = this.matrices;
    const o = 12 * b;
    for (let k = 0; k < 3; k++) {
      const r = o + 4 * k;
      out[k] = m[r]! * x[0]! + m[r + 1]! * x[1]! + m[r + 2]! * x[2]! + m[r + 3]!;
    }
  }

  /** How the direction x of body b is turned now. */
  turn(b: number, x: readonly number[], out: number[]): void {
    const m = this.matrices;
    const o = 12 * b;
    for (let k = 0; k < 3; k++) {
      const r = o + 4 * k;
      out[k] = m[r]! * x[0]! + m[r + 1]! * x[1]! + m[r + 2]! * x[2]!;
    }
  }
}
