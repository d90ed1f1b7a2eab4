/* The geometries that things are drawn with, all of unit size and centred unless said otherwise. */
import { twoPi } from '../eigenvalue';
import type { WrittenShape } from '../data';
import type { Form } from '../model';
import { BoxGeometry, BufferGeometry, ConeGeometry, Curve, CylinderGeometry, ExtrudeGeometry, Float32BufferAttribute,
  LatheGeometry, OctahedronGeometry, Shape, SphereGeometry, TorusGeometry, TubeGeometry, Vector2, Vector3 } from 'three';

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

/** A body of rotation about z: its outline as pairs of radius and height, from below to above. */
function turned(outline: [number, number][], around: number): BufferGeometry {
  return new LatheGeometry(outline.map(([r, z]) => new Vector2(r, z)), around).rotateX(Math.PI / 2).toNonIndexed();
}

/** A quarter of a circle of radius r about (x, z), from angle a on, in steps. */
function arc(x: number, z: number, r: number, from: number, to: number, steps: number): [number, number][] {
  return Array.from({ length: steps + 1 }, (_, k) => {
    const angle = from + (to - from) * k / steps;
    return [x + r * Math.cos(angle), z + r * Math.sin(angle)] as [number, number];
  });
}

/** What is drawn of a form, without its place and colour. */
export type Outlook = Pick<Form, 'kind' | 'size' | 'outline' | 'mesh' | 'origin'>;

/** A section in x and y along z, half of the length on either side. */
function extrusion(outline: number[], length: number): BufferGeometry {
  const corners = Array.from({ length: outline.length >> 1 }, (_, k) => new Vector2(outline[2 * k], outline[2 * k + 1]));
  return new ExtrudeGeometry(new Shape(corners), { depth: length, bevelEnabled: false }).translate(0, 0, -length / 2);
}

/** The triangles of a file; where an odd number of axes is reversed their corners change places. */
function meshed({ size, mesh = { points: [], triangles: [] }, origin = [0, 0, 0] }: Outlook): BufferGeometry {
  const geometry = new BufferGeometry();
  const inverted = (size[0] ?? 1) * (size[1] ?? 1) * (size[2] ?? 1) < 0;
  const { triangles } = mesh;
  geometry.setAttribute('position', new Float32BufferAttribute(
    mesh.points.map((x, i) => (size[i % 3] ?? 1) * (x - origin[i % 3]!)), 3));
  geometry.setIndex(inverted ? triangles.map((_, i) => triangles[i - i % 3 + (3 - i % 3) % 3]!) : triangles);
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/** What a form looks like, of its true size, about its z axis. */
export function form(outlook: Outlook, around: number): BufferGeometry {
  const { kind, size } = outlook;
  const [a = 0, b = 0, c = 0] = size;
  const quarter = Math.PI / 2;
  switch (kind) {
    case 'box': return new BoxGeometry(a, b, c);
    case 'sphere': return new SphereGeometry(a, around, Math.max(around >> 1, 6));
    case 'cylinder': return new CylinderGeometry(a, a, b, around).rotateX(quarter);
    case 'cone': return new ConeGeometry(a, b, around).rotateX(quarter).translate(0, 0, b / 4);
    case 'capsule': return turned([...arc(0, -b / 2, a, -quarter, 0, around >> 2), ...arc(0, b / 2, a, 0, quarter, around >> 2)], around);
    case 'tube': return turned([[b, -c / 2], [a, -c / 2], [a, c / 2], [b, c / 2], [b, -c / 2]], around);
    case 'wheel': return wheel(a, b, around);
    case 'plate': return new BoxGeometry(a, b, c);
    case 'extrusion': return extrusion(outlook.outline ?? [], a);
    case 'mesh': return meshed(outlook);
  }
}

/* A tyre, rounded at its shoulders, and a rim that stands back from its sides. */
function wheel(radius: number, width: number, around: number): BufferGeometry {
  const shoulder = Math.min(0.35 * width, 0.2 * radius);
  const [half, rim, hub] = [width / 2, 0.66 * radius, 0.14 * radius];
  const quarter = Math.PI / 2;
  return turned([
    [0, -0.34 * width], [hub, -0.34 * width], [hub, -0.22 * width], [0.9 * rim, -0.22 * width], [rim, -0.5 * width],
    ...arc(radius - shoulder, -half + shoulder, shoulder, -quarter, 0, 4),
    ...arc(radius - shoulder, half - shoulder, shoulder, 0, quarter, 4),
    [rim, 0.5 * width], [0.9 * rim, 0.22 * width], [hub, 0.22 * width], [hub, 0.34 * width], [0, 0.34 * width],
  ], around);
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
  return shaded(geometry, (x, y) => x * y > 0 ? 1 : 0.62);
}

const plain = new Set<WrittenShape['kind']>(['box', 'plate', 'extrusion', 'mesh']);

/** A form with its colours: what has edges plain, a wheel with a dark tyre, round things in quarters. */
export function coloured(outlook: Outlook, around: number): BufferGeometry {
  const { kind, size } = outlook;
  const geometry = form(outlook, around);
  if (plain.has(kind)) return shaded(geometry, () => 1);
  if (kind !== 'wheel') return quartered(geometry);
  const tyre = 0.67 * size[0]!;
  return shaded(geometry, (x, y) => Math.hypot(x, y) > tyre ? 0.16 : x * y > 0 ? 1 : 0.75);
}

/** Each triangle in the shade of its middle. */
function shaded(geometry: BufferGeometry, shade: (x: number, y: number) => number): BufferGeometry {
  const single = geometry.index === null ? geometry : geometry.toNonIndexed();
  const position = single.getAttribute('position');
  const colors = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i += 3) {
    const mean = (get: (k: number) => number): number => (get(i) + get(i + 1) + get(i + 2)) / 3;
    colors.fill(shade(mean((k) => position.getX(k)), mean((k) => position.getY(k))), 3 * i, 3 * (i + 3));
  }
  single.setAttribute('color', new Float32BufferAttribute(colors, 3));
  return single;
}
