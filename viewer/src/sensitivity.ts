/* What every parameter does to every mode: a map of effects without units, the parameters sorted by the largest.
 *
 * The map is a table: arrow keys, Home and End go from cell to cell, Enter or a click chooses the mode; a head of a column
 * sorts by that mode. */
import type { ParameterEffect, Sensitivity } from './data';
import { byId, el } from './dom';
import { number } from './format';
import type { Row } from './modes';
import type { Selection } from './selection';
import type { Tooltip } from './tooltip';

type Kind = 'frequency_effect' | 'damping_effect';

const about: Record<Kind, { label: string; formula: string; derivative: (e: ParameterEffect) => string }> = {
  frequency_effect: { label: 'undamped frequency', formula: 'relative change of the undamped frequency per relative change of the parameter, p/f df/dp',
    derivative: (e) => `df/dp = ${number(e.undamped_frequency_hz, 6)} Hz` },
  damping_effect: { label: 'damping ratio', formula: 'change of the damping ratio per relative change of the parameter, p d\u03b6/dp',
    derivative: (e) => `d\u03b6/dp = ${number(e.damping_ratio, 6)}` },
};

interface Line {
  name: string;
  effects: ParameterEffect[];
}

/** A line for each parameter, its effects in the order of the modes. */
function linesOf(s: Sensitivity): Line[] {
  const lines = new Map<string, Line>();
  s.modes.forEach((mode, k) => {
    for (const effect of mode.by) {
      const line = lines.get(effect.parameter) ?? { name: effect.parameter, effects: [] };
      line.effects[k] = effect;
      lines.set(effect.parameter, line);
    }
  });
  return [...lines.values()];
}

/** Columns that the width of a printed page takes. */
const modesOnPaper = 6;

class EffectMap {
  private kind: Kind = 'frequency_effect';
  private sortedBy: number | undefined;
  private at: [number, number] = [0, 0];
  private shown: Line[] = [];
  private cells: HTMLElement[][] = [];
  private readonly lines: Line[];
  private readonly table = el('table', { class: 'effects', role: 'grid', 'aria-labelledby': 'sensitivity-title' });
  private readonly legend = el('p', { class: 'hint' });
  private readonly paper = el('div', { class: 'paper' });

  constructor(box: HTMLElement, private readonly s: Sensitivity, private readonly rows: Row[], private readonly selection: Selection,
    private readonly tooltip: Tooltip) {
    this.lines = linesOf(s);
    const choice = el('select', {}, ...(Object.keys(about) as Kind[]).map((k) => el('option', { value: k }, about[k].label)));
    choice.addEventListener('change', () => {
      this.kind = choice.value as Kind;
      this.draw();
    });
    box.append(el('p', {}, el('label', {}, 'Effect on the ', choice)), this.legend, el('div', { class: 'block' }, el('div', { class: 'scroll' }, this.table)), this.paper);
    window.addEventListener('beforeprint', () => { this.layOut(); });
    window.addEventListener('afterprint', () => {
      this.paper.replaceChildren();
      box.classList.remove('laid-out');
    });
    this.table.addEventListener('keydown', (event) => { this.key(event); });
    this.table.addEventListener('pointerleave', () => { this.tooltip.hide(); });
    this.table.addEventListener('focusout', () => { this.tooltip.hide(); });
    selection.listen((row) => { this.mark(row); });
    this.draw();
  }

  private effect(line: Line, k: number): number {
    return line.effects[k]?.[this.kind] ?? 0;
  }

  private size(line: Line): number {
    return Math.max(0, ...this.s.modes.map((_, k) => (this.sortedBy === undefined || this.sortedBy === k ? Math.abs(this.effect(line, k)) : 0)));
  }

  private rowOf(k: number): Row | undefined {
    return this.rows.find((row) => row.id === this.s.modes[k]!.number);
  }

  private head(k: number): HTMLElement {
    const mode = this.s.modes[k]!;
    const sorted = this.sortedBy === k;
    const button = el('button', { type: 'button', class: 'text', title: sorted ? 'Sort by the largest effect on any mode' : `Sort by the effect on mode ${mode.number}` },
      String(mode.number));
    button.addEventListener('click', () => {
      this.sortedBy = sorted ? undefined : k;
      this.draw();
    });
    return el('th', { scope: 'col', 'aria-sort': sorted ? 'descending' : 'none' }, button);
  }

  private words(i: number, k: number): string {
    const line = this.shown[i]!;
    const row = this.rowOf(k);
    const effect = line.effects[k]!;
    return [`${line.name} = ${number(effect.value, 6)}`, `mode ${this.s.modes[k]!.number}${row === undefined ? '' : `: ${row.name}`}`,
      `effect on the ${about[this.kind].label}: ${number(effect[this.kind], 6)}`, about[this.kind].derivative(effect)].join('\n');
  }

  private cell(i: number, k: number, most: number): HTMLElement {
    const effect = this.shown[i]!.effects[k];
    const value = effect?.[this.kind] ?? null;
    const cell = el('td', { tabindex: i === this.at[0] && k === this.at[1] ? 0 : -1 }, value === null ? '\u2013' : number(value, 3));
    if (value !== null && most > 0) {
      const share = Math.abs(value) / most;
      cell.style.background = `rgba(${value > 0 ? '214, 96, 77' : '67, 147, 195'}, ${(0.85 * share).toFixed(3)})`;
    }
    if (effect === undefined) return cell;
    cell.addEventListener('pointermove', (event) => { this.tooltip.show(this.words(i, k), event.clientX, event.clientY); });
    cell.addEventListener('click', () => { this.choose(i, k); });
    cell.addEventListener('focus', () => {
      const place = cell.getBoundingClientRect();
      this.tooltip.show(this.words(i, k), place.left, place.bottom - 14);
    });
    return cell;
  }

  private draw(): void {
    this.shown = this.lines.map((line) => ({ line, size: this.size(line) })).sort((a, b) => b.size - a.size).map((x) => x.line);
    const most = Math.max(0, ...this.lines.flatMap((line) => this.s.modes.map((_, k) => Math.abs(this.effect(line, k)))));
    this.cells = this.shown.map((_, i) => this.s.modes.map((__, k) => this.cell(i, k, most)));
    this.legend.textContent = `${about[this.kind].formula}; red: more, blue: less, full colour at ${number(most, 3)}`;
    this.table.replaceChildren(
      el('thead', {}, el('tr', {}, el('th', { scope: 'col', class: 'name' }, 'Parameter, by mode'), ...this.s.modes.map((_, k) => this.head(k)))),
      el('tbody', {}, ...this.shown.map((line, i) => el('tr', {}, el('th', { scope: 'row', class: 'name' }, line.name), ...this.cells[i]!))));
    this.mark(this.selection.row);
  }

  /** Paper cannot be scrolled: as many tables as it takes, of the modes that fit on a page each. */
  private layOut(): void {
    const parts = Array.from({ length: Math.ceil(this.s.modes.length / modesOnPaper) }, (_, p) => modesOnPaper * p);
    this.paper.parentElement!.classList.add('laid-out');
    this.paper.replaceChildren(...parts.map((from) => {
      const to = Math.min(from + modesOnPaper, this.s.modes.length);
      const heads = this.s.modes.slice(from, to).map((mode) => el('th', { scope: 'col' }, String(mode.number)));
      return el('div', { class: 'block' }, el('table', { class: 'effects' },
        el('thead', {}, el('tr', {}, el('th', { scope: 'col', class: 'name' }, 'Parameter, by mode'), ...heads)),
        el('tbody', {}, ...this.shown.map((line, i) => el('tr', {}, el('th', { scope: 'row', class: 'name' }, line.name),
          ...this.cells[i]!.slice(from, to).map((cell) => cell.cloneNode(true)))))));
    }));
  }

  /** The column of the chosen mode. */
  private mark(row: Row | undefined): void {
    this.s.modes.forEach((mode, k) => {
      for (const line of this.cells) line[k]!.classList.toggle('chosen', row?.id === mode.number);
    });
  }

  private go(i: number, k: number): void {
    const [to, column] = [Math.min(Math.max(i, 0), this.shown.length - 1), Math.min(Math.max(k, 0), this.s.modes.length - 1)];
    this.cells[this.at[0]]![this.at[1]]!.tabIndex = -1;
    this.at = [to, column];
    const cell = this.cells[to]![column]!;
    cell.tabIndex = 0;
    cell.focus();
  }

  private choose(i: number, k: number): void {
    this.go(i, k);
    const row = this.rowOf(k);
    if (row !== undefined) this.selection.choose(row);
  }

  private key(event: KeyboardEvent): void {
    if (!(event.target instanceof HTMLTableCellElement) || event.ctrlKey || event.altKey || event.metaKey) return;
    const [i, k] = this.at;
    const places: Record<string, [number, number]> = {
      ArrowUp: [i - 1, k], ArrowDown: [i + 1, k], ArrowLeft: [i, k - 1], ArrowRight: [i, k + 1], Home: [i, 0], End: [i, this.s.modes.length - 1],
    };
    const place = places[event.key];
    if (place !== undefined) this.go(...place);
    else if (event.key === 'Enter') this.choose(i, k);
    else if (event.key === 'Escape') this.tooltip.hide();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

export function showSensitivity(s: Sensitivity | undefined, rows: Row[], selection: Selection, tooltip: Tooltip): void {
  if (s === undefined) return;
  byId('sensitivity-card').hidden = false;
  const box = byId('sensitivity');
  if (s.warnings.length > 0) box.append(el('ul', { class: 'hint' }, ...s.warnings.map((text) => el('li', {}, text))));
  const parameters = s.modes[0]?.by.length ?? 0;
  byId('sensitivity-note').textContent = `${parameters} parameters, ${s.modes.length} modes`;
  if (parameters === 0) box.append(el('p', {}, 'There is nothing to differentiate, or nothing to differentiate by.'));
  else new EffectMap(box, s, rows, selection, tooltip);
}
