/* Puts the page together. */
import { showCheck } from './check';
import { showComparison } from './comparison';
import { showVerification } from './verification';
import { readReport } from './data';
import type { Report } from './data';
import { showDetails } from './details';
import { byId, download, el, inputById } from './dom';
import { showFloquet } from './floquet';
import { buildModel } from './model';
import type { Model } from './model';
import { buildRows, firstRow } from './modes';
import type { Row } from './modes';
import { showModel, showOperating } from './operating';
import { Plane } from './plane';
import { Player } from './player';
import { showResponse } from './response';
import { FlexibleBodies } from './scene/flexible';
import { View } from './scene/view';
import { Selection } from './selection';
import { showSweep } from './sweep';
import { showSensitivity } from './sensitivity';
import { ModeTable } from './table';
import { startTheme } from './theme';
import { Tooltip } from './tooltip';

interface Parts {
  view?: View;
  player?: Player;
}

function fact(name: string, text: string): HTMLElement {
  return el('div', { class: 'fact' }, el('span', {}, name), el('b', {}, text));
}

function showHead(report: Report): void {
  const title = report.title || report.file || 'Routh report';
  document.title = `${title} \u2013 Routh`;
  byId('title').textContent = title;
  if (report.description) {
    byId('description').textContent = report.description;
    byId('description').hidden = false;
  }
  const dof = report.degrees_of_freedom;
  const motion = dof.position === dof.velocity ? String(dof.position) : `${dof.position} positions, ${dof.velocity} velocities`;
  const control = dof.control ?? 0;
  byId('facts').append(
    fact('Degrees of freedom', motion),
    ...(control > 0 ? [fact('States of controllers', String(control))] : []),
    fact('Coordinates', report.coordinates), fact('Method', report.method), fact('Seen from', report.reference));
  byId('footer').textContent = [report.program, report.file].filter(Boolean).join(', from ');
}

function showWarnings(report: Report): void {
  const warnings = report.warnings ?? [];
  if (warnings.length === 0) return;
  const box = byId('warnings');
  box.append(el('ul', {}, ...warnings.map((text) => el('li', {}, text))));
  box.hidden = false;
}

function showVerdict(rows: Row[], steady: boolean): void {
  const count = (state: Row['stability']): number => rows.filter((row) => row.stability === state).length;
  const say = (n: number, one: string, many: string): string => (n === 1 ? `1 ${one}` : `${n} ${many}`);
  const unstable = count('unstable');
  const parts: string[] = [];
  if (unstable > 0) parts.push(say(unstable, 'mode grows', 'modes grow'));
  else if (count('undamped') > 0) parts.push(`none grows, ${say(count('undamped'), 'is undamped', 'are undamped')}`);
  else if (rows.length > 0) parts.push('none grows');
  const kept = rows.filter((row) => row.stability === 'rigid' && row.ofController).length;
  const rigid = count('rigid') - kept;
  if (rigid > 0) parts.push(say(rigid, 'rigid-body zero', 'rigid-body zeros'));
  if (kept > 0) parts.push(say(kept, 'zero of controllers', 'zeros of controllers'));
  if (!steady) parts.push('not a steady motion');
  const verdict = byId('verdict');
  verdict.textContent = rows.length === 0 ? 'none' : `${rows.length} shown: ${parts.join(', ')}`;
  verdict.dataset['state'] = unstable > 0 ? 'unstable' : steady && rows.length > 0 && count('undamped') === 0 ? 'stable' : 'other';
}

/* Keys that a focused control needs itself are left to it. */
function keyIsTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return true;
  const target = event.target instanceof Element ? event.target : undefined;
  if (target?.matches('input[type="range"], select, textarea')) return true;
  return event.key === ' ' && target?.matches('button, a, input, summary') === true;
}

function listenToKeys(table: ModeTable, parts: Parts): void {
  const steps: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
  document.addEventListener('keydown', (event) => {
    if (keyIsTaken(event)) return;
    const step = steps[event.key];
    if (step !== undefined) table.move(step);
    else if (event.key === ' ' && parts.player !== undefined) parts.player.toggle();
    else return;
    event.preventDefault();
  });
}

function startPlayer(model: Model, rows: Row[], tooltip: Tooltip): { view: View; player: Player } | undefined {
  try {
    const view = new View(byId('canvas') as HTMLCanvasElement, byId('stage'), model);
    return { view, player: new Player(view, model, tooltip, FlexibleBodies.knowsStrain(model, rows.map((row) => row.mode))) };
  } catch {
    withoutView();
    return undefined;
  }
}

/* What would act on the picture alone is switched off; the modes are chosen as ever. */
function withoutView(): void {
  const note = byId('no-view');
  note.textContent = 'The moving picture needs WebGL, which this browser does not offer. Everything else on this page works.';
  note.hidden = false;
  byId('canvas').hidden = true;
  byId('space-hint').hidden = true;
  const controls = document.querySelectorAll<HTMLInputElement | HTMLButtonElement>(
    '.sliders input, .toggles input, .toggles button, .views button, #play');
  for (const control of controls) control.disabled = true;
}

/* The picture comes after the rest of the page is seen: a large model may take a moment. */
function startView(model: Model, rows: Row[], selection: Selection, tooltip: Tooltip, parts: Parts): void {
  const started = startPlayer(model, rows, tooltip);
  if (started === undefined) return;
  parts.view = started.view;
  parts.player = started.player;
  selection.listen((row) => { started.player.setRow(row); });
  started.player.setRow(selection.row);
  started.player.setPlaying(!window.matchMedia('(prefers-reduced-motion: reduce)').matches);
}

function start(): void {
  const parts: Parts = {};
  startTheme(byId('theme'), () => { parts.view?.retint(); });
  const report = readReport(document);
  byId('main').hidden = false;
  showHead(report);
  showWarnings(report);
  const model = buildModel(report);
  const rows = buildRows(report, model);
  const selection = new Selection();
  const tooltip = new Tooltip();
  const table = new ModeTable(byId('mode-table') as HTMLTableElement, byId('mode-scroll'), rows, selection);
  const plane = new Plane(byId('plane'), report, rows, selection, tooltip, inputById('plane-log'));
  byId('plane-fit').addEventListener('click', () => { plane.fit(); });
  selection.listen((row) => { showDetails(byId('details'), byId('details-title'), row, model); });
  byId('previous').addEventListener('click', () => { table.move(-1); });
  byId('next').addEventListener('click', () => { table.move(1); });
  byId('csv').addEventListener('click', () => {
    download('modes.csv', new Blob([report.modes_csv], { type: 'text/csv;charset=utf-8' }));
  });
  listenToKeys(table, parts);
  showVerdict(rows, report.operating_point.steady);
  showResponse(report.response, tooltip);
  showSweep(report, rows, selection, tooltip);
  showFloquet(report.floquet, tooltip);
  showComparison(report, rows, selection, tooltip);
  showSensitivity(report.sensitivity, rows, selection, tooltip);
  showVerification(report.verification, rows, selection, tooltip);
  showCheck(report.check);
  showOperating(byId('operating'), report);
  showModel(byId('model'), report);
  selection.choose(firstRow(rows));
  setTimeout(() => { startView(model, rows, selection, tooltip, parts); });
}

try {
  start();
} catch (error) {
  const box = byId('failure');
  box.textContent = error instanceof Error ? error.message : 'This page cannot be shown.';
  box.hidden = false;
  byId('main').hidden = true;
}
