/* The table of modes: one row a conjugate pair, sortable by every column. */
import { breakable, el } from './dom';
import { number, percent } from './format';
import { stabilityMark, stabilityText } from './modes';
import type { Row, Stability } from './modes';
import { modeColumns } from './results';
import type { Column as NumberColumn, ModeValues } from './results';
import type { Selection } from './selection';

interface Column {
  key: string;
  title: string;
  unit: string;
  help: string;
  value: (row: Row) => number | string | null;
  cell: (row: Row) => (Node | string)[];
}

const order: Record<Stability, number> = { unstable: 0, undamped: 1, rigid: 2, stable: 3 };

function nameCell(row: Row): (Node | string)[] {
  const swatch = el('span', { class: 'swatch', 'aria-hidden': 'true' });
  if (row.color !== undefined) swatch.style.background = row.color;
  const cell: (Node | string)[] = [swatch, ...breakable(row.body || row.name)];
  if (row.kind !== '') cell.push(' ', el('span', { class: 'kind' }, row.kind.replace(/ (\S+)$/, '\u00a0$1')));
  if (row.ofController && row.body !== '') {
    const help = `${percent(row.mode.control ?? 0)} % of this mode is in states of controllers`;
    cell.push(' ', el('span', { class: 'times', title: help }, '(controller)'));
  }
  const times = row.mode.multiplicity;
  if (times > 1) cell.push(' ', el('span', { class: 'times', title: 'This eigenvalue is repeated' }, `\u00d7${times}`));
  return cell;
}

/** A number that a row does not show; it is sorted by all the same. */
function isHidden(member: keyof ModeValues, { mode, oscillates }: Row): boolean {
  return (member === 'damped_frequency_hz' && !oscillates) || (member === 'damping_ratio' && mode.rigid);
}

function numberOf({ mode }: Row, { member, part }: NumberColumn<ModeValues>): number | null {
  const value = mode[member];
  if (typeof value === 'object' && value !== null) return value[part ?? 0];
  return typeof value === 'number' ? value : null;
}

/** A column of the table as the program describes it. */
function columnOf(column: NumberColumn<ModeValues>): Column {
  const { member, part, title, unit, help, digits } = column;
  const text = column.percent === true ? percent : number;
  return {
    key: part === undefined ? member : `${member}_${part === 0 ? 're' : 'im'}`, title, unit, help,
    value: (row) => (member === 'damping_ratio' && row.mode.rigid ? null : numberOf(row, column)),
    cell: (row) => [isHidden(member, row) ? '\u2013' : text(numberOf(row, column), digits)],
  };
}

const columns: Column[] = [
  { key: 'id', title: '#', unit: '', help: 'Number of the mode', value: (r) => r.id, cell: (r) => [String(r.id)] },
  { key: 'name', title: 'Mode', unit: 'by kinetic energy', help: 'Name', value: (r) => r.name, cell: nameCell },
  { key: 'state', title: 'State', unit: '\u00a0', help: 'Stability', value: (r) => order[r.stability],
    cell: (r) => [`${stabilityMark[r.stability]} ${stabilityText[r.stability]}`] },
  ...modeColumns.map(columnOf),
];

function compare(a: number | string | null, b: number | string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === 'string' || typeof b === 'string') {
    return String(a).localeCompare(String(b), undefined, { numeric: true });
  }
  return a - b;
}

export class ModeTable {
  private readonly body = el('tbody');
  private readonly lines = new Map<Row, HTMLTableRowElement>();
  private readonly heads = new Map<string, HTMLTableCellElement>();
  private shown: Row[];
  private sortKey = 'id';
  private down = false;

  constructor(private readonly table: HTMLTableElement, private readonly scroll: HTMLElement, private readonly rows: Row[],
    private readonly selection: Selection) {
    this.shown = [...rows];
    this.table.append(this.makeHead(), this.body);
    for (const row of rows) this.lines.set(row, this.makeLine(row));
    this.arrange();
    selection.listen((row) => { this.mark(row); });
  }

  /** Go `step` rows on in the order shown. */
  move(step: number): void {
    const at = this.selection.row === undefined ? -1 : this.shown.indexOf(this.selection.row);
    const next = this.shown[Math.min(Math.max(at + step, 0), this.shown.length - 1)];
    const inTable = this.body.contains(document.activeElement);
    this.selection.choose(next);
    if (inTable && next !== undefined) this.lines.get(next)?.focus({ preventScroll: true });
  }

  private makeHead(): HTMLTableSectionElement {
    const line = el('tr');
    for (const { key, title, unit, help } of columns) {
      const button = el('button', { type: 'button', title: `Sort by: ${help}` }, el('span', { class: 'mark' }, title));
      if (unit !== '') button.append(el('small', {}, unit));
      button.addEventListener('click', () => { this.sortBy(key); });
      const cell = el('th', { class: key, scope: 'col', 'aria-sort': 'none', 'data-key': key }, button);
      this.heads.set(key, cell);
      line.append(cell);
    }
    return el('thead', {}, line);
  }

  private makeLine(row: Row): HTMLTableRowElement {
    const line = el('tr', { tabindex: -1, 'aria-selected': 'false', 'data-row': row.id, 'data-state': row.stability });
    for (const column of columns) {
      const cell = el('td', { class: column.key }, ...column.cell(row));
      if (column.key === 'state') cell.dataset['state'] = row.stability;
      const value = column.value(row);
      if (typeof value === 'number' && column.key !== 'state' && column.key !== 'id') cell.title = String(value);
      line.append(cell);
    }
    line.addEventListener('click', () => { this.selection.choose(row); });
    line.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.selection.choose(row);
    });
    return line;
  }

  private sortBy(key: string): void {
    this.down = this.sortKey === key && !this.down;
    this.sortKey = key;
    this.arrange();
  }

  private arrange(): void {
    const value = columns.find((c) => c.key === this.sortKey)?.value ?? ((row: Row) => row.id);
    const sign = this.down ? -1 : 1;
    // What has no value stays at the end either way.
    this.shown = [...this.rows].sort((a, b) => {
      const [u, v] = [value(a), value(b)];
      const byValue = u === null || v === null ? compare(u, v) : sign * compare(u, v);
      return byValue !== 0 ? byValue : a.id - b.id;
    });
    for (const [key, head] of this.heads) {
      head.setAttribute('aria-sort', key === this.sortKey ? (this.down ? 'descending' : 'ascending') : 'none');
    }
    this.body.replaceChildren(...this.shown.map((row) => this.lines.get(row)!));
  }

  private mark(row: Row | undefined): void {
    for (const line of this.body.querySelectorAll('[aria-selected="true"]')) {
      line.setAttribute('aria-selected', 'false');
      line.setAttribute('tabindex', '-1');
    }
    const line = row === undefined ? undefined : this.lines.get(row);
    if (line === undefined) return;
    line.setAttribute('aria-selected', 'true');
    line.setAttribute('tabindex', '0');
    // Only the table scrolls, the page stays where it is.
    const top = line.offsetTop - (this.table.tHead?.offsetHeight ?? 0);
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    const bottom = line.offsetTop + line.offsetHeight - this.scroll.clientHeight;
    if (bottom > this.scroll.scrollTop) this.scroll.scrollTop = bottom;
  }
}
