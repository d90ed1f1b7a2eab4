/* The chosen mode in numbers, and where its energy sits. */
import { halvingTime, logarithmicDecrement, period } from './eigenvalue';
import type { Share } from './data';
import { el } from './dom';
import { duration, eigenvalue, number, percent, share as shareText } from './format';
import type { Model } from './model';
import { shareName, shareSize, stabilityMark, stabilityText } from './modes';
import type { Row } from './modes';

const shownAtOnce = 6;

function value(name: string, text: string, state?: string): HTMLElement {
  const strong = el('b', state === undefined ? {} : { class: 'state', 'data-state': state }, text);
  return el('div', {}, el('span', {}, name), strong);
}

function values(row: Row): HTMLElement {
  const { mode, stability } = row;
  const [re, im] = mode.eigenvalue;
  const items = [
    value('State', `${stabilityMark[stability]} ${stabilityText[stability]}`, stability),
    value('Eigenvalue', `${eigenvalue(re, im)} 1/s`),
  ];
  if (im !== 0) {
    items.push(value('Damped frequency', `${number(mode.damped_frequency_hz, 6)} Hz`));
    items.push(value('Undamped frequency', `${number(mode.undamped_frequency_hz, 6)} Hz`));
    items.push(value('Period', duration(period(mode.eigenvalue))));
  }
  if (!mode.rigid) items.push(value('Damping ratio', `${percent(mode.damping_ratio, 4)} %`));
  if (stability === 'stable') items.push(value('Halved in', duration(halvingTime(mode.eigenvalue))));
  if (stability === 'unstable') items.push(value('Doubled in', duration(halvingTime(mode.eigenvalue)), 'unstable'));
  if (im !== 0 && stability !== 'undamped') {
    items.push(value('Logarithmic decrement', number(logarithmicDecrement(mode.eigenvalue), 4)));
  }
  if (mode.control !== undefined && mode.control >= 5e-4) {
    items.push(value('In states of controllers', `${percent(mode.control)} %`));
  }
  if (mode.multiplicity > 1) items.push(value('Repeated', `${mode.multiplicity} times`));
  if (!mode.rigid && mode.error_bound !== null) {
    items.push(value('Rounding error', `about ${number(mode.error_bound, 2)} 1/s`));
  }
  return el('div', { class: 'values' }, ...items);
}

function bar(share: Share, most: number, color: string | undefined): HTMLElement {
  const name = shareName(share.name);
  const fill = el('i', share.fraction < 0 ? { class: 'negative' } : {});
  fill.style.width = `${Math.min(100, 100 * Math.abs(share.fraction) / most)}%`;
  if (color !== undefined && share.fraction >= 0) fill.style.background = color;
  return el('div', { class: 'bar', title: `${share.name}: ${number(100 * share.fraction, 6)} %` },
    el('span', {}, name), el('span', { class: 'track' }, fill), el('b', {}, `${shareText(share.fraction)} %`));
}

function shareBlock(title: string, shares: Share[] | undefined, model: Model): HTMLElement {
  const block = el('div', {}, el('h3', {}, title));
  const sorted = (shares ?? []).filter((s) => s.fraction !== 0)
    .sort((a, b) => shareSize(b) - shareSize(a));
  if (sorted.length === 0) {
    block.append(el('p', { class: 'none' }, 'none in this mode'));
    return block;
  }
  const most = Math.max(1, ...sorted.map((s) => Math.abs(s.fraction)));
  const bars = (part: Share[]): HTMLElement[] => part.map((share) => {
    const body = share.name.startsWith('body ') ? model.bodyIndex.get(shareName(share.name)) : undefined;
    return bar(share, most, body === undefined ? undefined : model.bodies[body]?.color);
  });
  block.append(...bars(sorted.slice(0, shownAtOnce)));
  const rest = sorted.slice(shownAtOnce, 200);
  if (rest.length > 0) {
    block.append(el('details', {}, el('summary', {}, `${sorted.length - shownAtOnce} more`), ...bars(rest)));
  }
  return block;
}

/** How deep energies are summed by part; 0: not. */
let shownDepth = 0;

const depthOf = (part: string): number => part.split('.').length;

/** Parts so deep, and what is in none of them by itself. */
function byPart(shares: Share[] | undefined, parts: Share[] | undefined): Share[] {
  const outside = (shares ?? []).filter((s) => depthOf(shareName(s.name)) <= shownDepth);
  return [...(parts ?? []).filter((p) => depthOf(p.name) === shownDepth), ...outside];
}

/** The choice between elements and parts, where there are parts. */
function depthChoice(row: Row, again: () => void): HTMLElement[] {
  const names = Object.values(row.mode.part_shares ?? {}).flatMap((list: Share[]) => list.map((s) => s.name));
  const deepest = Math.max(0, ...names.map(depthOf));
  if (deepest === 0) return [];
  const title = (depth: number): string => (depth === 0 ? 'by element' : depth === 1 ? 'by part' : `by part, ${depth} deep`);
  const select = el('select', { id: 'share-depth' }, ...Array.from({ length: deepest + 1 }, (_, depth) =>
    el('option', { value: depth, selected: depth === Math.min(shownDepth, deepest) }, title(depth))));
  select.addEventListener('change', () => {
    shownDepth = Number(select.value);
    again();
  });
  return [el('label', { class: 'share-depth' }, 'Energies ', select)];
}

export function showDetails(box: HTMLElement, title: HTMLElement, row: Row | undefined, model: Model): void {
  if (row === undefined) {
    box.replaceChildren(el('p', { class: 'none' }, 'This model has no modes.'));
    return;
  }
  title.textContent = `Mode ${row.id}: ${row.name}`;
  const { kinetic, strain, dissipation } = row.mode.shares ?? {};
  const choice = depthChoice(row, () => { showDetails(box, title, row, model); });
  const parts = row.mode.part_shares;
  const blocks = shownDepth === 0 || parts === undefined ? [
    shareBlock('Kinetic energy by body', kinetic, model),
    shareBlock('Strain energy by load and joint', strain, model),
    shareBlock('Dissipation by load', dissipation, model),
  ] : [
    shareBlock('Kinetic energy by part', byPart(kinetic, parts.kinetic), model),
    shareBlock('Strain energy by part', byPart(strain, parts.strain), model),
    shareBlock('Dissipation by part', byPart(dissipation, parts.dissipation), model),
  ];
  box.replaceChildren(values(row), ...choice, el('div', { class: 'shares' }, ...blocks));
}
