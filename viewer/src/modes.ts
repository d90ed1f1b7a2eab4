/* What is said about a mode in words: its name, its kind of motion, whether it is stable. */
import type { Mode, Report, Share, Vector } from './data';
import type { DrawnBody, Model } from './model';
import { dot, ellipse, multiply, norm, transform } from './vector';

export type Stability = 'stable' | 'unstable' | 'undamped' | 'rigid';

/** One line of the mode table: a conjugate pair or a real eigenvalue. */
export interface Row {
  /** Line number as the program sorts them, from 1. */
  id: number;
  /** Index in the report's list, and of its conjugate. */
  index: number;
  mode: Mode;
  body: string;
  kind: string;
  name: string;
  color: string | undefined;
  oscillates: boolean;
  /** More than half of it is in states of controllers. */
  ofController: boolean;
  stability: Stability;
}

export const stabilityText: Record<Stability, string> = {
  stable: 'stable', unstable: 'unstable', undamped: 'undamped', rigid: 'rigid',
};

export const stabilityMark: Record<Stability, string> = {
  stable: '\u25cf', unstable: '\u25b2', undamped: '\u25c6', rigid: '\u25cb',
};

/** "body rotor" and "load mount" as they are called in the model. */
export function shareName(name: string): string {
  return name.replace(/^(body|load|joint) (?=.)/, '');
}

function stabilityOf(mode: Mode): Stability {
  if (mode.rigid) return 'rigid';
  const [re, im] = mode.eigenvalue;
  const doubt = Math.max(3 * (mode.error_bound ?? 0), 1e-10 * Math.hypot(re, im));
  if (re > doubt) return 'unstable';
  return re < -doubt ? 'stable' : 'undamped';
}

/** Sizes of shares to the digits that rounding leaves: of equal ones the first counts as the largest. */
export function shareSize(share: Share): number {
  return Math.round(1e9 * Math.abs(share.fraction));
}

function largest(shares: Share[] | undefined): Share | undefined {
  let best: Share | undefined;
  for (const share of shares ?? []) {
    if (share.fraction > 0 && (best === undefined || shareSize(share) > shareSize(best))) best = share;
  }
  return best;
}

/** The body that moves most where no kinetic energy is given. */
function mostMoving(model: Model, mode: Mode): DrawnBody | undefined {
  let best: DrawnBody | undefined;
  let most = 0;
  for (const body of model.bodies) {
    const m = mode.motion?.[body.source];
    if (m === undefined || body.ground) continue;
    const size = Math.hypot(...m.slice(0, 3), ...m.slice(6, 9))
      + body.radius * Math.hypot(...m.slice(3, 6), ...m.slice(9, 12));
    if (size > most) {
      most = size;
      best = body;
    }
  }
  return best;
}

/** "x" if the vector is nearly along it, "xy" if it lies in that plane, else "". */
function axisName(v: Vector): string {
  const length = norm(v);
  if (length === 0) return '';
  const parts = v.map((x) => Math.abs(x) / length);
  return ['x', 'y', 'z'].filter((_, k) => parts[k]! > 0.25).join('');
}

/** The same with the senses of a rotation: "+z", "+x-y". */
function senseName(v: Vector): string {
  return Array.from(axisName(v), (axis) => `${v['xyz'.indexOf(axis) as 0] < 0 ? '\u2212' : '+'}${axis}`).join('');
}

/** The flexible bodies' part of the strain energy. */
function deforming(mode: Mode, model: Model): number {
  const names = new Set(model.bodies.filter((b) => b.flexible).map((b) => `body ${b.name}`));
  return (mode.shares?.strain ?? []).filter((s) => names.has(s.name)).reduce((sum, s) => sum + s.fraction, 0);
}

/* Kinetic energy of the body, split: m |d|^2 against w' I w. The greater part names the motion. */
function kindOfMotion(model: Model, mode: Mode, body: DrawnBody, spin: Vector | undefined): string {
  const m = mode.motion?.[body.source];
  if (m === undefined) return '';
  if (body.flexible && deforming(mode, model) > 0.5) return 'deforms';
  const part = (k: number): Vector => m.slice(k, k + 3) as Vector;
  const shift = ellipse(part(0), part(6));
  const turn = ellipse(part(3), part(9));
  const orientation = model.places[body.source]?.orientation;
  const rotational = (w: Vector): number => {
    if (body.inertia === undefined || orientation === undefined) return 0;
    const inverse = [0, 3, 6, 1, 4, 7, 2, 5, 8].map((k) => orientation[k as 0]) as typeof orientation;
    const v = transform(multiply(body.inertia, inverse), w);
    const u = transform(inverse, w);
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  };
  const moving = (body.mass ?? 0) * (shift.major ** 2 + shift.minor ** 2);
  const turning = rotational(part(3)) + rotational(part(9));
  const byTurn = moving + turning > 0 ? turning > moving : turn.major * Math.max(body.radius, model.unit) > shift.major;
  const e = byTurn ? turn : shift;
  if (e.major === 0) return '';
  if (e.minor > 0.3 * e.major) {
    const whirl = byTurn ? 'conical whirl' : 'whirl';
    const along = spin === undefined ? 0 : dot(spin, e.normal) / (norm(spin) * norm(e.normal));
    if (Math.abs(along) > 0.5) return `${along > 0 ? 'forward' : 'backward'} ${whirl}`;
    return `${whirl} about ${senseName(e.normal)}`;
  }
  return `${byTurn ? 'rotates about' : 'moves along'} ${axisName(e.direction)}`;
}

/** How each body spins at the operating point; under '' the fastest, for bodies that do not. */
function spinOfBodies(report: Report): Map<string, Vector> {
  const spins = new Map<string, Vector>();
  let most = 0;
  for (const { name, angular_velocity: w } of report.operating_point.bodies ?? []) {
    if (norm(w) === 0) continue;
    spins.set(name, w);
    if (norm(w) > most) spins.set('', w);
    most = Math.max(most, norm(w));
  }
  return spins;
}

/** Said after the first body's name where it has less than half of the energy. */
function others(shares: Share[] | undefined, first: Share | undefined): string {
  if (first === undefined || first.fraction >= 0.5) return '';
  const alike = (shares ?? []).filter((s) => s.fraction >= 0.5 * first.fraction).length - 1;
  return alike > 0 ? ` and ${alike} more` : '';
}

export function buildRows(report: Report, model: Model): Row[] {
  const rows: Row[] = [];
  const spins = spinOfBodies(report);
  report.modes.forEach((mode, index) => {
    if (mode.eigenvalue[1] < 0) return;
    const dominant = largest(mode.shares?.kinetic);
    const bodyName = dominant === undefined ? undefined : shareName(dominant.name);
    const bodyNumber = bodyName === undefined ? undefined : model.bodyIndex.get(bodyName);
    // A zero's kinetic energy is that of the motion turned or carried along, so it is called by what moves.
    const byMotion = bodyNumber === undefined || (mode.rigid && mode.motion !== undefined);
    const body = byMotion ? mostMoving(model, mode) : model.bodies[bodyNumber];
    const kind = body === undefined ? '' : kindOfMotion(model, mode, body, spins.get(body.name) ?? spins.get(''));
    const shown = byMotion ? body?.name ?? '' : (body?.name ?? bodyName ?? '') + others(mode.shares?.kinetic, dominant);
    const ofController = (mode.control ?? 0) > 0.5;
    rows.push({
      id: rows.length + 1, index, mode, body: shown, kind,
      name: [shown, kind].filter((s) => s !== '').join(', ') || (ofController ? 'controller alone' : 'nothing moves'),
      color: body?.color,
      oscillates: mode.eigenvalue[1] !== 0,
      ofController,
      stability: stabilityOf(mode),
    });
  });
  return rows;
}

/** The row that shows each eigenvalue of the list: its own, or its conjugate's. */
export function rowOfEigenvalue(report: Report, rows: Row[]): (Row | undefined)[] {
  const own = new Map(rows.map((row) => [row.index, row]));
  return report.modes.map((mode, k) => own.get(k) ?? own.get(mode.conjugate));
}

/** The mode to open with: the worst unstable one, else the lowest that oscillates; of those that can be drawn, if there are. */
export function firstRow(all: Row[]): Row | undefined {
  const stored = all.filter((row) => row.mode.motion !== undefined);
  const rows = stored.length > 0 ? stored : all;
  const unstable = rows.filter((row) => row.stability === 'unstable');
  if (unstable.length > 0) {
    return unstable.reduce((a, b) => (b.mode.eigenvalue[0] > a.mode.eigenvalue[0] ? b : a));
  }
  return rows.find((row) => row.oscillates) ?? rows.find((row) => row.stability !== 'rigid') ?? rows[0];
}
