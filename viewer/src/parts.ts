/* The parts of a model by the dots in names: front_left is the part of front_left.knuckle. */
import { el } from './dom';
import type { Model } from './model';

/** A part: what is directly in it, by number of the model's bodies, and the parts in it. */
export interface Part {
  name: string;
  /** From 1. */
  depth: number;
  bodies: number[];
  parts: Part[];
}

/** The part right around a name, '' where there is none. */
function around(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(0, dot);
}

/** The whole as a part without a name. */
export function partTree(model: Model): Part {
  const root: Part = { name: '', depth: 0, bodies: [], parts: [] };
  const all = new Map<string, Part>([['', root]]);
  const find = (name: string): Part => {
    const there = all.get(name);
    if (there !== undefined) return there;
    const outer = find(around(name));
    const part: Part = { name, depth: outer.depth + 1, bodies: [], parts: [] };
    all.set(name, part);
    outer.parts.push(part);
    return part;
  };
  model.bodies.forEach((body, b) => { if (!body.ground) find(around(body.name)).bodies.push(b); });
  return root;
}

/** All bodies in it, in parts of it too. */
export function bodiesOf(part: Part): number[] {
  return [...part.bodies, ...part.parts.flatMap(bodiesOf)];
}

/** More names than this are not listed. */
const mostRows = 2000;

/** The tree with a box to tick for each part and body; `show` is told which bodies are seen. */
export class PartList {
  private readonly boxes: { box: HTMLInputElement; bodies: number[] }[] = [];
  private readonly seen: boolean[];

  constructor(private readonly model: Model, private readonly show: (seen: boolean[]) => void) {
    this.seen = model.bodies.map(() => true);
  }

  /** Nothing where the model has no parts. */
  fill(place: HTMLElement): void {
    const tree = partTree(this.model);
    place.hidden = tree.parts.length === 0;
    if (place.hidden) return;
    place.append(...this.inside(tree));
    this.update();
  }

  private inside(part: Part): HTMLElement[] {
    const parts = part.parts.map((inner) => {
      const item = el('details', { class: 'part', 'data-part': inner.name },
        el('summary', {}, this.line(inner.name, part.name, bodiesOf(inner))));
      // What is in it is listed when it is first opened.
      item.addEventListener('toggle', () => {
        if (!item.open || item.childElementCount > 1) return;
        item.append(...this.inside(inner));
        this.update();
      });
      return item;
    });
    const bodies = part.bodies.slice(0, mostRows).map((b) =>
      el('div', { class: 'body' }, this.line(this.model.bodies[b]!.name, part.name, [b])));
    const left = part.bodies.length - bodies.length;
    return [...parts, ...bodies, ...(left > 0 ? [el('p', { class: 'none' }, `and ${left} more bodies`)] : [])];
  }

  /** Called by what it is in its part. */
  private line(name: string, outer: string, bodies: number[]): HTMLElement {
    const box = el('input', { type: 'checkbox', 'data-name': name });
    this.boxes.push({ box, bodies });
    box.addEventListener('change', () => {
      for (const b of bodies) this.seen[b] = box.checked;
      this.update();
      this.show(this.seen);
    });
    return el('label', {}, box, ` ${outer === '' ? name : name.slice(outer.length + 1)}`);
  }

  private update(): void {
    for (const { box, bodies } of this.boxes) {
      const n = bodies.filter((b) => this.seen[b]).length;
      box.checked = n > 0;
      box.indeterminate = n > 0 && n < bodies.length;
    }
  }
}
