/* What `routh confirm` found: the spectrum of the response with the eigenfrequencies marked, and a table with bars. */
import type { Confirmation, ConfirmedMode } from './data';
import { byId, el, svg } from './dom';
import { number } from './format';

const size = { width: 960, height: 300, left: 58, right: 14, top: 12, bottom: 40 };
const decades = 8;

interface Axes {
  x: (hertz: number) => number;
  y: (amplitude: number) => number;
  most: number;
  top: number;
}

/* To a little beyond the last eigenfrequency; eight decades of amplitude. */
function axesOf(confirmation: Confirmation): Axes {
  const { amplitude, step_hz } = confirmation.spectrum!;
  const end = step_hz * amplitude.length;
  const last = confirmation.modes.reduce((most, m) => Math.max(most, m.damped_frequency_hz), 0);
  const most = last > 0 ? Math.min(1.4 * last, end) : end;
  const largest = amplitude.reduce((a, b) => Math.max(a, b), 0) || 1;
  const top = Math.ceil(Math.log10(largest));
  return {
    most, top,
    x: (hertz) => size.left + hertz / most * (size.width - size.left - size.right),
    y: (a) => {
      const level = a > 0 ? Math.max(Math.log10(a), top - decades) : top - decades;
      return size.top + (top - level) / decades * (size.height - size.top - size.bottom);
    },
  };
}

function round(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * ([1, 2, 5, 10].find((m) => m * power >= raw) ?? 10);
}

function grid(axes: Axes): SVGElement[] {
  const out: SVGElement[] = [];
  const bottom = size.height - size.bottom;
  for (let power = axes.top - decades; power <= axes.top; power += 2) {
    const y = axes.y(10 ** power);
    out.push(svg('line', { class: 'tick', x1: size.left, x2: size.width - size.right, y1: y, y2: y }),
      svg('text', { x: size.left - 6, y: y + 4, 'text-anchor': 'end' }, number(10 ** power, 1)));
  }
  const step = round(axes.most / 8);
  for (let k = 0; k * step <= axes.most; k++) {
    const x = axes.x(k * step);
    out.push(svg('line', { class: 'tick', x1: x, x2: x, y1: size.top, y2: bottom }),
      svg('text', { x, y: bottom + 16, 'text-anchor': 'middle' }, number(k * step, 3)));
  }
  out.push(svg('text', { x: (size.left + size.width) / 2, y: size.height - 6, 'text-anchor': 'middle' }, 'Frequency, Hz'));
  return out;
}

function picture(confirmation: Confirmation): SVGElement {
  const { amplitude, step_hz } = confirmation.spectrum!;
  const axes = axesOf(confirmation);
  const points = amplitude.map((a, k) => ({ x: axes.x((k + 0.5 * (step_hz > confirmation.experiment!.resolution_hz ? 1 : 0)) * step_hz), y: axes.y(a) }))
    .filter((p) => p.x <= size.width - size.right + 1);
  const root = svg('svg', {
    class: 'spectrum', viewBox: `0 0 ${size.width} ${size.height}`, role: 'img',
    'aria-label': 'Spectrum of the response with the eigenfrequencies marked; the table below has the same values',
  }, ...grid(axes));
  for (const mode of confirmation.modes.filter((m) => m.damped_frequency_hz > 0)) {
    const x = axes.x(mode.damped_frequency_hz);
    root.append(svg('line', { class: 'mark', 'data-verdict': mode.verdict, x1: x, x2: x, y1: size.top, y2: size.height - size.bottom },
      svg('title', {}, `${number(mode.damped_frequency_hz, 6)} Hz, ${mode.verdict}`)));
  }
  root.append(svg('path', { class: 'line', d: points.map((p, k) => `${k === 0 ? 'M' : 'L'}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join('') }));
  return root;
}

function withBar(value: number | null, bar: number | null, digits: number): string {
  return value === null ? '\u2013' : `${number(value, digits)} \u00b1 ${number(bar, 2)}`;
}

function line(mode: ConfirmedMode): HTMLElement {
  const cells = [
    number(mode.damped_frequency_hz, 7), withBar(mode.found_frequency_hz, mode.frequency_bar_hz, 7), number(mode.peak_hz, 5),
    number(Math.abs(mode.eigenvalue[0]) < 1e-12 * Math.hypot(...mode.eigenvalue) ? 0 : mode.eigenvalue[0], 6), withBar(mode.found[0], mode.bar[0], 6), number(mode.distance, 2),
  ];
  const verdict = el('td', { class: 'name verdict-cell', 'data-verdict': mode.verdict }, mode.verdict + (mode.why === null ? '' : `: ${mode.why}`));
  return el('tr', {}, ...cells.map((text) => el('td', {}, text)), verdict);
}

export function showConfirmation(confirmation: Confirmation | undefined): void {
  if (confirmation === undefined) return;
  const box = byId('confirm');
  byId('confirm-card').hidden = false;
  byId('confirm-verdict').textContent =
    `${confirmation.confirmed} confirmed, ${confirmation.not_seen} not seen, ${confirmation.contradicted} contradicted`;
  byId('confirm-verdict').dataset['state'] = confirmation.contradicted > 0 ? 'unstable' : confirmation.not_seen > 0 ? 'other' : 'stable';
  const e = confirmation.experiment;
  if (e !== undefined) {
    box.append(el('p', { class: 'hint' },
      `The model itself, disturbed by ${number(e.amplitude, 2)} of its length or rad in each mode and integrated by ${e.integrator}: ` +
      `${e.samples} samples in ${number(e.duration, 4)} s, ${e.runs === 1 ? 'one start' : `${e.runs} starts`}. ` +
      `Resolution of the spectrum ${number(e.resolution_hz, 3)} Hz. Not linear: ${number(e.even, 2)} (even, taken out), ${number(e.odd, 2)} (change with twice the amplitude).`));
  }
  if (confirmation.spectrum !== undefined) box.append(picture(confirmation));
  const heads = ['Frequency, Hz', 'found, Hz', 'peak, Hz', 'Real part, 1/s', 'found, 1/s', 'distance', 'verdict'];
  box.append(el('div', { class: 'block' }, el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Eigenvalues and what was found' },
    el('table', {}, el('thead', {}, el('tr', {}, ...heads.map((h) => el('th', { scope: 'col', class: h === 'verdict' ? 'name' : '' }, h)))),
      el('tbody', {}, ...confirmation.modes.map(line))))));
}
