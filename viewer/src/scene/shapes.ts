/* The geometries that things are drawn with, all of unit size and centred unless said otherwise. */
import { twoPi } from '../eigenvalue';
import { BoxGeometry, BufferGeometry, Color, ConeGeometry, Curve, CylinderGeometry, Float32BufferAttribute,
  OctahedronGeometry, SphereGeometry, TorusGeometry, TubeGeometry, Vector3 } from 'three';

/** How finely round things are drawn; many of them are drawn coarsely. */
export type Detail = 'high' | 'middle' | 'low';

export function detailFor(count: number): Detail {
  if (count < 200) return 'high';
  return count < 1000 ? 'middle' : 'low';
}

/** Segments around a round thing. */
export function segments(detail: Detail, [high, middle, low]: [number, number, number]): number {
  return { high, middle, low }[detail];
}

/** Axis along z, diameter 1, height 1. */
export function cylinder(around: number): BufferGeometry {
  return new CylinderGeometry(0.5, 0.5, 1, around).rotateX(Math.PI / 2);
}

/** A link from the origin to z = 1, thicker at the origin; radius 1 there. */
export function link(around: number): BufferGeometry {
  return new CylinderGeometry(0.62, 1, 1, around, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

/** A straight tube from z = 0 to z = 1, radius 1. */
export function tube(around: number): BufferGeometry {
  return new CylinderGeometry(1, 1, 1, around).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

export const box = (): BufferGeometry => new BoxGeometry(1, 1, 1);
export function sphere(detail: Detail): BufferGeometry {
  if (detail === 'low') return new OctahedronGeometry(0.5);
  return detail === 'high' ? new SphereGeometry(0.5, 32, 20) : new SphereGeometry(0.5, 12, 8);
}
export const octahedron = (): BufferGeometry => new OctahedronGeometry(0.6);
export const ring = (): BufferGeometry => new TorusGeometry(0.5, 0.09, 10, 32);

/** A pyramid with its tip at the origin, standing below it: a support. */
export function support(): BufferGeometry {
  return new ConeGeometry(0.7, 1, 4).rotateY(Math.PI / 4).rotateX(Math.PI / 2).translate(0, 0, -0.5);
}

/** An arrow along z that ends at the origin. */
export function arrow(): BufferGeometry {
  return new ConeGeometry(0.35, 1, 16).rotateX(Math.PI / 2).translate(0, 0, -0.5);
}

class Helix extends Curve<Vector3> {
  constructor(private readonly turns: number, private readonly length: number) {
    super();
  }

  /* Straight ends on the axis, the coil between them. */
  override getPoint(t: number, target = new Vector3()): Vector3 {
    const end = 0.14;
    const run = Math.min(Math.max((t - end) / (1 - 2 * end), 0), 1);
    const angle = twoPi * this.turns * run;
    const radius = Math.min(1, 2 * this.turns * Math.min(run, 1 - run));
    return target.set(radius * Math.cos(angle), radius * Math.sin(angle), this.length * t);
  }
}

/** A coil from z = 0 to z = 1 of radius 1, whose wire is round when z is stretched by `aspect`. */
export function coil(aspect: number, turns: number, perTurn: number, around: number): BufferGeometry {
  return new TubeGeometry(new Helix(turns, aspect), turns * perTurn, 0.17, around, false).scale(1, 1, 1 / aspect);
}

/** Quarters of the surface alternately full and paler, so that turning about any axis can be seen. */
export function quartered(geometry: BufferGeometry): BufferGeometry {
  const plain = geometry.index === null ? geometry : geometry.toNonIndexed();
  const position = plain.getAttribute('position');
  const colors = new Float32Array(3 * position.count);
  const shade = new Color();
  for (let i = 0; i < position.count; i += 3) {
    const mean = (get: (k: number) => number): number => get(i) + get(i + 1) + get(i + 2);
    const x = mean((k) => position.getX(k));
    const y = mean((k) => position.getY(k));
    shade.setScalar(x * y > 0 ? 1 : 0.62);
    for (let k = i; k < i + 3; k++) shade.toArray(colors, 3 * k);
  }
  plain.setAttribute('color', new Float32BufferAttribute(colors, 3));
  return plain;
}
