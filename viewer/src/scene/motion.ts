/* Rigid motion of every body in a mode at one phase. */
import type { FlexibleMotion, Mode, ModePath, Vector } from '../data';
import type { DrawnFlexible, Model } from '../model';
import { unpackNumbers } from '../packed';
import { ellipse } from '../vector';

/** The longest of re cos t - im sin t, of three numbers each: a circle's radius, not the root of the sum of its squares. */
function longest(re: Float64Array, i: number, im: Float64Array, j: number): number {
  return ellipse([re[i]!, re[i + 1]!, re[i + 2]!], [im[j]!, im[j + 1]!, im[j + 2]!]).major;
}

/** How the envelope of the motion runs. */
export interface Phase {
  /** Factors of the real and of the imaginary part of the mode. */
  re: number;
  im: number;
}

/** The nodes of a flexible body at one phase: bent in its frame as the mode says, and carried along by the frame. */
export class FlexibleShape {
  readonly nodes: Float64Array;
  /** Small angles, before the frame turns. */
  readonly turns: Float64Array;
  private re: Float64Array;
  private im: Float64Array;

  constructor(private readonly flexible: DrawnFlexible) {
    this.nodes = Float64Array.from(flexible.nodes);
    this.turns = new Float64Array(flexible.nodes.length);
    this.re = new Float64Array(2 * flexible.nodes.length);
    this.im = new Float64Array(2 * flexible.nodes.length);
  }

  /** Returns the largest displacement. */
  setMode(mode: FlexibleMotion | undefined): number {
    this.re = this.read(mode?.re, mode);
    this.im = this.read(mode?.im, mode);
    let most = 0;
    for (let i = 0; i < this.nodes.length; i += 3) {
      most = Math.max(most, longest(this.re, i, this.im, i));
    }
    return most;
  }

  /**
   * Factors of the real and of the imaginary part; `frame` what the mode makes of the body's frame with them, displacement
   * and rotation, which the nodes' own motion holds too, and `carry` where the frame takes a point of the body.
   */
  evaluate(c: number, s: number, frame: Float64Array, center: Vector, carry: (x: Vector, out: number[]) => void): void {
    const n = this.nodes.length;
    const rest = this.flexible.nodes;
    const point: Vector = [0, 0, 0];
    const out = [0, 0, 0];
    const [dx, dy, dz, tx, ty, tz] = frame as unknown as [number, number, number, number, number, number];
    for (let i = 0; i < n; i += 3) {
      const [x, y, z] = [rest[i]! - center[0], rest[i + 1]! - center[1], rest[i + 2]! - center[2]];
      const rigid: Vector = [dx + ty * z - tz * y, dy + tz * x - tx * z, dz + tx * y - ty * x];
      for (let k = 0; k < 3; k++) {
        point[k] = rest[i + k]! + c * this.re[i + k]! + s * this.im[i + k]! - rigid[k]!;
        this.turns[i + k] = c * this.re[n + i + k]! + s * this.im[n + i + k]! - frame[3 + k]!;
      }
      carry(point, out);
      this.nodes.set(out, i);
    }
  }

  /** Displacements in m, then turns in rad. */
  private read(text: string | undefined, mode: FlexibleMotion | undefined): Float64Array {
    const n = this.nodes.length;
    const out = new Float64Array(2 * n);
    if (text === undefined || mode === undefined) return out;
    unpackNumbers(text).forEach((x, i) => { if (i < 2 * n) out[i] = x * mode.unit[i < n ? 0 : 1]; });
    return out;
  }
}

/**
 * The motion of mover b (Model.movers; the bodies come first) at 12 numbers from 12 b: rows [R | t] of x -> R x + t, acting on points as they stand at the
 * operating point. With the mode's displacement d and rotation th of the body's source marker at p, R = exp(th~),
 * t = p + d - R p.
 */
export class BodyMotion {
  readonly matrices: Float64Array;
  readonly flexible: FlexibleShape[];
  private readonly shape: Float64Array;
  private scale = 0;
  /** What keeps joints closed: of every term, six numbers of every mover. */
  private terms: { powers: [number, number]; numbers: Float64Array }[] = [];
  private readonly six = new Float64Array(6);

  constructor(private readonly model: Model) {
    this.matrices = new Float64Array(12 * model.movers.length);
    this.shape = new Float64Array(12 * model.movers.length);
    this.flexible = model.flexible.map((flexible) => new FlexibleShape(flexible));
    this.rest();
  }

  /** Take a mode; its scale is such that at amplitude 1 the largest displacement is a tenth of the model, or that of its path. */
  setMode(mode: Mode | undefined): void {
    this.shape.fill(0);
    this.setPath(mode?.path);
    let most = 0;
    let turn = 0;
    this.flexible.forEach((shape, k) => { most = Math.max(most, shape.setMode(mode?.flexible?.[k])); });
    this.model.movers.forEach((mover, b) => {
      const body = this.model.bodies[mover.body]!;
      const motion = mode?.motion?.[mover.source];
      if (motion === undefined) return;
      for (let k = 0; k < 12; k++) {
        const value = motion[k] ?? 0;
        this.shape[12 * b + k] = Number.isFinite(value) ? value : 0;
      }
      const s = this.shape.subarray(12 * b, 12 * b + 12);
      const size = (i: number): number => longest(s, i, s, i + 6);
      if (body.flexible) return;
      turn = Math.max(turn, size(3));
      if (!body.ground) most = Math.max(most, size(0) + size(3) * Math.max(body.radius, this.model.unit));
    });
    const byShift = most > 0 ? 0.1 * this.model.size / most : Infinity;
    const byTurn = turn > 0 ? 0.6 / turn : Infinity;
    const scale = Math.min(byShift, byTurn);
    this.scale = mode?.path?.amplitude ?? (Number.isFinite(scale) ? scale : 0);
  }

  private setPath(path: ModePath | undefined): void {
    this.terms = (path?.terms ?? []).map(({ powers, numbers }) => {
      const all = new Float64Array(6 * this.model.movers.length);
      this.model.movers.forEach((mover, b) => { all.set(numbers[mover.source] ?? [], 6 * b); });
      return { powers, numbers: all };
    });
  }

  /** Displacement and rotation of mover b at the swing's parts c and s, into `six`; linear: without what closes joints. */
  private find(b: number, c: number, s: number, linear = false): Float64Array {
    const { six, shape } = this;
    for (let k = 0; k < 6; k++) six[k] = this.scale * (c * shape[12 * b + k]! + s * shape[12 * b + 6 + k]!);
    if (linear) return six;
    for (const { powers, numbers } of this.terms) {
      const factor = c ** powers[0] * s ** powers[1];
      for (let k = 0; k < 6; k++) six[k] = six[k]! + factor * numbers[6 * b + k]!;
    }
    return six;
  }

  /** True where the mode moves something that is drawn. */
  get moves(): boolean {
    return this.scale > 0;
  }

  /** Largest displacement of body b's centre in the course of the mode, and its largest rotation, for the hover text. */
  displacement(b: number): { shift: number; turn: number } {
    const s = this.shape.subarray(12 * b, 12 * b + 12);
    return { shift: longest(s, 0, s, 6), turn: longest(s, 3, s, 9) };
  }

  rest(): void {
    this.matrices.fill(0);
    for (let b = 0; b < this.model.movers.length; b++) {
      this.matrices[12 * b] = this.matrices[12 * b + 5] = this.matrices[12 * b + 10] = 1;
    }
  }

  /** Point on the path of body b's centre at phase angle t. */
  pathPoint(b: number, amplitude: number, t: number, out: Float32Array, at: number): void {
    const moved = this.find(b, amplitude * Math.cos(t), -amplitude * Math.sin(t));
    const center = this.model.bodies[b]!.center;
    for (let k = 0; k < 3; k++) out[at + k] = center[k]! + moved[k]!;
  }

  evaluate(amplitude: number, phase: Phase): void {
    const c = amplitude * phase.re;
    const s = amplitude * phase.im;
    const { matrices, model } = this;
    for (let b = 0; b < model.movers.length; b++) {
      const o = 12 * b;
      const p = model.movers[b]!.center;
      const moved = this.find(b, c, s);
      const [x, y, z] = [moved[3]!, moved[4]!, moved[5]!];
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
        matrices[r + 3] = p[k]! + moved[k]!
          - matrices[r]! * p[0] - matrices[r + 1]! * p[1] - matrices[r + 2]! * p[2];
      }
    }
    this.bend(c, s);
  }

  private bend(c: number, s: number): void {
    this.flexible.forEach((shape, k) => {
      const b = this.model.flexible[k]!.body;
      const frame = this.find(b, c, s, true);
      shape.evaluate(this.scale * c, this.scale * s, frame, this.model.movers[b]!.center, (x, out) => { this.point(b, x, out); });
    });
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
