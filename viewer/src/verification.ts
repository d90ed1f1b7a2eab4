/* What `routh verify` found: the spectrum of the response with the eigenfrequencies marked, and a table with bars. */
import { Chart } from './chart/chart';
import type { Series } from './chart/chart';
import type { Verification, VerifiedMode } from './data';
import { byId, el } from './dom';
import { number } from './format';
import type { Selection } from './selection';
import type { Row } from './modes';
import type { Tooltip } from './tooltip';

const decades = 8;
const colours: Record<VerifiedMode['verdict'], number> = { confirmed: 2, 'not seen': 4, contradicted: 1 };

/** The spectrum from eight decades below its largest line up to a little beyond the last eigenfrequency, which are marked in it. */
function drawSpectrum(box: HTMLElement, verification: Verification, rows: Row[], selection: Selection, tooltip: Tooltip): void {
  const { amplitude, step_hz } = verification.spectrum!;
  const shift = step_hz > verification.experiment!.resolution_hz ? 0.5 : 0;
  const modes = verification.modes.filter((m) => m.damped_frequency_hz > 0);
  const last = modes.reduce((most, m) => Math.max(most, m.damped_frequency_hz), 0);
  const end = last > 0 ? Math.min(1.4 * last, step_hz * amplitude.length) : step_hz * amplitude.length;
  const top = 10 ** Math.ceil(Math.log10(amplitude.reduce((a, b) => Math.max(a, b), 0) || 1));
  const bottom = top / 10 ** decades;
  const marks = modes.map((m): Series => ({
    name: m.verdict, x: [m.damped_frequency_hz, m.damped_frequency_hz, m.damped_frequency_hz], y: [bottom, Math.sqrt(top * bottom), top],
    line: true, dashed: true, colour: colours[m.verdict], tips: Array<string>(3).fill(`eigenfrequency of a mode, ${m.verdict}`),
  }));
  const rowOf = (k: number): Row | undefined => {
    const [re, im] = modes[k]!.eigenvalue;
    return rows.find((row) => row.mode.eigenvalue[0] === re && Math.abs(row.mode.eigenvalue[1]) === Math.abs(im));
  };
  new Chart(box, {
    label: 'Spectrum of the response with the eigenfrequencies marked; the table below has the same values', file: 'spectrum.csv', height: 300,
    x: { title: 'frequency, Hz', range: [0, end] }, y: { title: 'amplitude', logarithmic: true, range: [bottom, top] },
    series: [{ name: 'simulated motion', x: amplitude.map((_, k) => (k + shift) * step_hz), y: amplitude, line: true }, ...marks],
  }, tooltip, {
    choose: (series) => {
      const row = series > 0 ? rowOf(series - 1) : undefined;
      if (row !== undefined) selection.choose(row);
    },
  });
}

function withBar(value: number | null, bar: number | null, digits: number): string {
  return value === null ? '\u2013' : `${number(value, digits)} \u00b1 ${number(bar, 2)}`;
}

function line(mode: VerifiedMode): HTMLElement {
  const cells = [
    number(mode.damped_frequency_hz, 7), withBar(mode.found_frequency_hz, mode.frequency_bar_hz, 7), number(mode.peak_hz, 5),
    number(Math.abs(mode.eigenvalue[0]) < 1e-12 * Math.hypot(...mode.eigenvalue) ? 0 : mode.eigenvalue[0], 6), withBar(mode.found[0], mode.bar[0], 6), number(mode.distance, 2),
  ];
  const verdict = el('td', { class: 'name verdict-cell', 'data-verdict': mode.verdict }, mode.verdict + (mode.why === null ? '' : `: ${mode.why}`));
  return el('tr', {}, ...cells.map((text) => el('td', {}, text)), verdict);
}

export function showVerification(verification: Verification | undefined, rows: Row[], selection: Selection, tooltip: Tooltip): void {
  if (verification === undefined) return;
  const box = byId('verify');
  byId('verify-card').hidden = false;
  byId('verify-verdict').textContent =
    `${verification.confirmed} confirmed, ${verification.not_seen} not seen, ${verification.contradicted} contradicted`;
  byId('verify-verdict').dataset['state'] = verification.contradicted > 0 ? 'unstable' : verification.not_seen > 0 ? 'other' : 'stable';
  const e = verification.experiment;
  if (e !== undefined) {
    box.append(el('p', { class: 'hint' },
      `The model itself, disturbed by ${number(e.amplitude, 2)} of its length or rad in each mode and integrated by ${e.integrator}: ` +
      `${e.samples} samples in ${number(e.duration, 4)} s, ${e.runs === 1 ? 'one start' : `${e.runs} starts`}. ` +
      `Resolution of the spectrum ${number(e.resolution_hz, 3)} Hz. Not linear: ${number(e.even, 2)} (even, taken out), ${number(e.odd, 2)} (change with twice the amplitude).` +
      (e.below_hz == null ? '' : ` Only eigenvalues below ${number(e.below_hz, 4)} Hz were set swinging; ${e.faster ?? 0} are faster.`)));
  }
  if (verification.spectrum !== undefined) drawSpectrum(box, verification, rows, selection, tooltip);
  const heads = ['Frequency, Hz', 'found, Hz', 'peak, Hz', 'Real part, 1/s', 'found, 1/s', 'distance', 'verdict'];
  box.append(el('div', { class: 'block' }, el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Eigenvalues and what was found' },
    el('table', {}, el('thead', {}, el('tr', {}, ...heads.map((h) => el('th', { scope: 'col', class: h === 'verdict' ? 'name' : '' }, h)))),
      el('tbody', {}, ...verification.modes.map(line))))));
}
