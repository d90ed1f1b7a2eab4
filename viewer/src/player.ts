/* The view's controls: playing, sliders, what is shown, keyboard, labels, hover. */
import { byId, download, el, inputById as input, svg, themeColor } from './dom';
import { duration, eigenvalue, number, percent, share as shareText } from './format';
import type { Model } from './model';
import type { Row } from './modes';
import { PartList } from './parts';
import { View } from './scene/view';
import type { Side } from './scene/view';
import type { Tooltip } from './tooltip';

const mostLabels = 60;

export class Player {
  private readonly play = byId('play');
  private readonly canvas = byId('canvas');
  private readonly labels: { body: number; text: HTMLElement; width: number }[] = [];
  private row: Row | undefined;

  constructor(private readonly view: View, private readonly model: Model, private readonly tooltip: Tooltip,
    private readonly knowsStrain: boolean) {
    this.play.addEventListener('click', () => { this.toggle(); });
    this.wireSliders();
    this.wireToggles();
    for (const button of document.querySelectorAll<HTMLButtonElement>('.views button')) {
      button.addEventListener('click', () => { this.view.look((button.dataset['side'] ?? 'best') as Side); });
    }
    byId('picture').addEventListener('click', () => { this.savePicture(); });
    byId('near').hidden = !view.long;
    this.wireCanvas();
    this.makeLabels();
    new PartList(model, (seen) => { view.see(seen); }).fill(byId('part-tree'));
    view.onDraw = () => { this.afterDraw(); };
    window.addEventListener('beforeprint', () => { (byId('print-picture') as HTMLImageElement).src = view.stillPicture(); });
  }

  setRow(row: Row | undefined): void {
    this.row = row;
    this.view.setRow(row);
    byId('caption-name').textContent = row === undefined ? '' : `Mode ${row.id}: ${row.name}`;
    byId('caption-values').textContent = row === undefined ? '' : this.captionValues(row);
    this.showSpeed();
  }

  toggle(): void {
    this.setPlaying(!this.view.playing);
  }

  setPlaying(playing: boolean): void {
    this.view.setPlaying(playing);
    this.play.setAttribute('aria-pressed', String(playing));
    this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
  }

  private captionValues(row: Row): string {
    return this.said(row) + (this.view.motion.moves && row.mode.parts === true ? '; drawn straight on: joints part' : '');
  }

  private said(row: Row): string {
    const { mode } = row;
    if (!this.view.motion.moves) return mode.motion === undefined ? 'its motion is not stored in this page; routh report --animate ' + String(row.id) + ' stores it' : 'nothing that is drawn moves';
    if (mode.rigid) return 'rigid-body motion, shown as a slow swing';
    if (!row.oscillates) return `${eigenvalue(mode.eigenvalue[0], 0, 5)} 1/s, shown as a slow swing`;
    return `${number(mode.damped_frequency_hz, 5)} Hz, damping ${percent(mode.damping_ratio)} %`;
  }

  private wireSliders(): void {
    const amplitude = input('amplitude');
    amplitude.addEventListener('input', () => {
      this.view.setAmplitude(Number(amplitude.value));
      byId('amplitude-value').textContent = `${number(Number(amplitude.value), 2)}\u00d7`;
    });
    const speed = input('speed');
    speed.addEventListener('input', () => {
      this.view.clock.speed = 2 ** Number(speed.value);
      this.showSpeed();
    });
    const phase = input('phase');
    phase.addEventListener('input', () => {
      this.setPlaying(false);
      this.view.clock.angle = Number(phase.value) * Math.PI / 180;
      this.view.invalidate();
    });
  }

  /* How the shown speed compares with the real one. */
  private showSpeed(): void {
    const real = this.view.clock.realTime();
    const output = byId('speed-value');
    if (real === undefined) {
      output.textContent = `${number(this.view.clock.speed, 2)}\u00d7`;
      output.title = '';
    } else {
      output.textContent = real > 1 ? `${number(real, 2)}\u00d7 real` : `1/${number(1 / real, 2)} real`;
      output.title = `One shown second is ${duration(real)} of the real motion`;
    }
  }

  private wireToggles(): void {
    const update = (): void => {
      this.view.show({ solids: input('show-solids').checked, rest: input('show-rest').checked,
        paths: input('show-paths').checked, grid: input('show-grid').checked,
        strain: input('show-strain').checked });
      byId('strain-legend').hidden = byId('strain-choice').hidden || !input('show-strain').checked;
      byId('labels').hidden = !input('show-labels').checked;
    };
    input('show-labels').checked = this.model.bodies.length <= 12;
    byId('strain-choice').hidden = !this.knowsStrain;
    for (const id of ['show-strain', 'show-solids', 'show-rest', 'show-paths', 'show-grid', 'show-labels']) {
      input(id).addEventListener('change', update);
    }
    input('envelope').addEventListener('change', () => {
      this.view.clock.trueEnvelope = input('envelope').checked;
      this.view.clock.angle = 0;
      this.view.invalidate();
    });
    update();
  }

  private wireCanvas(): void {
    this.canvas.addEventListener('keydown', (event) => {
      const turn: Record<string, [number, number]> = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
      const by = event.shiftKey ? turn[event.key] : undefined;
      if (by !== undefined) this.view.orbit(by[0], by[1]);
      else if (event.key === '+' || event.key === '=') this.view.zoom(0.88);
      else if (event.key === '-') this.view.zoom(1 / 0.88);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons !== 0 || event.pointerType !== 'mouse') this.tooltip.hide();
      else this.hover(event);
    });
    this.canvas.addEventListener('pointerleave', () => { this.tooltip.hide(); });
  }

  private hover(event: PointerEvent): void {
    const b = this.view.pick(event.offsetX, event.offsetY);
    const body = b === undefined ? undefined : this.model.bodies[b];
    if (b === undefined || body === undefined) {
      this.tooltip.hide();
      return;
    }
    const lines = [body.name];
    if (body.mass !== undefined) lines.push(`mass ${number(body.mass, 5)} kg`);
    const share = this.row?.mode.shares?.kinetic?.find((s) => s.name === `body ${body.name}` || s.name === body.name);
    if (share !== undefined) lines.push(`${shareText(share.fraction)} % of the kinetic energy`);
    const strain = this.row?.mode.shares?.strain?.find((s) => s.name === `body ${body.name}`);
    if (strain !== undefined) lines.push(`${shareText(strain.fraction)} % of the strain energy`);
    const { shift, turn } = this.view.motion.displacement(b);
    if (!body.flexible) lines.push(`in the mode: ${number(shift, 3)} m, ${number(turn, 3)} rad`);
    this.tooltip.show(lines.join('\n'), event.clientX, event.clientY);
  }

  private makeLabels(): void {
    const box = byId('labels');
    this.model.bodies.forEach((body, b) => {
      if (body.ground || body.source < 0 || this.labels.length >= mostLabels) return;
      const dot = el('i', { class: 'swatch' });
      dot.style.background = body.color;
      const text = el('span', {}, dot, body.name);
      box.append(text);
      this.labels.push({ body: b, text, width: 0 });
    });
  }

  private afterDraw(): void {
    const degrees = Math.round((this.view.clock.angle * 180 / Math.PI) % 360);
    input('phase').value = String(degrees);
    byId('phase-value').textContent = `${degrees}\u00b0`;
    if (!byId('labels').hidden) {
      const frame = byId('stage').clientWidth;
      for (const label of this.labels) {
        const at = this.view.project(label.body);
        label.text.hidden = at === undefined || this.view.isHidden(label.body);
        if (at === undefined) continue;
        if (label.width === 0) label.width = label.text.offsetWidth;
        const left = at.x + 11 + label.width > frame ? at.x - 11 - label.width : at.x + 11;
        label.text.style.transform = `translate(${left.toFixed(1)}px, ${(at.y - 9).toFixed(1)}px)`;
      }
    }
    this.drawAxes();
  }

  private drawAxes(): void {
    const colors = ['#d24b4b', '#3f9a52', '#4a7fd6'];
    const axes = this.view.axes().map((v, k) => ({ v, k })).sort((a, b) => a.v.z - b.v.z);
    byId('axes').replaceChildren(...axes.flatMap(({ v, k }) => [
      svg('line', { x1: 0, y1: 0, x2: 21 * v.x, y2: -21 * v.y, stroke: colors[k]! }),
      svg('text', { x: 28 * v.x, y: -28 * v.y, fill: themeColor('--muted') }, 'xyz'.charAt(k)),
    ]));
  }

  private savePicture(): void {
    const bytes = Uint8Array.from(atob(this.view.picture().split(',')[1] ?? ''), (c) => c.charCodeAt(0));
    download('mode.png', new Blob([bytes], { type: 'image/png' }));
  }
}
