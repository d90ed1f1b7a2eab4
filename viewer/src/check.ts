/* What routh check answers: questions with figures, and every coordinate set by every method. */
import type { Check, CheckCell, Verdict } from './data';
import { byId, el } from './dom';
import { number } from './format';
import { facts } from './operating';

const states: Record<Verdict, string> = { yes: 'stable', no: 'unstable', 'cannot tell': 'other' };

function box(label: string, ...children: Node[]): HTMLElement {
  return el('div', { class: 'block' }, el('h3', {}, label), el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, ...children));
}

function answers(check: Check): HTMLElement {
  const line = (a: Check['answers'][number]): HTMLElement => el('tr', {},
    el('th', { scope: 'row', class: 'name' }, a.name.replace(/_/g, ' ')),
    el('td', { class: 'name answer', 'data-answer': a.verdict }, a.verdict),
    el('td', {}, number(a.margin, 2)), el('td', { class: 'name words' }, a.text));
  return box('Answers', el('table', { class: 'answers' },
    el('thead', {}, el('tr', {}, el('th', { scope: 'col', class: 'name' }, 'Question'), el('th', { scope: 'col', class: 'name' }, 'Answer'),
      el('th', { scope: 'col', title: 'What was found over what is allowed' }, 'Margin'), el('th', { scope: 'col', class: 'name' }, 'Why'))),
    el('tbody', {}, ...check.answers.map(line))));
}

function cell(c: CheckCell | undefined): HTMLElement {
  if (c === undefined) return el('td', {}, '\u2013');
  const compared = c.state === 'compared';
  const text = compared ? number(c.difference, 2) : c.state;
  const out = el('td', { 'data-answer': compared ? c.verdict ?? 'cannot tell' : c.state }, text);
  const words = [compared ? `differs by ${number(c.difference, 3)} of the largest eigenvalue: ${c.verdict ?? ''}` : c.state, c.why ?? ''];
  out.title = words.filter(Boolean).join('; ');
  return out;
}

function grid(check: Check): HTMLElement {
  const sets = [...new Set(check.cells.map((c) => c.coordinates))];
  const methods = [...new Set(check.cells.map((c) => c.method))];
  const find = (set: string, method: string): CheckCell | undefined => check.cells.find((c) => c.coordinates === set && c.method === method);
  const lines = methods.map((m) => el('tr', {}, el('th', { scope: 'row', class: 'name' }, m), ...sets.map((s) => cell(find(s, m)))));
  return box('Eigenvalues by every coordinate set and method', el('table', { class: 'cells' },
    el('thead', {}, el('tr', {}, el('th', { scope: 'col', class: 'name' }, 'Method'), ...sets.map((s) => el('th', { scope: 'col' }, s)))),
    el('tbody', {}, ...lines)));
}

export function showCheck(check: Check | undefined): void {
  if (check === undefined) return;
  byId('check-card').hidden = false;
  const verdict = byId('check-verdict');
  const count = (v: Verdict): number => check.answers.filter((a) => a.verdict === v).length;
  verdict.textContent = (['yes', 'no', 'cannot tell'] as const).filter((v) => count(v) > 0).map((v) => `${count(v)} ${v}`).join(', ');
  verdict.dataset['state'] = states[check.verdict];
  const { count: n } = check;
  byId('check').append(
    facts([['Bodies', String(n.bodies)], ['Rows of joints', String(n.joint_rows)], ...(n.motion_rows > 0 ? [['Rows of motions', String(n.motion_rows)] as [string, string]] : []),
      ['6 bodies \u2212 rows', String(n.gruebler).replace('-', '\u2212')], ['Degrees of freedom', String(check.degrees_of_freedom)],
      ['Redundant rows', String(check.redundant.length)], ['Constraints hold to', `${number(check.constraint_error, 2)} m`]]),
    answers(check), grid(check),
    el('p', { class: 'hint' }, 'Numbers are the largest distance from the eigenvalues of the reference, over the largest of them; what a method or a coordinate set cannot do, it refuses.'));
}
