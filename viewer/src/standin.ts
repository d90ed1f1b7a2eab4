/* What stands for a body without a shape of its own: a disc where it is one that turns, a small block where nothing else shows
 * where it is, and nothing where its links do. */
import type { Vector } from './data';
import type { DrawnBody, Form, Solid } from './model';
import { column, dot, norm } from './vector';

/** Its longest side, as a part of the model, and of a disc its diameter. */
const block = 0.08;
const largest = 0.5;

/** A disc has a larger moment of inertia about its axis than across: it is flatter than h^2 = 3 r^2. */
function isDisc(solid: Solid): boolean {
  return solid.shape === 'cylinder' && solid.size[2] ** 2 < 0.75 * solid.size[0] ** 2;
}

function turnsAbout(solid: Solid, axes: Vector[]): boolean {
  const own = column(solid.orientation, 2);
  return axes.some((axis) => Math.abs(dot(axis, own)) > 0.999 * norm(axis));
}

/** `whole`: it touches something, and is drawn in its size; `axes`: those that the body turns about; `reach`: the size of the model without such forms, 0 where it is a point. */
export function standIn(body: DrawnBody, axes: Vector[], reach: number, whole: boolean): Form | undefined {
  const { solid } = body;
  if (solid === undefined) return undefined;
  const place = { position: body.center, orientation: solid.orientation, color: body.color };
  const longest = Math.max(...solid.size);
  if (isDisc(solid) && turnsAbout(solid, axes)) {
    const shrink = reach > 0 && !whole ? Math.min(1, largest * reach / longest) : 1;
    return { kind: 'cylinder', size: [shrink * solid.size[0] / 2, shrink * solid.size[2]], ...place };
  }
  if (reach > 0 && body.radius > 0.02 * reach) return undefined; // its links show where it is
  const shrink = reach > 0 && !(whole && solid.shape !== 'box') ? Math.min(1, block * reach / longest) : 1;
  switch (solid.shape) {
    case 'sphere': return { kind: 'sphere', size: [shrink * solid.size[0] / 2], ...place };
    case 'cylinder': return { kind: 'cylinder', size: [shrink * solid.size[0] / 2, shrink * solid.size[2]], ...place };
    case 'box': return { kind: 'box', size: solid.size.map((s) => shrink * s), ...place };
  }
}
