/* The modes beside those of a second model: where they went, by how much, and what moved them. */
import { dampingRatio, undampedHz } from './eigenvalue';
import { Chart } from './chart/chart';
import type { ChartSpec, Series } from './chart/chart';
import type { Comparison, ComparedPair, Report, ShiftPart } from './data';
import { byId, el } from './dom';
import { number } from './format';
import type { Row } from './modes';
import type { Selection } from './selection';
import type { Tooltip } from './tooltip';

type Of = 'undamped_frequency_hz' | 'damping_ratio';
type By = 'parts' | 'by_parameter';

const shown = 14;
/** Of the largest part of a change: smaller ones are left to rounding, as in the table of routh compare. */
const least = 1e-6;
const kinds: Record<Of, { title: string; factor: number }> = {
  undamped_frequency_hz: { title: 'change of the undamped frequency, Hz', factor: 1 }, damping_ratio: { title: 'change of the damping, %', factor: 100 },
};

const damping = (s: [number, number]): number => 100 * dampingRatio(s);
const signed = (x: number | null, digits: number): string => (x === null ? '\u2013' : `${x > 0 ? '+' : ''}${number(x, digits)}`);
const nameOf = (part: ShiftPart): string => part.term ?? part.parameter ?? '';
const sizeOf = (part: ShiftPart): number => (part.eigenvalue === null ? 0 : Math.hypot(...part.eigenvalue));

/** Over all of them, and a little more. */
function range(values: number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const more = 0.06 * (high - low) || 0.1 * Math.abs(high) || 1;
  return [low - more, high + more];
}

/** Eigenvalues of both, what belongs together joined. */
function paths(c: Comparison): ChartSpec {
  const side = (k: 'first' | 'second', name: string, look: Pick<Series, 'mark' | 'colour'>): Series => ({
    name, x: c.pairs.map((p) => p[k].eigenvalue[0]), y: c.pairs.map((p) => Math.abs(p[k].eigenvalue[1])), tips: c.pairs.map((p) => `mode ${p.first.number} \u2192 mode ${p.second.number}`), ...look,
  });
  return {
    label: 'Eigenvalues of both models in the upper half of the complex plane; the table below has the same values', height: 300, file: 'compared-eigenvalues.csv',
    x: { title: 'real part, 1/s', range: range(c.pairs.flatMap((p) => [p.first.eigenvalue[0], p.second.eigenvalue[0]])) }, y: { title: 'imaginary part, rad/s' },
    series: [side('first', 'first', { mark: 'circle', colour: 0 }), side('second', 'second', { mark: 'diamond', colour: 1 }),
      ...c.pairs.map((p): Series => ({ name: `mode ${p.first.number}`, x: [p.first.eigenvalue[0], p.second.eigenvalue[0]], y: [Math.abs(p.first.eigenvalue[1]), Math.abs(p.second.eigenvalue[1])], line: true, colour: -1, unnamed: true }))],
  };
}

/** What moved which mode: a map, the largest first from above. */
function mapOf(c: Comparison, of: Of, by: By): ChartSpec {
  const value = (p: ComparedPair, name: string): number | null => {
    const found = (p[by] ?? []).find((part) => nameOf(part) === name)?.[of];
    return found === undefined || found === null ? null : kinds[of].factor * found;
  };
  const names = [...new Set(c.pairs.flatMap((p) => {
    const all = p[by] ?? [];
    return all.filter((part) => sizeOf(part) > least * sizeOf(all[0]!)).map(nameOf);
  }))];
  const largest = (name: string): number => c.pairs.reduce((most, p) => Math.max(most, Math.abs(value(p, name) ?? 0)), 0);
  const sorted = names.sort((a, b) => largest(b) - largest(a)).slice(0, shown).reverse();
  const most = Math.max(...sorted.map(largest), 0) || 1;
  return {
    label: `${kinds[of].title}, of every mode by every ${by === 'parts' ? 'term' : 'parameter'}`, height: 90 + 26 * Math.max(3, sorted.length), left: 40 + 6 * Math.max(6, ...sorted.map((name) => Math.min(24, name.length))), file: 'compared-parts.csv',
    x: { title: 'mode of the first', names: c.pairs.map((p) => String(p.first.number)) }, y: { title: '', names: sorted }, series: [],
    cells: { value: sorted.map((name) => c.pairs.map((p) => value(p, name))), title: kinds[of].title, diverging: true, range: [-most, most] },
  };
}

/** The part that does most, unless rounding makes the whole change. */
function mostly(p: ComparedPair): string {
  const all = p.by_parameter ?? p.parts;
  const best = all[0];
  const change = p.change.eigenvalue === null ? 0 : Math.hypot(...p.change.eigenvalue);
  if (best === undefined || !(change > 1e-13 * Math.hypot(...p.first.eigenvalue))) return 'does not move';
  return `${nameOf(best)}: ${signed(best.undamped_frequency_hz, 4)} Hz`;
}

function line(p: ComparedPair, choose: () => void): HTMLElement {
  const button = el('button', { type: 'button', class: 'text', 'aria-label': `Show mode ${p.first.number} of the first` }, `${p.first.number} \u2192 ${p.second.number}`);
  button.addEventListener('click', choose);
  const [a, b] = [p.first.eigenvalue, p.second.eigenvalue];
  const cells = [number(undampedHz(a), 7), number(undampedHz(b), 7), signed(p.change.undamped_frequency_hz, 4), number(damping(a), 5), number(damping(b), 5),
    signed(p.change.damping_ratio === null ? null : 100 * p.change.damping_ratio, 4), number(p.overlap, 3)];
  return el('tr', {}, el('th', { scope: 'row', class: 'name' }, button), ...cells.map((text) => el('td', {}, text)), el('td', { class: 'name' }, mostly(p)));
}

function choice<K extends string>(label: string, entries: Record<K, string>, change: (key: K) => void): HTMLElement {
  const select = el('select', {}, ...(Object.keys(entries) as K[]).map((key) => el('option', { value: key }, entries[key])));
  select.addEventListener('change', () => { change(select.value as K); });
  return el('label', {}, `${label} `, select, ' ');
}

/** What is said above: the second model, its parameters, who has no partner. */
function head(report: Report, c: Comparison): HTMLElement[] {
  const values = c.parameters.map((p) => `${p.name} ${number(p.first, 7)} \u2192 ${number(p.second, 7)}`).join(', ');
  const out = [el('p', {}, `${c.title}${c.file && c.file !== report.file ? ` (${c.file})` : ''}${values ? ` with ${values}` : ''}`)];
  (['first', 'second'] as const).forEach((side, k) => {
    const alone = c.alone[k]!;
    if (alone.length > 0) out.push(el('p', { class: 'hint' }, `Of the ${side}, without a partner: mode ${alone.join(', ')}.`));
  });
  return out;
}

export function showComparison(report: Report, rows: Row[], selection: Selection, tooltip: Tooltip): void {
  const c = report.comparison;
  if (c === undefined) return;
  byId('comparison-card').hidden = false;
  byId('comparison-note').textContent = `${c.pairs.length} ${c.pairs.length === 1 ? 'mode belongs' : 'modes belong'} together`;
  const box = byId('comparison');
  const rowOf = (p: ComparedPair): Row | undefined => {
    const [re, im] = p.first.eigenvalue;
    const near = (row: Row): number => Math.hypot(row.mode.eigenvalue[0] - re, Math.abs(row.mode.eigenvalue[1]) - Math.abs(im));
    return rows.find((row) => near(row) <= 1e-9 * Math.hypot(re, im));
  };
  const chosenRows = c.pairs.map(rowOf);
  const choose = (k: number): void => {
    const row = chosenRows[k];
    if (row !== undefined) selection.choose(row);
  };
  let [of, by]: [Of, By] = ['undamped_frequency_hz', 'parts'];
  box.append(...head(report, c));
  const plane = new Chart(box, paths(c), tooltip, { choose: (s, index) => { choose(s < 2 ? index : s - 2); } });
  const heads = ['Mode', 'First, Hz', 'second, Hz', 'change, Hz', 'Damping, %', 'second, %', 'change, %', 'Overlap', 'Most by'];
  const body = el('tbody', {}, ...c.pairs.map((p, k) => line(p, () => { choose(k); })));
  box.append(el('div', { class: 'block' }, el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Modes of both models' },
    el('table', {}, el('thead', {}, el('tr', {}, ...heads.map((h, k) => el('th', { scope: 'col', class: k === 0 || k === 8 ? 'name' : '' }, h)))), body))));
  const redraw = (): void => { map.show(mapOf(c, of, by)); };
  const choices = el('p', {}, choice<Of>('Parts of the change of', { undamped_frequency_hz: 'undamped frequency', damping_ratio: 'damping' }, (key) => { of = key; redraw(); }));
  if (c.pairs.some((p) => (p.by_parameter ?? []).length > 0)) choices.append(choice<By>('by', { parts: 'terms', by_parameter: 'parameters' }, (key) => { by = key; redraw(); }));
  box.append(choices);
  const map: Chart = new Chart(box, mapOf(c, of, by), tooltip, { choose: (_, index) => { choose(index % c.pairs.length); } });
  selection.listen((row) => {
    const k = row === undefined ? -1 : chosenRows.indexOf(row);
    plane.select(k < 0 ? [] : [{ series: 0, index: k }, { series: 1, index: k }]);
    [...body.rows].forEach((one, at) => {
      if (at === k) one.setAttribute('aria-current', 'true');
      else one.removeAttribute('aria-current');
    });
  });
}
