/* Modes along a parameter: frequencies (with lines of the speed's orders: a Campbell diagram), damping ratios and the root
 * locus, what was solved for marked in them and listed; of two parameters a map, whose rows choose the line that is drawn. */
import { dampingRatio, twoPi } from './eigenvalue';
import { Chart } from './chart/chart';
import type { ChartSpec, Mark, Series } from './chart/chart';
import type { Report, Sweep, SweepBranch, SweepEvent, SweepLine } from './data';
import { byId, el } from './dom';
import { number } from './format';
import { rowOfEigenvalue } from './modes';
import type { Row } from './modes';
import type { Selection } from './selection';
import type { Tooltip } from './tooltip';

const marks: Record<string, { mark: Mark; colour: number }> = {
  'flutter': { mark: 'diamond', colour: 1 },
  'divergence': { mark: 'square', colour: 1 },
  'critical speed': { mark: 'circle', colour: 0 },
  'crossing': { mark: 'cross', colour: -1 },
  'meeting': { mark: 'plus', colour: 3 },
  'damping': { mark: 'triangle', colour: 2 },
  'veering': { mark: 'ring', colour: 7 },
};

/** A diagram's two coordinates of an eigenvalue. */
interface Diagram {
  x: (value: number, re: number, im: number) => number;
  y: (value: number, re: number, im: number) => number;
}

const frequency: Diagram = { x: (v) => v, y: (_, __, im) => im / twoPi };
const damping: Diagram = { x: (v) => v, y: (_, re, im) => dampingRatio([re, im]) };
const locus: Diagram = { x: (_, re) => re, y: (_, __, im) => im };

/** All digits that are known of a solved value, without those that rounding made. */
const text = (value: number): string => String(Number(value.toPrecision(15)));

/** A little more on both sides than the values take, so that marks at the edge are whole. */
function widened(values: (number | null)[]): [number, number] | undefined {
  const there = values.filter((v): v is number => v !== null);
  const [low, high] = [there.reduce((a, b) => Math.min(a, b), Infinity), there.reduce((a, b) => Math.max(a, b), -Infinity)];
  const more = 0.04 * (high - low) || 0.1 * Math.abs(high) || 1;
  return there.length === 0 ? undefined : [low - more, high + more];
}

interface Names {
  label: (branch: SweepBranch | undefined, number?: number) => string;
}

function namesOf(report: Report, rows: Row[]): Names {
  const rowOf = rowOfEigenvalue(report, rows);
  return {
    label: (b, k) => {
      if (b === undefined) return `branch ${k ?? ''}`.trim();
      const row = b.mode === undefined ? undefined : rowOf[b.mode];
      return row === undefined ? `branch ${b.name}` : `${row.id} ${row.name}`;
    },
  };
}

/** What the axes do not say. */
function words(sweep: Sweep, d: Diagram, value: number, re: number, im: number): string {
  const all: [string, Diagram[]][] = [
    [`${sweep.parameter}: ${number(value, 6)}`, [frequency, damping]], [`real part: ${number(re, 6)} 1/s`, [locus]],
    [`imaginary part: ${number(im, 6)} rad/s`, [locus]], [`frequency: ${number(im / twoPi, 6)} Hz`, [frequency]],
    [`damping ratio: ${number(damping.y(value, re, im), 5)}`, [damping]]];
  return all.filter(([, said]) => !said.includes(d)).map(([line]) => line).join('\n');
}

/** How far values lie apart. */
function extent(values: (number | null)[]): number {
  const there = values.filter((v): v is number => v !== null);
  return there.length === 0 ? 0 : there.reduce((a, b) => Math.max(a, b)) - there.reduce((a, b) => Math.min(a, b));
}

/** Branches whose line in the root locus is too short to be seen: a constant eigenvalue among others. */
function spots({ branches }: SweepLine): Set<SweepBranch> {
  const all = (part: 're' | 'im'): number => extent(branches.flatMap((b) => b[part]));
  const [width, height] = [all('re'), all('im')];
  return new Set(branches.filter((b) => extent(b.re) <= 0.01 * width && extent(b.im) <= 0.01 * height));
}

function branchSeries(sweep: Sweep, line: SweepLine, d: Diagram, names: Names, unnamed: boolean): Series[] {
  const dots = d === locus ? spots(line) : new Set();
  return line.branches.map((b, k) => {
    const at = (f: Diagram['x']): (number | null)[] => line.values.map((v, i) => (b.re[i] == null ? null : f(v, b.re[i], b.im[i]!)));
    return {
      name: names.label(b), x: at(d.x), y: at(d.y), colour: k % 8, line: true, dashed: k % 16 >= 8, unnamed,
      ...(dots.has(b) ? { mark: 'dot' as const } : {}),
      tips: line.values.map((v, i) => (b.re[i] == null ? '' : words(sweep, d, v, b.re[i], b.im[i]!))),
    };
  });
}

/** Frequency = order * speed / 2 pi. */
function orderSeries(sweep: Sweep, line: SweepLine): Series[] {
  if (line.speeds === undefined) return [];
  return sweep.orders.filter((n) => n !== 0).map((n) => ({
    name: `${n}\u00d7 ${sweep.speed}`, x: line.values, y: line.speeds!.map((s) => (s === null ? null : n * Math.abs(s) / twoPi)),
    colour: -1, line: true, dashed: true,
  }));
}

function eventWords(e: SweepEvent): string {
  if (e.kind === 'flutter' || e.kind === 'divergence') return `${e.kind}, unstable ${e.grows ? 'above' : 'below'}`;
  if (e.kind === 'critical speed') return `critical speed, order ${e.order}`;
  if (e.kind === 'veering') return `veering, gap ${number(e.gap, 4)} 1/s`;
  if (e.kind === 'not resolved') return `not resolved: ${e.of}${e.of === 'critical speed' ? `, order ${e.order}` : ''}`;
  return e.kind;
}

function eventSeries(sweep: Sweep, line: SweepLine, d: Diagram, unnamed: boolean): Series[] {
  return Object.entries(marks).flatMap(([kind, look]) => {
    const found = line.events.filter((e) => e.kind === kind && e.eigenvalue[0] !== null);
    if (found.length === 0) return [];
    const at = (f: Diagram['x']): number[] => found.map((e) => f(e.value, e.eigenvalue[0]!, Math.abs(e.eigenvalue[1]!)));
    return [{
      name: kind, x: at(d.x), y: at(d.y), ...look, unnamed,
      tips: found.map((e) => `${eventWords(e)}\n${sweep.parameter} = ${text(e.value)}${e.error === null ? '' : ` \u00b1 ${number(e.error, 1)}`}`),
    }];
  });
}

function diagrams(sweep: Sweep, line: SweepLine, names: Names): ChartSpec[] {
  const x = { title: sweep.parameter };
  const range = widened(line.branches.flatMap((b) => b.re));
  const series = (d: Diagram, unnamed: boolean): Series[] => [...branchSeries(sweep, line, d, names, unnamed), ...eventSeries(sweep, line, d, unnamed)];
  return [
    {
      label: `${sweep.speed === null ? 'Frequencies' : 'Campbell diagram: frequencies'} against ${sweep.parameter}; the table below has what was solved for`,
      x, y: { title: 'frequency, Hz' }, height: 340, file: 'frequencies.csv', series: [...series(frequency, false), ...orderSeries(sweep, line)],
    },
    { label: `Damping ratios against ${sweep.parameter}`, x, y: { title: 'damping ratio' }, height: 260, file: 'damping.csv', series: series(damping, true) },
    {
      label: `Root locus: eigenvalues as ${sweep.parameter} changes`, x: { title: 'real part, 1/s', ...(range === undefined ? {} : { range }) },
      y: { title: 'imaginary part, rad/s' }, height: 380,
      file: 'root-locus.csv', series: series(locus, true),
    },
  ];
}

function eventTable(sweep: Sweep, line: SweepLine, names: Names): HTMLElement {
  const branch = new Map(line.branches.map((b) => [b.branch, b]));
  const rows = line.events.map((e) => {
    const who = e.branches.filter((b) => branch.has(b)).map((b) => names.label(branch.get(b)));
    const im = e.eigenvalue[1];
    return el('tr', { 'data-kind': e.kind }, el('td', { class: 'name' }, eventWords(e)), el('td', {}, text(e.value)), el('td', {}, number(e.error, 1)),
      el('td', {}, im === null ? '\u2013' : number(Math.abs(im) / twoPi, 7)), el('td', { class: 'name' }, who.join('; ')));
  });
  const missing = line.without.map((w) => el('tr', { 'data-kind': 'without' }, el('td', { class: 'name' }, 'no operating point'),
    el('td', {}, text(w.value)), el('td', {}), el('td', {}), el('td', { class: 'name' }, w.message)));
  if (rows.length + missing.length === 0) return el('p', { class: 'hint' }, 'Nothing to solve for lies between these values.');
  const heads = ['What', sweep.parameter, '\u00b1', 'Frequency, Hz', 'Modes'];
  return el('div', { class: 'block' }, el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'What was solved for' },
    el('table', {}, el('thead', {}, el('tr', {}, ...heads.map((h) => el('th', { scope: 'col', class: h === 'What' || h === 'Modes' ? 'name' : '' }, h)))),
      el('tbody', {}, ...rows, ...missing))));
}

/** The three diagrams of one line; what is chosen in one is marked in all, and its mode is chosen on the page. */
class LineCharts {
  private readonly charts: Chart[] = [];
  private readonly table = el('div');
  private readonly rowOf: (Row | undefined)[];

  constructor(private readonly sweep: Sweep, private line: SweepLine, private readonly names: Names, report: Report, rows: Row[],
    private readonly selection: Selection, box: HTMLElement, tooltip: Tooltip) {
    this.rowOf = rowOfEigenvalue(report, rows);
    diagrams(sweep, line, names).forEach((spec, k) => {
      const chart: Chart = new Chart(box, spec, tooltip, {
        choose: (series, index) => { this.choose(series, index); },
        onRange: (range) => { if (k < 2) this.charts[1 - k]?.setRange(range); },
      });
      this.charts.push(chart);
    });
    box.append(this.table);
    this.table.append(eventTable(sweep, line, names));
    selection.listen((row) => { this.mark(row); });
  }

  show(line: SweepLine): void {
    this.line = line;
    diagrams(this.sweep, line, this.names).forEach((spec, k) => { this.charts[k]!.show(spec); });
    this.table.replaceChildren(eventTable(this.sweep, line, this.names));
    this.mark(this.selection.row);
  }

  private choose(series: number, index: number): void {
    const b = this.line.branches[series];
    if (b === undefined) return;
    const row = b.mode === undefined ? undefined : this.rowOf[b.mode];
    if (row !== undefined && row !== this.selection.row) this.selection.choose(row);
    for (const chart of this.charts) chart.select([{ series, index }]);
  }

  /** Where the chosen mode of the report is. */
  private mark(row: Row | undefined): void {
    const { own, branches } = this.line;
    const series = row === undefined ? -1 : branches.findIndex((b) => b.mode !== undefined && this.rowOf[b.mode] === row);
    for (const chart of this.charts) chart.select(series < 0 || own === undefined ? [] : [{ series, index: own }]);
  }
}

/** Half way between neighbours, and as far beyond the first and the last. */
function edges(values: number[]): number[] {
  const n = values.length;
  const inner = values.slice(1).map((v, k) => (v + values[k]!) / 2);
  if (n < 2) return [values[0]! - 0.5, values[0]! + 0.5];
  return [2 * values[0]! - inner[0]!, ...inner, 2 * values[n - 1]! - inner[n - 2]!];
}

/** The largest real part over both parameters, with what was solved for on every line. */
function mapOf(sweep: Sweep): { spec: ChartSpec; columns: number; owner: number[][]; order: number[] } {
  const order = sweep.lines.map((_, k) => k).sort((a, b) => sweep.lines[a]!.second! - sweep.lines[b]!.second!);
  const values = [...new Set(sweep.lines.flatMap((l) => l.values))].sort((a, b) => a - b)
    .filter((v) => sweep.lines.every((l) => l.values.includes(v)));
  const value = order.map((k) => values.map((v) => sweep.lines[k]!.largest[sweep.lines[k]!.values.indexOf(v)] ?? null));
  const owner: number[][] = [];
  const series = Object.entries(marks).flatMap(([kind, look]): Series[] => {
    const found = order.flatMap((k) => sweep.lines[k]!.events.filter((e) => e.kind === kind).map((e) => ({ e, k })));
    if (found.length === 0) return [];
    owner.push(found.map(({ k }) => k));
    return [{ name: kind, x: found.map(({ e }) => e.value), y: found.map(({ k }) => sweep.lines[k]!.second), ...look, tips: found.map(({ e }) => eventWords(e)) }];
  });
  const spec: ChartSpec = {
    label: `Map of the largest real part over ${sweep.parameter} and ${sweep.second}`, x: { title: sweep.parameter }, y: { title: sweep.second! },
    height: 380, file: 'map.csv', series,
    cells: { x: edges(values), y: edges(order.map((k) => sweep.lines[k]!.second!)), value, title: 'largest real part, 1/s', diverging: true },
  };
  return { spec, columns: values.length, owner, order };
}

function showMap(sweep: Sweep, box: HTMLElement, tooltip: Tooltip, choose: (line: number) => void): void {
  const { spec, columns, owner, order } = mapOf(sweep);
  new Chart(box, spec, tooltip, {
    choose: (series, index) => {
      const line = series < 0 ? order[Math.floor(index / columns)] : owner[series]?.[index];
      if (line !== undefined) choose(line);
    },
  });
}

/** Curves over two parameters. */
function showBoundaries(sweep: Sweep, box: HTMLElement, tooltip: Tooltip): void {
  if (sweep.boundary === null || sweep.boundaries.length === 0) return;
  const values = sweep.lines[0]!.values;
  const ends = [values[0]!, values[values.length - 1]!];
  new Chart(box, {
    label: `Boundaries over ${sweep.parameter} and ${sweep.boundary}`,
    x: { title: sweep.parameter, range: [Math.min(...ends), Math.max(...ends)] }, y: { title: sweep.boundary }, height: 320,
    file: 'boundaries.csv', series: sweep.boundaries.map((b, k) => ({
      name: b.kind === 'critical speed' ? `${b.kind}, order ${b.order}` : b.kind, x: b.points.map((p) => p.value), y: b.points.map((p) => p.second),
      colour: k % 8, line: true, dashed: k % 16 >= 8,
      tips: b.points.map((p) => `frequency: ${number(Math.abs(p.eigenvalue[1]) / twoPi, 6)} Hz`),
    })),
  }, tooltip);
}

export function showSweep(report: Report, rows: Row[], selection: Selection, tooltip: Tooltip): void {
  const { sweep } = report;
  const line = sweep?.lines.find((l) => l.own !== undefined) ?? sweep?.lines[0];
  if (sweep === undefined || line === undefined) return;
  byId('sweep-card').hidden = false;
  const box = byId('sweep');
  const names = namesOf(report, rows);
  const { second } = sweep;
  const note = (l: SweepLine): void => {
    byId('sweep-note').textContent = [`${l.values.length} values of ${sweep.parameter}`, ...(second === null ? [] : [`${second} = ${number(l.second, 6)}`]),
      ...(sweep.interrupted ? ['interrupted: not all of the values'] : [])].join(', ');
  };
  byId('sweep-title').textContent = `Along ${sweep.parameter}`;
  note(line);
  const below = el('div');
  const charts = new LineCharts(sweep, line, names, report, rows, selection, below, tooltip);
  if (second !== null) {
    showMap(sweep, box, tooltip, (k) => {
      note(sweep.lines[k]!);
      charts.show(sweep.lines[k]!);
    });
    box.append(el('p', { class: 'hint' }, `A click into the map chooses the value of ${second} that the diagrams below are of.`));
  }
  box.append(below);
  showBoundaries(sweep, box, tooltip);
}
