/* The operating point and the model, as tables. */
import type { Matrix3, Report, Signal, Vector } from './data';
import { el } from './dom';
import { number } from './format';
import { axisAngle } from './vector';

const shownAtOnce = 100;

type Cell = string | number;

function table(title: string, heads: string[], rows: Cell[][], textColumns = 1): HTMLElement {
  const head = el('thead', {}, el('tr', {}, ...heads.map((h, k) =>
    el('th', { scope: 'col', class: k < textColumns ? 'name' : '' }, h))));
  const line = (row: Cell[]): HTMLElement => el('tr', {}, ...row.map((c, k) => {
    const cell = el('td', { class: k < textColumns ? 'name' : '' }, typeof c === 'number' ? number(c, 5) : c);
    if (typeof c === 'number') cell.title = String(c);
    return cell;
  }));
  const body = el('tbody', {}, ...rows.slice(0, shownAtOnce).map(line));
  const block = el('div', { class: 'block' }, el('h3', {}, title),
    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': title }, el('table', {}, head, body)));
  if (rows.length > shownAtOnce) {
    const more = el('button', { type: 'button', class: 'text' }, `Show all ${rows.length}`);
    more.addEventListener('click', () => {
      body.append(...rows.slice(shownAtOnce).map(line));
      more.remove();
    });
    block.append(more);
  }
  return block;
}

const largest = (v: number[]): number => v.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

/* Zeros of rounding are shown as zeros: a part below 1e-14 of the largest, or below 1e-15 of the largest of its kind. */
function clean(v: Vector, ofKind = 0): Vector {
  const least = Math.max(1e-14 * largest(v), 1e-15 * ofKind);
  return v.map((x) => (Math.abs(x) <= least ? 0 : x)) as Vector;
}

/* Whatever the unit: what rounding left of 0. Inputs are as they were given. */
function told(s: Signal): number {
  return s.kind !== 'input' && Math.abs(s.value) < 1e-20 ? 0 : s.value;
}

function orientation(r: Matrix3): string {
  const { angle, axis } = axisAngle(r);
  if (angle < 1e-12) return 'as the world';
  return `${number(angle * 180 / Math.PI, 5)}\u00b0 about (${clean(axis).map((a) => number(a, 4)).join(', ')})`;
}

export function facts(items: [string, string][]): HTMLElement {
  return el('div', { class: 'values' }, ...items.map(([name, text]) =>
    el('div', {}, el('span', {}, name), el('b', {}, text))));
}

export function showOperating(box: HTMLElement, report: Report): void {
  const point = report.operating_point;
  const kinds: Record<string, string> = {
    given: 'reference configuration', static: 'static equilibrium', steady: 'steady motion', state: 'given state',
  };
  box.append(facts([
    ['Kind', kinds[point.type] ?? point.type],
    ['Time', `${number(point.time)} s`],
    ['At rest', point.at_rest ? 'yes' : 'no'],
    ['Steady', point.steady ? 'yes' : 'no, the eigenvalues are those of this instant'],
    ['Equilibrium residual, relative', number(point.residual, 2)],
  ]));
  if (point.redundant && point.redundant.length > 0) {
    box.append(el('div', { class: 'block' }, el('h3', {}, 'Redundant constraint equations, removed'),
      el('ul', {}, ...point.redundant.slice(0, 50).map((r) => el('li', {}, `${r.joint}: ${r.row}`)),
        ...(point.redundant.length > 50 ? [el('li', {}, `and ${point.redundant.length - 50} more`)] : []))));
  }
  if (point.bodies && point.bodies.length > 0) {
    const kind = (of: 'position' | 'velocity' | 'angular_velocity'): number => largest(point.bodies!.flatMap((b) => b[of]));
    const [place, speed, turning] = [kind('position'), kind('velocity'), kind('angular_velocity')];
    box.append(table('Bodies: centre of mass and motion, in world axes',
      ['Body', 'x, m', 'y, m', 'z, m', 'Orientation', 'vx, m/s', 'vy, m/s', 'vz, m/s', '\u03c9x, rad/s', '\u03c9y, rad/s', '\u03c9z, rad/s'],
      point.bodies.map((b) => [b.name, ...clean(b.position, place), orientation(b.orientation),
        ...clean(b.velocity, speed), ...clean(b.angular_velocity, turning)])));
  }
  if (point.joints && point.joints.length > 0) {
    const [force, torque] = [largest(point.joints.flatMap((j) => j.force)), largest(point.joints.flatMap((j) => j.torque))];
    box.append(table('Joint reactions on the first marker, in world axes',
      ['Joint', 'Type', 'Fx, N', 'Fy, N', 'Fz, N', 'Tx, N m', 'Ty, N m', 'Tz, N m'],
      point.joints.map((j) => [j.name, j.type, ...clean(j.force, force), ...clean(j.torque, torque)]), 2));
  }
  if (point.signals && point.signals.length > 0) {
    box.append(table('States of controllers, variables, inputs and outputs', ['Signal', 'Is', 'Unit', 'Value', 'Rate'],
      point.signals.map((s) => [s.name, s.kind, s.unit, told(s), s.rate ?? '']), 3));
  }
}

export function showModel(box: HTMLElement, report: Report): void {
  const masses = report.bodies.filter((b) => b.mass !== undefined);
  if (masses.length > 0) {
    box.append(table('Bodies', ['Body', 'Mass, kg'], masses.map((b) => [b.name, b.mass ?? 0])));
  }
  const connections = report.connections ?? [];
  if (connections.length > 0) {
    const list = table('Joints and loads', ['Name', 'Type', 'Between'], connections.map((c) =>
      [c.name, c.type, c.markers.filter((m) => m !== null).join(', ')]), 3);
    list.classList.add('broad');
    box.append(list);
  }
  if (report.parameters && report.parameters.length > 0) {
    box.append(table('Parameters', ['Parameter', 'Value'], report.parameters.map((p) => [p.name, p.value])));
  }
  if (report.states && report.states.length > 0) {
    box.append(table('States', ['State', 'Unit', 'Axes of'], report.states.map((s) => [s.name, s.unit, s.frame]), 3));
  }
}
