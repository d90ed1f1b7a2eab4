/* A chart of any kind that the report shows: lines, points by kind, maps of cells, on linear or logarithmic axes.
 *
 *     new Chart(box, { label: 'Frequency response of the wheel', x: { title: 'frequency, Hz', logarithmic: true },
 *       y: { title: 'm/N', logarithmic: true }, series: [{ name: 'wheel', x, y, line: true }] }, tooltip,
 *       { choose: (series, index) => { ... } });
 *
 * Hovering shows the values of the nearest point; dragging or the keys + - and the arrows zoom and move, a double click or
 * 0 shows all again; with the chart in focus, PageUp and PageDown step from point to point and Enter chooses one. Ctrl and
 * the wheel zoom, in focus the wheel alone. `csv()` is what is shown now. `select` marks a point from outside, `onRange` links the axes of charts. */
import { download, el, svg } from '../dom';
import { number, tick } from '../format';
import type { Tooltip } from '../tooltip';
import { counted, stepOf, takes, ticksOf, uncounted } from './scale';
import type { AxisSpec } from './scale';

export type Mark = 'circle' | 'square' | 'triangle' | 'diamond' | 'cross' | 'plus' | 'ring' | 'dot';

export interface Series {
  name: string;
  x: (number | null)[];
  y: (number | null)[];
  /** 0 .. 7 of the palette, -1 grey; without it by the place in the list. */
  colour?: number;
  line?: boolean;
  dashed?: boolean;
  mark?: Mark;
  /** What is said of a point beside its values. */
  tips?: string[];
  /** Not in the legend. */
  unnamed?: boolean;
}

/** value[i][j] in the cell x[j] .. x[j + 1], y[i] .. y[i + 1]; edges are 0, 1, 2, .. where they are left out. */
export interface Cells {
  x?: number[];
  y?: number[];
  value: (number | null)[][];
  title: string;
  range?: [number, number];
  diverging?: boolean;
}

export interface ChartSpec {
  /** For screen readers: what is shown, and where its numbers are besides. */
  label: string;
  x: AxisSpec;
  y: AxisSpec;
  series: Series[];
  cells?: Cells;
  /** A unit is as long on both axes. */
  equal?: boolean;
  height?: number;
  /** Room for long names beside the y axis, pixels. */
  left?: number;
  /** Of the file that is offered: "response.csv". */
  file?: string;
}

export interface ChartLinks {
  /** A point, or a cell (series -1, index i * columns + j), was chosen. */
  choose?: (series: number, index: number) => void;
  /** The reader moved the x axis. */
  onRange?: (range: [number, number]) => void;
}

interface Place {
  series: number;
  index: number;
  x: number;
  y: number;
}

type Range = [number, number];

const margin = { left: 66, right: 22, top: 10, bottom: 40 };
const bar = 76;
const sequential = ['#440154', '#482878', '#3e4a89', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58', '#fde725'];
const diverging = ['#2166ac', '#4393c3', '#92c5de', '#d1e5f0', '#f7f7f7', '#fddbc7', '#f4a582', '#d6604d', '#b2182b'];

let charts = 0;

function mix(ramp: string[], share: number): string {
  const at = 8 * Math.min(1, Math.max(0, share));
  const k = Math.min(7, Math.floor(at));
  const part = (text: string, i: number): number => parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
  const rgb = [0, 1, 2].map((i) => Math.round(part(ramp[k]!, i) + (at - k) * (part(ramp[k + 1]!, i) - part(ramp[k]!, i))));
  return `rgb(${rgb.join(' ')})`;
}

function markPath(mark: Mark, x: number, y: number, r: number): string {
  const at = (points: [number, number][]): string => points.map(([u, v], k) => `${k === 0 ? 'M' : 'L'}${x + r * u} ${y + r * v}`).join('');
  switch (mark) {
    case 'square': return `${at([[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]])}Z`;
    case 'triangle': return `${at([[0, -1.25], [1.15, 0.9], [-1.15, 0.9]])}Z`;
    case 'diamond': return `${at([[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]])}Z`;
    case 'dot': return markPath('circle', x, y, 0.7 * r);
    case 'cross': return at([[-1, -1], [1, 1]]) + at([[-1, 1], [1, -1]]);
    case 'plus': return at([[-1.2, 0], [1.2, 0]]) + at([[0, -1.2], [0, 1.2]]);
    case 'circle':
    case 'ring': return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  }
}

export class Chart {
  private readonly root: SVGSVGElement;
  private readonly box: HTMLElement;
  private readonly live = el('span', { class: 'visually-hidden', 'aria-live': 'polite' });
  private readonly id = `chart-${++charts}`;
  private all: { x: Range; y: Range };
  private x: Range;
  private y: Range;
  private at: Place | undefined;
  private marked: { series: number; index: number }[] = [];

  constructor(parent: HTMLElement, private spec: ChartSpec, private readonly tooltip: Tooltip,
    private readonly links: ChartLinks = {}) {
    this.root = svg('svg', {
      role: 'application', tabindex: 0, 'aria-roledescription': 'chart', 'aria-label': `${spec.label}. Page up and page down `
        + 'step from point to point, enter chooses, plus and minus zoom, arrows move, 0 shows all, escape leaves.',
    });
    this.box = el('div', { class: 'chart-box' });
    this.box.append(this.root);
    const save = el('button', { class: 'text', type: 'button' }, 'CSV');
    save.title = 'Save the values that are shown';
    save.addEventListener('click', () => {
      download(this.spec.file ?? 'chart.csv', new Blob([this.csv()], { type: 'text/csv;charset=utf-8' }));
    });
    const whole = el('button', { class: 'text', type: 'button' }, 'Show all');
    whole.addEventListener('click', () => { this.reset(); });
    parent.append(el('div', { class: 'chart' }, el('div', { class: 'chart-head' }, this.legend(), el('div', { class: 'buttons' }, whole, save)),
      this.box, this.live));
    this.all = this.extent();
    [this.x, this.y] = [this.all.x, this.all.y];
    this.listen();
    new ResizeObserver(() => { this.draw(); }).observe(this.box);
    this.draw();
  }

  /** Other data in the same place; the range is kept where `keep` says so. */
  show(spec: ChartSpec, keep = false): void {
    this.spec = spec;
    this.box.previousElementSibling?.firstElementChild?.replaceWith(this.legend());
    this.all = this.extent();
    if (!keep) [this.x, this.y] = [this.all.x, this.all.y];
    this.at = undefined;
    this.draw();
  }

  /** Mark points that were chosen elsewhere. */
  select(points: { series: number; index: number }[]): void {
    this.marked = points;
    this.drawMarked();
  }

  setRange(range: Range): void {
    this.x = range;
    this.draw();
  }

  reset(): void {
    [this.x, this.y] = [this.all.x, this.all.y];
    this.draw();
    this.links.onRange?.(this.x);
  }

  /** The points within the axes, or the cells. */
  csv(): string {
    const { x, y, series, cells } = this.spec;
    const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
    const lines = [[cells === undefined ? 'series' : cells.title, x.title, y.title].map(cell).join(',')];
    if (cells !== undefined) {
      cells.value.forEach((row, i) => {
        row.forEach((v, j) => { lines.push([v === null ? '' : String(v), cell(this.nameOfCell(x, cells.x, j)), cell(this.nameOfCell(y, cells.y, i))].join(',')); });
      });
    }
    series.forEach((s) => {
      s.x.forEach((u, k) => {
        const v = s.y[k];
        if (takes(x, u) && takes(y, v) && this.within(u, v)) lines.push([cell(s.name), String(u), String(v)].join(','));
      });
    });
    return `${lines.join('\r\n')}\r\n`;
  }

  // ---- what is shown ---------------------------------------------------------------------------

  private nameOfCell(axis: AxisSpec, edges: number[] | undefined, k: number): string {
    if (axis.names !== undefined) return axis.names[k] ?? '';
    return edges === undefined ? String(k) : `${edges[k]} .. ${edges[k + 1]}`;
  }

  private within(u: number, v: number): boolean {
    return u >= this.x[0] && u <= this.x[1] && v >= this.y[0] && v <= this.y[1];
  }

  private colour(k: number): string {
    const c = this.spec.series[k]!.colour ?? k;
    return c < 0 ? 'grey' : String(c % 8);
  }

  private legend(): HTMLElement {
    const names = new Set<string>();
    const list = el('ul', { class: 'chart-legend' });
    this.spec.series.forEach((s, k) => {
      if (s.unnamed === true || names.has(s.name)) return;
      names.add(s.name);
      const sample = svg('svg', { viewBox: '0 0 26 12', width: 26, height: 12, 'aria-hidden': 'true', 'data-colour': this.colour(k) });
      if (s.line === true) sample.append(svg('path', { class: 'line', d: 'M1 6h24', ...(s.dashed === true ? { 'stroke-dasharray': '6 4' } : {}) }));
      if (s.mark !== undefined) sample.append(svg('path', { class: 'mark', 'data-mark': s.mark, d: markPath(s.mark, 13, 6, 4) }));
      list.append(el('li', {}, sample, s.name));
    });
    return list;
  }

  private rangeOf(axis: AxisSpec, values: (number | null | undefined)[], loose: boolean): Range {
    if (axis.range !== undefined) return axis.range;
    let [low, high] = [Infinity, -Infinity];
    for (const v of values) {
      if (!takes(axis, v)) continue;
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
    if (low > high) return axis.logarithmic === true ? [0.5, 2] : [-1, 1];
    let [a, b] = [counted(axis, low), counted(axis, high)];
    if (b - a <= 1e-12 * Math.max(Math.abs(a), Math.abs(b)) || a === b) {
      const half = axis.logarithmic === true ? 0.3 : 0.1 * Math.abs(a) || 1;
      [a, b] = [a - half, b + half];
    }
    const more = loose ? 0.06 * (b - a) : 0;
    return [uncounted(axis, a - more), uncounted(axis, b + more)];
  }

  private extent(): { x: Range; y: Range } {
    const { x, y, series, cells, equal } = this.spec;
    const xs: (number | null)[] = [];
    const ys: (number | null)[] = [];
    for (const s of series) {
      s.x.forEach((u, k) => {
        const v = s.y[k];
        if (takes(x, u) && takes(y, v)) {
          xs.push(u);
          ys.push(v);
        }
      });
    }
    if (cells !== undefined) {
      xs.push(...(cells.x ?? [0, cells.value[0]?.length ?? 1]));
      ys.push(...(cells.y ?? [0, cells.value.length]));
    }
    const loose = cells === undefined;
    return { x: this.rangeOf(x, xs, loose && equal === true), y: this.rangeOf(y, ys, loose) };
  }

  // ---- places ----------------------------------------------------------------------------------

  private get inner(): { x: number; y: number; width: number; height: number } {
    const right = margin.right + (this.spec.cells === undefined ? 0 : bar);
    const left = this.spec.left ?? margin.left;
    return {
      x: left, y: margin.top, width: Math.max(this.box.clientWidth - left - right, 20),
      height: (this.spec.height ?? 260) - margin.top - margin.bottom,
    };
  }

  /** The ranges that are drawn: of equal axes the one with room to spare shows more. */
  private seen(): { x: Range; y: Range } {
    if (this.spec.equal !== true) return { x: this.x, y: this.y };
    const { width, height } = this.inner;
    const scale = Math.max((this.x[1] - this.x[0]) / width, (this.y[1] - this.y[0]) / height);
    const around = (r: Range, size: number): Range => [(r[0] + r[1] - scale * size) / 2, (r[0] + r[1] + scale * size) / 2];
    return { x: around(this.x, width), y: around(this.y, height) };
  }

  private placing(): { px: (u: number) => number; py: (v: number) => number } {
    const { x, y, width, height } = this.inner;
    const seen = this.seen();
    const share = (axis: AxisSpec, [low, high]: Range, v: number): number =>
      (counted(axis, v) - counted(axis, low)) / (counted(axis, high) - counted(axis, low));
    return {
      px: (u) => x + width * share(this.spec.x, seen.x, u),
      py: (v) => y + height * (1 - share(this.spec.y, seen.y, v)),
    };
  }

  // ---- drawing ---------------------------------------------------------------------------------

  private draw(): void {
    const { inner } = this;
    const height = this.spec.height ?? 260;
    this.box.style.height = `${height}px`;
    this.root.setAttribute('viewBox', `0 0 ${Math.max(this.box.clientWidth, 160)} ${height}`);
    const clip = svg('clipPath', { id: this.id }, svg('rect', inner));
    const plot = svg('g', { 'clip-path': `url(#${this.id})` });
    const labels = svg('g');
    if (this.spec.cells !== undefined) this.drawCells(this.spec.cells, plot, labels);
    this.drawGrid(plot, labels);
    this.spec.series.forEach((_, k) => { this.drawSeries(plot, k); });
    this.root.replaceChildren(svg('defs', {}, clip), plot, svg('rect', { class: 'frame', ...inner }), labels, svg('g', { class: 'chosen-marks' }),
      svg('text', { x: inner.x + inner.width / 2, y: height - 6, 'text-anchor': 'middle' }, this.spec.x.title),
      svg('text', { 'text-anchor': 'middle', transform: `translate(13 ${inner.y + inner.height / 2}) rotate(-90)` }, this.spec.y.title));
    this.drawMarked();
  }

  private drawGrid(plot: SVGElement, labels: SVGElement): void {
    const { inner } = this;
    const { px, py } = this.placing();
    const seen = this.seen();
    const bottom = inner.y + inner.height;
    const style = (at: number, labelled: boolean): string => (at === 0 ? 'zero' : labelled ? 'tick' : 'minor');
    const names = (axis: AxisSpec): { at: number; labelled: boolean }[] | undefined => axis.names?.map((_, k) => ({ at: k + 0.5, labelled: true }));
    const word = (axis: AxisSpec, at: number, step: number): string => axis.names?.[Math.floor(at)] ?? tick(at, step);
    const across = names(this.spec.x) ?? ticksOf(this.spec.x, ...seen.x, inner.width / 80);
    for (const t of across) {
      const x = px(t.at);
      if (x < inner.x - 0.5 || x > inner.x + inner.width + 0.5) continue;
      if (this.spec.x.names === undefined) plot.append(svg('line', { class: style(t.at, t.labelled), x1: x, x2: x, y1: inner.y, y2: bottom }));
      if (t.labelled) labels.append(svg('text', { x, y: bottom + 15, 'text-anchor': 'middle' }, word(this.spec.x, t.at, stepOf(this.spec.x, across))));
    }
    const upwards = names(this.spec.y) ?? ticksOf(this.spec.y, ...seen.y, inner.height / 36);
    for (const t of upwards) {
      const y = py(t.at);
      if (y < inner.y - 0.5 || y > bottom + 0.5) continue;
      if (this.spec.y.names === undefined) plot.append(svg('line', { class: style(t.at, t.labelled), y1: y, y2: y, x1: inner.x, x2: inner.x + inner.width }));
      if (t.labelled) labels.append(svg('text', { x: inner.x - 6, y: y + 4, 'text-anchor': 'end' }, word(this.spec.y, t.at, stepOf(this.spec.y, upwards))));
    }
  }

  private drawSeries(plot: SVGElement, k: number): void {
    const { x, y } = this.spec;
    const s = this.spec.series[k]!;
    const { px, py } = this.placing();
    const group = svg('g', { 'data-colour': this.colour(k) });
    const limit = (v: number): string => Math.max(-1e5, Math.min(1e5, v)).toFixed(1);
    let line = '';
    let marks = '';
    let pen = false;
    s.x.forEach((u, i) => {
      const v = s.y[i];
      if (!takes(x, u) || !takes(y, v)) {
        pen = false;
        return;
      }
      if (s.line === true) line += `${pen ? 'L' : 'M'}${limit(px(u))} ${limit(py(v))}`;
      if (s.mark !== undefined && this.nearPlot(px(u), py(v))) marks += markPath(s.mark, px(u), py(v), 4);
      pen = true;
    });
    if (line !== '') group.append(svg('path', { class: 'line', d: line, ...(s.dashed === true ? { 'stroke-dasharray': '6 4' } : {}) }));
    if (marks !== '') group.append(svg('path', { class: 'mark', 'data-mark': s.mark ?? '', d: marks }));
    plot.append(group);
  }

  private nearPlot(u: number, v: number): boolean {
    const { x, y, width, height } = this.inner;
    return u > x - 9 && u < x + width + 9 && v > y - 9 && v < y + height + 9;
  }

  private cellRange(cells: Cells): Range {
    if (cells.range !== undefined) return cells.range;
    const values = cells.value.flat().filter((v): v is number => v !== null && Number.isFinite(v));
    const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    const low = values.reduce((a, b) => Math.min(a, b), Infinity);
    if (low > high) return [-1, 1];
    const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
    if (cells.diverging === true) return [-most, most];
    return low < high ? [low, high] : [low - 1, high + 1];
  }

  private drawCells(cells: Cells, plot: SVGElement, labels: SVGElement): void {
    const { px, py } = this.placing();
    const [low, high] = this.cellRange(cells);
    const ramp = cells.diverging === true ? diverging : sequential;
    const edge = (edges: number[] | undefined, k: number): number => edges?.[k] ?? k;
    cells.value.forEach((row, i) => {
      row.forEach((v, j) => {
        if (v === null || !Number.isFinite(v)) return;
        const [x0, x1] = [px(edge(cells.x, j)), px(edge(cells.x, j + 1))];
        const [y0, y1] = [py(edge(cells.y, i + 1)), py(edge(cells.y, i))];
        plot.append(svg('rect', { class: 'cell', x: x0, y: y0, width: Math.abs(x1 - x0), height: Math.abs(y1 - y0), fill: mix(ramp, (v - low) / (high - low)) }));
      });
    });
    const { x, y, width, height } = this.inner;
    const from = x + width + 12;
    for (let k = 0; k < 32; k++) labels.append(svg('rect', { x: from, y: y + height * (31 - k) / 32, width: 12, height: height / 32 + 0.5, fill: mix(ramp, (k + 0.5) / 32) }));
    const scale = ticksOf({ title: '' }, low, high, height / 36);
    for (const t of scale) {
      labels.append(svg('text', { x: from + 17, y: y + height * (high - t.at) / (high - low) + 4 }, tick(t.at, stepOf({ title: '' }, scale))));
    }
  }

  private drawMarked(): void {
    const group = this.root.querySelector('.chosen-marks');
    if (group === null) return;
    const rings: SVGElement[] = [];
    const { px, py } = this.placing();
    for (const { series, index } of [...this.marked, ...(this.at === undefined ? [] : [this.at])]) {
      const s = this.spec.series[series];
      const [u, v] = [s?.x[index], s?.y[index]];
      if (!takes(this.spec.x, u) || !takes(this.spec.y, v) || !this.nearPlot(px(u), py(v))) continue;
      rings.push(svg('circle', { class: 'chosen', cx: px(u), cy: py(v), r: 7 }));
    }
    group.replaceChildren(...rings);
  }

  // ---- the reader ------------------------------------------------------------------------------

  private nearest(mx: number, my: number, reach: number): Place | undefined {
    const { px, py } = this.placing();
    let best: Place | undefined;
    let least = reach;
    this.spec.series.forEach((s, series) => {
      s.x.forEach((u, index) => {
        const v = s.y[index];
        if (!takes(this.spec.x, u) || !takes(this.spec.y, v)) return;
        const place = { series, index, x: px(u), y: py(v) };
        const distance = Math.hypot(place.x - mx, place.y - my);
        if (distance < least && this.nearPlot(place.x, place.y)) {
          least = distance;
          best = place;
        }
      });
    });
    return best;
  }

  private words(place: { series: number; index: number }): string {
    const s = this.spec.series[place.series]!;
    const tip = s.tips?.[place.index];
    return [s.name, `${this.spec.x.title}: ${number(s.x[place.index], 6)}`, `${this.spec.y.title}: ${number(s.y[place.index], 6)}`,
      ...(tip === undefined ? [] : [tip])].join('\n');
  }

  private cellAt(mx: number, my: number): number | undefined {
    const { cells } = this.spec;
    if (cells === undefined) return undefined;
    const { px, py } = this.placing();
    const find = (edges: number[] | undefined, n: number, place: (v: number) => number, at: number): number =>
      Array.from({ length: n }, (_, k) => k).findIndex((k) => {
        const [a, b] = [place(edges?.[k] ?? k), place(edges?.[k + 1] ?? k + 1)];
        return at >= Math.min(a, b) && at < Math.max(a, b);
      });
    const columns = cells.value[0]?.length ?? 0;
    const [i, j] = [find(cells.y, cells.value.length, py, my), find(cells.x, columns, px, mx)];
    return i < 0 || j < 0 ? undefined : i * columns + j;
  }

  private cellWords(k: number): string {
    const cells = this.spec.cells!;
    const columns = cells.value[0]!.length;
    const [i, j] = [Math.floor(k / columns), k % columns];
    return `${this.nameOfCell(this.spec.y, cells.y, i)}\n${this.nameOfCell(this.spec.x, cells.x, j)}\n${cells.title}: ${number(cells.value[i]![j], 6)}`;
  }

  private position(event: MouseEvent): [number, number] {
    const box = this.root.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private hover(event: PointerEvent): void {
    const [mx, my] = this.position(event);
    const place = this.nearest(mx, my, event.pointerType === 'touch' ? 36 : 24);
    const cell = place === undefined ? this.cellAt(mx, my) : undefined;
    this.at = place;
    this.drawMarked();
    if (place !== undefined) this.tooltip.show(this.words(place), event.clientX, event.clientY);
    else if (cell !== undefined) this.tooltip.show(this.cellWords(cell), event.clientX, event.clientY);
    else this.tooltip.hide();
  }

  private move(range: Range, axis: AxisSpec, low: number, high: number): Range {
    const [a, b] = [counted(axis, range[0]), counted(axis, range[1])];
    const next: Range = [uncounted(axis, a + low * (b - a)), uncounted(axis, a + high * (b - a))];
    return takes(axis, next[0]) && takes(axis, next[1]) && next[0] < next[1] ? next : range;
  }

  /** The part of the plot from share x0 to x1 (left to right) and y0 to y1 (from below). */
  private view(x0: number, x1: number, y0: number, y1: number): void {
    const seen = this.seen();
    this.x = this.move(seen.x, this.spec.x, x0, x1);
    this.y = this.move(seen.y, this.spec.y, y0, y1);
    this.draw();
    this.links.onRange?.(this.x);
  }

  private step(by: number): void {
    const place = this.at ?? { series: 0, index: by > 0 ? -1 : this.spec.series[0]?.x.length ?? 0 };
    let { series, index } = place;
    for (;;) {
      index += by;
      const s = this.spec.series[series];
      if (s === undefined) return;
      if (index < 0 || index >= s.x.length) {
        series += by;
        index = by > 0 ? -1 : this.spec.series[series]?.x.length ?? 0;
        continue;
      }
      const [u, v] = [s.x[index], s.y[index]];
      if (!takes(this.spec.x, u) || !takes(this.spec.y, v) || !this.within(u, v)) continue;
      const { px, py } = this.placing();
      this.at = { series, index, x: px(u), y: py(v) };
      break;
    }
    this.drawMarked();
    const box = this.root.getBoundingClientRect();
    this.tooltip.show(this.words(this.at), box.left + this.at.x, box.top + this.at.y);
    this.live.textContent = this.words(this.at);
  }

  private key(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    switch (event.key) {
      case '+': case '=': this.view(0.15, 0.85, 0.15, 0.85); return true;
      case '-': this.view(-0.2, 1.2, -0.2, 1.2); return true;
      case '0': this.reset(); return true;
      case 'ArrowLeft': this.view(-0.15, 0.85, 0, 1); return true;
      case 'ArrowRight': this.view(0.15, 1.15, 0, 1); return true;
      case 'ArrowUp': this.view(0, 1, 0.15, 1.15); return true;
      case 'ArrowDown': this.view(0, 1, -0.15, 0.85); return true;
      case 'PageDown': this.step(1); return true;
      case 'PageUp': this.step(-1); return true;
      case 'Enter':
        if (this.at !== undefined) this.links.choose?.(this.at.series, this.at.index);
        return true;
      case 'Escape':
        this.tooltip.hide();
        this.root.blur();
        return true;
      default: return false;
    }
  }

  private listen(): void {
    this.listenToPointer();
    this.root.addEventListener('dblclick', () => { this.reset(); });
    this.root.addEventListener('blur', () => {
      this.at = undefined;
      this.tooltip.hide();
      this.drawMarked();
    });
    this.root.addEventListener('keydown', (event) => {
      if (!this.key(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.root.addEventListener('wheel', (event) => {
      // Plain scrolling is the page's, until the chart is in focus.
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.root) return;
      event.preventDefault();
      const { x, y, width, height } = this.inner;
      const [mx, my] = this.position(event);
      const [s, t] = [(mx - x) / width, 1 - (my - y) / height];
      const factor = Math.exp(Math.max(-1, Math.min(1, event.deltaY / 200)));
      this.view(s - factor * s, s + factor * (1 - s), t - factor * t, t + factor * (1 - t));
    }, { passive: false });
  }

  /** A drag with the mouse spans the part that is shown next. */
  private listenToPointer(): void {
    let from: [number, number] | undefined;
    const span = svg('rect', { class: 'span' });
    this.root.addEventListener('pointerdown', (event) => {
      if (event.pointerType === 'mouse' && event.button === 0) from = this.position(event);
    });
    this.root.addEventListener('pointermove', (event) => {
      if (from === undefined || event.buttons !== 1) {
        this.hover(event);
        return;
      }
      const [mx, my] = this.position(event);
      const rectangle = { x: Math.min(mx, from[0]), y: Math.min(my, from[1]), width: Math.abs(mx - from[0]), height: Math.abs(my - from[1]) };
      for (const [name, value] of Object.entries(rectangle)) span.setAttribute(name, String(value));
      this.root.append(span);
      this.tooltip.hide();
    });
    this.root.addEventListener('pointerleave', () => {
      this.at = undefined;
      this.drawMarked();
      this.tooltip.hide();
    });
    this.root.addEventListener('pointerup', (event) => {
      const [mx, my] = this.position(event);
      const start = from;
      from = undefined;
      span.remove();
      const { x, y, width, height } = this.inner;
      if (start !== undefined && Math.abs(mx - start[0]) > 6 && Math.abs(my - start[1]) > 6) {
        const xs = [(mx - x) / width, (start[0] - x) / width].sort((a, b) => a - b);
        const ys = [1 - (my - y) / height, 1 - (start[1] - y) / height].sort((a, b) => a - b);
        this.view(xs[0]!, xs[1]!, ys[0]!, ys[1]!);
        return;
      }
      const place = this.nearest(mx, my, 24);
      const cell = place === undefined ? this.cellAt(mx, my) : undefined;
      if (place !== undefined) this.links.choose?.(place.series, place.index);
      else if (cell !== undefined) this.links.choose?.(-1, cell);
    });
  }
}
