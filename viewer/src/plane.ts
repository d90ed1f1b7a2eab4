/* The eigenvalues in the complex plane. */
import type { Report } from './data';
import { svg } from './dom';
import { eigenvalue, number, percent, tick } from './format';
import { rowOfEigenvalue } from './modes';
import type { Row } from './modes';
import type { Selection } from './selection';
import type { Tooltip } from './tooltip';

interface Range {
  low: number;
  high: number;
}

const margin = { left: 58, right: 14, top: 10, bottom: 40 };

/** A scale that is linear near zero and logarithmic beyond `knee`. */
class Scale {
  constructor(private readonly knee: number) {}

  to(x: number): number {
    if (this.knee === 0) return x;
    return Math.asinh(x / this.knee);
  }

  from(u: number): number {
    if (this.knee === 0) return u;
    return Math.sinh(u) * this.knee;
  }
}

/** Round numbers within a range. */
function ticks(range: Range, count: number): number[] {
  const raw = (range.high - range.low) / count;
  if (!(raw > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= raw) ?? 10);
  const out: number[] = [];
  for (let k = Math.ceil(range.low / step); k * step <= range.high; k++) out.push(k * step);
  return out;
}

/** Powers of ten on both sides of zero. */
function logTicks(low: number, high: number, knee: number): number[] {
  const out = [0];
  const first = Math.floor(Math.log10(knee)) + 1;
  const last = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high), knee)));
  const stride = Math.max(1, Math.ceil((last - first + 1) / 4));
  for (let p = last; p >= first; p -= stride) out.push(10 ** p, -(10 ** p));
  return out.filter((x) => x >= low && x <= high).sort((a, b) => a - b);
}

export class Plane {
  private readonly root = svg('svg', { role: 'img', 'aria-label': 'Eigenvalues in the complex plane; the table of modes has the same values' });
  private readonly owner: (Row | undefined)[];
  private readonly points: SVGElement[] = [];
  private x: Range = { low: -1, high: 1 };
  private y: Range = { low: -1, high: 1 };
  private xScale = new Scale(0);
  private yScale = new Scale(0);
  private logarithmic = false;

  constructor(private readonly box: HTMLElement, private readonly report: Report, rows: Row[],
    private readonly selection: Selection, private readonly tooltip: Tooltip,
    log: HTMLInputElement) {
    this.owner = rowOfEigenvalue(report, rows);
    this.root.tabIndex = -1;
    box.append(this.root);
    this.listen();
    selection.listen(() => { this.drawChosen(); });
    new ResizeObserver(() => { this.draw(); }).observe(box);
    this.logarithmic = log.checked = this.crowded();
    log.addEventListener('change', () => {
      this.logarithmic = log.checked;
      this.fit();
    });
    this.fit();
  }

  /** True where most eigenvalues would lie in one heap at the origin. */
  private crowded(): boolean {
    const sizes = this.report.modes.map((m) => Math.hypot(...m.eigenvalue)).filter((s) => s > 0).sort((a, b) => a - b);
    return sizes.length > 4 && sizes[sizes.length >> 1]! < (sizes[sizes.length - 1] ?? 0) / 12;
  }

  /** Show all eigenvalues. */
  fit(): void {
    const all = this.report.modes.map((m) => m.eigenvalue);
    const knee = (k: 0 | 1): number => {
      const sizes = all.map((s) => Math.abs(s[k])).filter((v) => v > 1e-12).sort((a, b) => a - b);
      const most = sizes[sizes.length - 1] ?? 1;
      return Math.max(sizes[0] ?? 1, 1e-6 * most);
    };
    this.xScale = new Scale(this.logarithmic ? knee(0) : 0);
    this.yScale = new Scale(this.logarithmic ? knee(1) : 0);
    const xs = all.map((s) => this.xScale.to(s[0]));
    const ys = all.map((s) => this.yScale.to(s[1]));
    const high = ys.reduce((a, b) => Math.max(a, Math.abs(b)), 0) || 1;
    const left = xs.reduce((a, b) => Math.min(a, b), 0);
    const right = xs.reduce((a, b) => Math.max(a, b), 0);
    const width = right - left || 1;
    this.x = { low: left - 0.1 * width, high: right + 0.14 * width };
    this.y = { low: -1.12 * high, high: 1.12 * high };
    this.draw();
  }

  private get width(): number {
    return Math.max(this.box.clientWidth, 120);
  }

  private get height(): number {
    return Math.max(this.box.clientHeight, 120);
  }

  private px(u: number): number {
    return margin.left + (u - this.x.low) / (this.x.high - this.x.low) * (this.width - margin.left - margin.right);
  }

  private py(u: number): number {
    return margin.top + (this.y.high - u) / (this.y.high - this.y.low) * (this.height - margin.top - margin.bottom);
  }

  private place(k: number): [number, number] {
    const [re, im] = this.report.modes[k]!.eigenvalue;
    return [this.px(this.xScale.to(re)), this.py(this.yScale.to(im))];
  }

  private draw(): void {
    const { width, height } = this;
    this.root.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const inner = { x: margin.left, y: margin.top, width: width - margin.left - margin.right, height: height - margin.top - margin.bottom };
    const clip = svg('clipPath', { id: 'plane-clip' }, svg('rect', inner));
    const plot = svg('g', { 'clip-path': 'url(#plane-clip)' });
    const zero = this.px(0);
    if (zero < width) {
      plot.append(svg('rect', { class: 'right-half', x: Math.max(zero, inner.x), y: inner.y, width: Math.max(width - Math.max(zero, inner.x), 0), height: inner.height }));
    }
    const labels = svg('g');
    this.drawGrid(plot, labels, inner);
    if (!this.logarithmic) this.drawRays(plot, labels);
    this.points.length = 0;
    this.report.modes.forEach((_, k) => { this.drawPoint(plot, k); });
    plot.append(svg('g', { class: 'marks' }));
    this.root.replaceChildren(svg('defs', {}, clip), plot, labels,
      svg('text', { x: inner.x + inner.width / 2, y: height - 6, 'text-anchor': 'middle' }, 'real part, 1/s'),
      svg('text', { x: 0, y: 0, 'text-anchor': 'middle', transform: `translate(12 ${inner.y + inner.height / 2}) rotate(-90)` }, 'imaginary part, rad/s'));
    this.drawChosen();
  }

  private drawGrid(plot: SVGElement, labels: SVGElement, inner: { x: number; y: number; width: number; height: number }): void {
    const values = (scale: Scale, range: Range, count: number, axis: 0 | 1): number[] => this.logarithmic
      ? logTicks(scale.from(range.low), scale.from(range.high), this.smallest(axis))
      : ticks(range, count);
    const step = (at: number[]): number => (this.logarithmic || at.length < 2 ? 0 : at[1]! - at[0]!);
    const across = values(this.xScale, this.x, Math.max(inner.width / 90, 2), 0);
    for (const v of across) {
      const x = this.px(this.xScale.to(v));
      plot.append(svg('line', { class: v === 0 ? 'axis' : 'tick', x1: x, x2: x, y1: inner.y, y2: inner.y + inner.height }));
      labels.append(svg('text', { x, y: inner.y + inner.height + 15, 'text-anchor': 'middle' }, tick(v, step(across))));
    }
    const upwards = values(this.yScale, this.y, Math.max(inner.height / 50, 2), 1);
    for (const v of upwards) {
      const y = this.py(this.yScale.to(v));
      plot.append(svg('line', { class: v === 0 ? 'axis' : 'tick', y1: y, y2: y, x1: inner.x, x2: inner.x + inner.width }));
      labels.append(svg('text', { x: inner.x - 6, y: y + 4, 'text-anchor': 'end' }, tick(v, step(upwards))));
    }
  }

  private smallest(axis: 0 | 1): number {
    const sizes = this.report.modes.map((m) => Math.abs(m.eigenvalue[axis])).filter((v) => v > 1e-12);
    const most = sizes.reduce((a, b) => Math.max(a, b), 0) || 1;
    return Math.max(sizes.reduce((a, b) => Math.min(a, b), most), 1e-6 * most);
  }

  /** Lines of equal damping ratio, from the origin. */
  private drawRays(plot: SVGElement, labels: SVGElement): void {
    const right = this.width - margin.right;
    for (const zeta of [0.01, 0.05, 0.1, 0.2, 0.5]) {
      const slope = Math.sqrt(1 - zeta * zeta) / zeta;
      // Where the ray leaves the picture: at its left or its upper edge.
      const reach = Math.min(-this.x.low, this.y.high / slope);
      if (reach <= 0) continue;
      const [x0, y0, x1] = [this.px(0), this.py(0), this.px(-reach)];
      const y1 = this.py(reach * slope);
      plot.append(svg('line', { class: 'ray', x1: x0, y1: y0, x2: x1, y2: y1 }),
        svg('line', { class: 'ray', x1: x0, y1: y0, x2: x1, y2: this.py(-reach * slope) }));
      if (Math.hypot(x1 - x0, y1 - y0) > 90 && x0 - x1 > 34 && x1 < right - 30) {
        labels.append(svg('text', { x: x1 + 6, y: Math.max(y1 - 3, margin.top + 11) }, `${number(100 * zeta, 1)} %`));
      }
    }
  }

  private drawPoint(plot: SVGElement, k: number): void {
    const row = this.owner[k];
    const [x, y] = this.place(k);
    const state = row?.stability ?? 'stable';
    const attributes = { class: 'point', 'data-state': state, 'data-index': k, 'data-mode': row?.id ?? '' };
    const r = this.report.modes.length > 400 ? 3.2 : 5.5;
    const mark = state === 'unstable'
      ? svg('path', { ...attributes, d: `M${x} ${y - 1.35 * r}L${x + 1.25 * r} ${y + r}H${x - 1.25 * r}Z` })
      : state === 'undamped'
        ? svg('path', { ...attributes, d: `M${x} ${y - 1.3 * r}L${x + 1.3 * r} ${y}L${x} ${y + 1.3 * r}L${x - 1.3 * r} ${y}Z` })
        : svg('circle', { ...attributes, cx: x, cy: y, r: state === 'rigid' ? r - 0.5 : r });
    this.points[k] = mark;
    plot.append(mark);
  }

  private drawChosen(): void {
    const marks = this.root.querySelector('.marks');
    if (marks === null) return;
    const row = this.selection.row;
    const rings: SVGElement[] = [];
    this.owner.forEach((owner, k) => {
      if (owner === undefined || owner !== row) return;
      const [x, y] = this.place(k);
      rings.push(svg('circle', { class: 'chosen', cx: x, cy: y, r: 10 }));
    });
    marks.replaceChildren(...rings);
  }

  /** The eigenvalue nearest to a place on the screen, within a finger's width. */
  private nearest(event: MouseEvent): number | undefined {
    const box = this.root.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const reach = (event as PointerEvent).pointerType === 'touch' ? 26 : 12;
    let best: number | undefined;
    let least = reach;
    this.report.modes.forEach((_, k) => {
      const [u, v] = this.place(k);
      const distance = Math.hypot(u - x, v - y);
      if (distance < least) {
        least = distance;
        best = k;
      }
    });
    return best;
  }

  private listen(): void {
    let from: { x: number; y: number; at: [Range, Range]; moved: boolean } | undefined;
    this.root.addEventListener('pointerdown', (event) => {
      if (event.pointerType === 'mouse') from = { x: event.clientX, y: event.clientY, at: [this.x, this.y], moved: false };
    });
    window.addEventListener('pointerup', () => { setTimeout(() => { from = undefined; }); });
    this.root.addEventListener('pointermove', (event) => {
      if (from !== undefined && event.buttons === 1) {
        const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
        if (Math.hypot(dx, dy) > 4) from.moved = true;
        if (from.moved) this.pan(from.at, dx, dy);
        return;
      }
      this.hover(event);
    });
    this.root.addEventListener('pointerleave', () => { this.tooltip.hide(); });
    this.root.addEventListener('click', (event) => {
      if (from?.moved === true) return;
      const k = this.nearest(event);
      const row = k === undefined ? undefined : this.owner[k];
      if (row !== undefined) this.selection.choose(row);
    });
    this.root.addEventListener('dblclick', () => { this.fit(); });
    this.root.addEventListener('wheel', (event) => {
      // Plain scrolling is the page's; with Ctrl (or a pinch on a touchpad) it zooms.
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.root) return;
      event.preventDefault();
      this.zoomAt(event, Math.exp(Math.max(-1, Math.min(1, event.deltaY / 200))));
    }, { passive: false });
  }

  private hover(event: PointerEvent): void {
    const k = this.nearest(event);
    const row = k === undefined ? undefined : this.owner[k];
    if (k === undefined || row === undefined) {
      this.tooltip.hide();
      return;
    }
    const [re, im] = row.mode.eigenvalue;
    const lines = [`Mode ${row.id}: ${row.name}`, `${eigenvalue(re, im)} 1/s`];
    if (row.oscillates) lines.push(`${number(row.mode.damped_frequency_hz, 5)} Hz, damping ${percent(row.mode.damping_ratio)} %`);
    this.tooltip.show(lines.join('\n'), event.clientX, event.clientY);
  }

  private pan([x, y]: [Range, Range], dx: number, dy: number): void {
    const u = dx * (x.high - x.low) / (this.width - margin.left - margin.right);
    const v = dy * (y.high - y.low) / (this.height - margin.top - margin.bottom);
    this.x = { low: x.low - u, high: x.high - u };
    this.y = { low: y.low + v, high: y.high + v };
    this.draw();
  }

  private zoomAt(event: WheelEvent, factor: number): void {
    const box = this.root.getBoundingClientRect();
    const s = (event.clientX - box.left - margin.left) / (this.width - margin.left - margin.right);
    const t = (event.clientY - box.top - margin.top) / (this.height - margin.top - margin.bottom);
    const u = this.x.low + s * (this.x.high - this.x.low);
    const v = this.y.high - t * (this.y.high - this.y.low);
    this.x = { low: u + factor * (this.x.low - u), high: u + factor * (this.x.high - u) };
    this.y = { low: v + factor * (this.y.low - v), high: v + factor * (this.y.high - v) };
    this.draw();
  }
}
