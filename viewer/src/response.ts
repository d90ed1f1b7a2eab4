/* The frequency response: Bode diagrams with one axis of frequencies, a Nyquist diagram, spectra of the outputs, peaks. */
import { Chart } from './chart/chart';
import type { ChartSpec, Series } from './chart/chart';
import type { FrequencyResponse, ResponseChannel } from './data';
import { byId, el } from './dom';
import { number } from './format';
import type { Tooltip } from './tooltip';

const mostShown = 8;
const degree = 180 / Math.PI;

const nameOf = (r: FrequencyResponse, c: ResponseChannel): string => `${r.outputs[c.output]!.name} / ${r.inputs[c.input]!.name}`;
const unitOf = (r: FrequencyResponse, c: ResponseChannel): string => `${r.outputs[c.output]!.unit || '1'} / ${r.inputs[c.input]!.unit || '1'}`;

/** Degrees, without jumps of a whole turn. */
function phases(c: ResponseChannel): number[] {
  const out: number[] = [];
  c.re.forEach((re, k) => {
    const raw = Math.atan2(c.im[k]!, re) * degree;
    out.push(k === 0 ? raw : raw + 360 * Math.round((out[k - 1]! - raw) / 360));
  });
  return out;
}

function line(name: string, x: number[], y: number[], k: number, unnamed = false): Series {
  return { name, x, y, colour: k, line: true, dashed: k >= 4, unnamed };
}

/** Charts that show the same places: choosing one in a chart marks it in all, moving one moves those with the same axis. */
class Linked {
  private readonly charts: { chart: Chart; frequencies: boolean; channels: boolean }[] = [];

  constructor(private readonly box: HTMLElement, private readonly tooltip: Tooltip) {}

  add(spec: ChartSpec, frequencies: boolean, channels = true): void {
    const chart: Chart = new Chart(this.box, spec, this.tooltip, {
      choose: (series, index) => {
        for (const other of this.charts) if (channels && other.channels) other.chart.select([{ series, index }]);
      },
      onRange: (range) => {
        for (const other of this.charts) if (frequencies && other.frequencies && other.chart !== chart) other.chart.setRange(range);
      },
    });
    this.charts.push({ chart, frequencies, channels });
  }
}

function peakTable(r: FrequencyResponse): HTMLElement {
  const rows = r.channels.flatMap((c) => {
    const gain = c.static_infinite ? '\u221e' : number(c.static_gain, 5);
    const cells = (texts: string[]): HTMLElement => el('tr', {}, el('td', { class: 'name' }, nameOf(r, c)), ...texts.map((t) => el('td', {}, t)));
    const first = cells(['at rest', '0', gain, '']);
    return [first, ...c.peaks.slice(0, 40).map((p) => cells([p.antiresonance ? 'antiresonance' : 'peak', number(p.hz, 7),
      p.magnitude === null ? '\u221e' : number(p.magnitude, 6), p.phase === null ? '\u2013' : number(p.phase * degree, 4)]))];
  });
  const heads = ['Channel', '', 'Hz', '|H|', 'phase, deg'];
  return el('div', { class: 'block' }, el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Gains at rest, peaks and antiresonances' },
    el('table', {}, el('thead', {}, el('tr', {}, ...heads.map((h) => el('th', { scope: 'col', class: h === 'Channel' ? 'name' : '' }, h)))),
      el('tbody', {}, ...rows))));
}

function rmsTable(r: FrequencyResponse): HTMLElement {
  const rows = r.random!.outputs.map((o, i) => el('tr', {}, el('td', { class: 'name' }, r.outputs[i]!.name),
    el('td', {}, number(o.rms, 6)), el('td', { class: 'name' }, r.outputs[i]!.unit)));
  return el('div', { class: 'block' }, el('table', {}, el('thead', {}, el('tr', {}, ...['Random response', 'rms', 'unit'].map((h) => el('th', { scope: 'col', class: h === 'rms' ? '' : 'name' }, h)))),
    el('tbody', {}, ...rows)));
}

export function showResponse(response: FrequencyResponse | undefined, tooltip: Tooltip): void {
  if (response === undefined) return;
  byId('response-card').hidden = false;
  const box = byId('response');
  const channels = response.channels.slice(0, mostShown);
  const units = new Set(channels.map((c) => unitOf(response, c)));
  const unit = units.size === 1 ? [...units][0]! : 'output unit / input unit';
  const frequency = { title: 'frequency, Hz', logarithmic: true };
  const names = channels.map((c) => nameOf(response, c));
  const linked = new Linked(box, tooltip);
  byId('response-note').textContent = `${response.hz.length} frequencies${response.modal_difference === null ? ''
    : `; superposition of ${response.modes_kept} eigenvalues differs by ${number(response.modal_difference, 2)}`}`
    + (response.channels.length > mostShown ? `; diagrams of the first ${mostShown} of ${response.channels.length} channels` : '');
  linked.add({
    label: 'Magnitude of the frequency response over frequency; the table below has its peaks', x: frequency,
    y: { title: `magnitude, ${unit}`, logarithmic: true }, height: 300, file: 'magnitude.csv',
    series: channels.map((c, k) => line(names[k]!, response.hz, c.re.map((re, i) => Math.hypot(re, c.im[i]!)), k)),
  }, true);
  linked.add({
    label: 'Phase of the frequency response over frequency', x: frequency, y: { title: 'phase, deg', step: 45 }, height: 200, file: 'phase.csv',
    series: channels.map((c, k) => line(names[k]!, response.hz, phases(c), k, true)),
  }, true);
  linked.add({
    label: 'Nyquist diagram: imaginary over real part', x: { title: `real part, ${unit}` }, y: { title: `imaginary part, ${unit}` }, equal: true,
    height: 380, file: 'nyquist.csv',
    series: channels.map((c, k) => ({ ...line(names[k]!, c.re, c.im, k, true), tips: response.hz.map((f) => `${number(f, 6)} Hz`) })),
  }, false);
  if (response.random !== undefined) {
    linked.add({
      label: 'Spectra of the outputs', x: frequency, y: { title: 'spectrum, unit\u00b2/Hz', logarithmic: true }, file: 'spectra.csv',
      series: response.random.outputs.map((o, k) => line(response.outputs[k]!.name, response.hz, o.psd, k)),
    }, true, false);
    box.append(rmsTable(response));
  }
  box.append(peakTable(response));
}
