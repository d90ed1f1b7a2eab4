/* Floquet multipliers of a periodic motion: the plane with the unit circle, and a table that goes with it. */
import { twoPi } from './eigenvalue';
import { Chart } from './chart/chart';
import type { Series } from './chart/chart';
import type { Floquet, Multiplier } from './data';
import { byId, el } from './dom';
import { number } from './format';
import { facts } from './operating';
import type { Tooltip } from './tooltip';

const verdicts: Record<Floquet['verdict'], [string, string]> = {
  stable: ['stable', 'stable: all come back smaller'], unstable: ['unstable', 'unstable: one comes back larger'], neither: ['other', 'neither: on the circle as far as can be told'],
};

type Kind = 'within' | 'beyond' | 'on the circle' | 'shift along the motion';
const looks: Record<Kind, Pick<Series, 'mark' | 'colour'>> = {
  within: { mark: 'circle', colour: 2 }, beyond: { mark: 'triangle', colour: 1 }, 'on the circle': { mark: 'ring', colour: 4 }, 'shift along the motion': { mark: 'cross', colour: 5 },
};

/** As routh floquet tells it: to the error of the multiplier. */
function kindOf(m: Multiplier): Kind {
  if (m.trivial) return 'shift along the motion';
  const off = m.modulus - 1;
  const doubt = Math.max(m.error, 1e-12);
  if (off > doubt) return 'beyond';
  return off < -doubt ? 'within' : 'on the circle';
}

function circle(): Series {
  const turn = Array.from({ length: 181 }, (_, k) => twoPi * k / 180);
  return { name: 'unit circle', x: turn.map(Math.cos), y: turn.map(Math.sin), line: true, colour: -1 };
}

const percent = (x: number | null, digits: number): string => number(x === null ? null : 100 * x, digits);
const words = (m: Multiplier, k: number): string => `multiplier ${k + 1}, |\u03bc| = ${number(m.modulus, 7)}, ${number(m.damped_frequency_hz, 6)} Hz, damping ${percent(m.damping_ratio, 4)} %`;

/** A series of each kind; of a pair both points. */
function pointsOf(floquet: Floquet): { series: Series[]; owner: number[][] } {
  const series: Series[] = [];
  const owner: number[][] = [];
  for (const kind of Object.keys(looks) as Kind[]) {
    const own = floquet.modes.flatMap((m, k) => (kindOf(m) === kind ? m.pair ? [{ m, k, sign: 1 }, { m, k, sign: -1 }] : [{ m, k, sign: 1 }] : []));
    if (own.length === 0) continue;
    series.push({ name: kind, x: own.map((p) => p.m.multiplier[0]), y: own.map((p) => p.sign * p.m.multiplier[1]), tips: own.map((p) => words(p.m, p.k)), ...looks[kind] });
    owner.push(own.map((p) => p.k));
  }
  return { series, owner };
}

function tableOf(floquet: Floquet, choose: (k: number) => void): HTMLTableSectionElement {
  return el('tbody', {}, ...floquet.modes.map((m, k) => {
    const button = el('button', { type: 'button', class: 'text', 'aria-label': `Mark multiplier ${k + 1}` }, String(k + 1));
    button.addEventListener('click', () => { choose(k); });
    const cells = [`${number(m.multiplier[0], 7)}${m.pair ? ` \u00b1 ${number(Math.abs(m.multiplier[1]), 7)} i` : ''}`, number(m.modulus, 8), number(m.error, 2), number(m.exponent[0], 6),
      number(m.exponent[1], 6), number(m.damped_frequency_hz, 6), percent(m.damping_ratio, 5), String(m.harmonic)];
    return el('tr', {}, el('th', { scope: 'row', class: 'name' }, button), ...cells.map((text) => el('td', {}, text)), el('td', { class: 'name' }, kindOf(m)));
  }));
}

function factsOf(f: Floquet): HTMLElement {
  const about: [string, string][] = [[f.autonomous ? 'Period found, s' : 'Period, s', number(f.period, 8)], ['Comes back to', number(f.closure, 2)], ['Steps of the round', String(f.steps)],
    ['Multipliers exact to', number(f.error, 2)]];
  if (f.liouville !== null) about.push(['Off Liouville\u2019s formula', number(f.liouville, 2)]);
  if (f.switches.length > 0) about.push(['Kinks passed', f.switches.map((s) => `${s.element}: ${s.what}`).join(', ')]);
  return facts(about);
}

export function showFloquet(floquet: Floquet | undefined, tooltip: Tooltip): void {
  if (floquet === undefined) return;
  byId('floquet-card').hidden = false;
  const box = byId('floquet');
  const verdict = byId('floquet-verdict');
  [verdict.dataset['state'], verdict.textContent] = verdicts[floquet.verdict];
  const { series, owner } = pointsOf(floquet);
  const body = tableOf(floquet, choose);
  const chart = new Chart(box, {
    label: 'Multipliers in the complex plane with the unit circle; the table below has the same values', x: { title: 'real part' }, y: { title: 'imaginary part' },
    equal: true, height: 380, file: 'multipliers.csv', series: [...series, circle()],
  }, tooltip, { choose: (s, index) => {
    const k = owner[s]?.[index];
    if (k !== undefined) choose(k);
  } });

  function choose(k: number): void {
    chart.select(owner.flatMap((list, s) => list.flatMap((one, index) => (one === k ? [{ series: s, index }] : []))));
    [...body.rows].forEach((row, at) => {
      if (at === k) row.setAttribute('aria-current', 'true');
      else row.removeAttribute('aria-current');
    });
  }

  const heads = ['No.', 'Multiplier \u03bc', '|\u03bc|', 'error', 'Exponent: real, 1/s', 'imaginary, rad/s', 'Damped, Hz', 'Damping, %', 'Harmonic', 'Where'];
  box.append(factsOf(floquet), el('div', { class: 'block' }, el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Multipliers and exponents' },
    el('table', {}, el('thead', {}, el('tr', {}, ...heads.map((h, k) => el('th', { scope: 'col', class: k === 0 || k === 9 ? 'name' : '' }, h)))), body))));
}
