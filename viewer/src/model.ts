/* The report's bodies, markers and connections, indexed for drawing. */
import type { Body, Connection, Flexible, Matrix3, Mesh, Report, Vector, WrittenShape } from './data';
import { standIn } from './standin';
import { add, identity, norm, sub, symmetricEigen, multiply, transform } from './vector';

export interface Place {
  name: string;
  body: number;
  /** What moves it (Model.movers): its body, or of a flexible body itself. */
  mover: number;
  ground: boolean;
  position: Vector;
  orientation: Matrix3;
  implicit: boolean;
}

/** The solid of uniform density that has the body's mass and inertia. */
export interface Solid {
  shape: 'box' | 'cylinder' | 'sphere';
  /** Full lengths along the solid's own axes; a cylinder's axis is its third. */
  size: Vector;
  orientation: Matrix3;
}

/** What a body is drawn as, besides its links: its given shape, or what stands for it. */
export interface Form {
  kind: WrittenShape['kind'];
  /** As WrittenShape has it. */
  size: number[];
  outline?: number[];
  mesh?: Mesh;
  origin?: Vector;
  position: Vector;
  orientation: Matrix3;
  color: string;
}

export interface DrawnBody {
  name: string;
  mass: number | undefined;
  inertia: Matrix3 | undefined;
  ground: boolean;
  color: string;
  /** The marker whose motion is the body's: the centre of mass where there is one. */
  source: number;
  center: Vector;
  markers: number[];
  solid: Solid | undefined;
  form: Form | undefined;
  /** Largest distance of something drawn from the centre. */
  radius: number;
  /** Its shape is in Model.flexible. */
  flexible: boolean;
}

/** A rigid motion: that of the marker `source`, about `center`. */
export interface Mover {
  body: number;
  source: number;
  center: Vector;
}

/** A flexible body's nodes, three numbers each. */
export interface DrawnFlexible {
  body: number;
  radius: number;
  nodes: Float64Array;
  undeformed: Float64Array;
  along: Float64Array | undefined;
  lines: number[];
  triangles: number[];
}

export interface DrawnConnection {
  kind: Connection['kind'];
  type: string;
  picture: Connection['picture'];
  name: string;
  ends: number[];
  axis: Vector | undefined;
}

/** A beam between two places, a load of the model or, where that has more nodes, a part of one. */
export interface DrawnElement {
  name: string;
  ends: [number, number];
}

/** Loads that are drawn as beams, where they have a length. */
const elementTypes = new Set(['beam', 'flexible_rod', 'spectral_rod']);

export interface Model {
  bodies: DrawnBody[];
  meshes: Mesh[];
  bodyIndex: Map<string, number>;
  places: Place[];
  /** The bodies, then the markers of flexible ones. */
  movers: Mover[];
  flexible: DrawnFlexible[];
  elements: DrawnElement[];
  /** What is no element. */
  connections: DrawnConnection[];
  low: Vector;
  high: Vector;
  /** Diagonal of the box around everything, and the unit that glyphs are sized by. */
  size: number;
  unit: number;
  /** 0, 1, 2 and a sign: the axis that points up. */
  up: { axis: 0 | 1 | 2; sign: 1 | -1 };
}

/* Ten hues that keep apart for most eyes, none of them the red that means unstable. */
const palette = ['#3f7fbf', '#e0902f', '#4fa36b', '#9a6fb8', '#c9a227', '#3fa7a3', '#a1705a', '#d681a6', '#6b7fd1', '#7f9a3d'];

/* Equivalent solid: for a box of sides a, b, c: I1 = m (b^2 + c^2) / 12, so a^2 = 6 (I2 + I3 - I1) / m;
 * for a cylinder about axis 3: I3 = m r^2 / 2, I1 = m (3 r^2 + h^2) / 12. */
function equivalentSolid(body: Body, orientation: Matrix3, limit: number): Solid | undefined {
  const { mass, inertia } = body;
  if (mass === undefined || inertia === undefined || !(mass > 0)) return undefined;
  const { values, vectors } = symmetricEigen(inertia);
  const largest = Math.max(...values);
  if (!(largest > 0)) return undefined;
  const close = (a: number, b: number): boolean => Math.abs(a - b) <= 0.02 * largest;
  const world = (m: Matrix3): Matrix3 => multiply(orientation, m);
  let solid: Solid;
  if (close(values[0], values[1]) && close(values[1], values[2])) {
    const d = 2 * Math.sqrt(2.5 * values[0] / mass);
    solid = { shape: 'sphere', size: [d, d, d], orientation: world(vectors) };
  } else {
    const odd = ([0, 1, 2] as const).find((k) => close(values[(k + 1) % 3]!, values[(k + 2) % 3]!));
    if (odd !== undefined) {
      const r2 = 2 * values[odd] / mass;
      const h2 = 12 * values[(odd + 1) % 3]! / mass - 3 * r2;
      const d = 2 * Math.sqrt(Math.max(r2, 0));
      const turned = multiply(vectors, cyclic(odd));
      solid = { shape: 'cylinder', size: [d, d, Math.sqrt(Math.max(h2, 0))], orientation: world(turned) };
    } else {
      const [p, q, r] = values;
      const side = (s: number): number => Math.sqrt(Math.max(6 * s / mass, 0));
      solid = { shape: 'box', size: [side(q + r - p), side(p + r - q), side(p + q - r)], orientation: world(vectors) };
    }
  }
  const longest = Math.max(...solid.size);
  const shrink = limit > 0 ? Math.min(1, limit / longest) : 1;
  solid.size = solid.size.map((s) => shrink * Math.max(s, 0.05 * longest)) as Vector;
  return solid;
}

/** A given shape, in the world. */
function givenForm(shape: WrittenShape, at: Place, color: string, meshes: Mesh[]): Form {
  const mesh = shape.mesh === undefined ? undefined : meshes[shape.mesh];
  return {
    kind: shape.kind, size: shape.size, color: shape.color ?? color,
    ...(shape.outline && { outline: shape.outline }), ...(mesh && { mesh }), ...(shape.origin && { origin: shape.origin }),
    position: add(at.position, transform(at.orientation, shape.position)),
    orientation: multiply(at.orientation, shape.orientation),
  };
}

function extremes(values: number[]): [number, number] {
  return values.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
}

/** The points of a form that is given by points, in its axes. */
function cornersOf({ size, outline, mesh, origin = [0, 0, 0] }: Form): Vector[] {
  if (outline !== undefined) {
    const half = (size[0] ?? 0) / 2;
    return Array.from({ length: outline.length >> 1 }, (_, k) => [outline[2 * k]!, outline[2 * k + 1]!] as const)
      .flatMap(([x, y]): Vector[] => [[x, y, -half], [x, y, half]]);
  }
  if (mesh === undefined) return [];
  return Array.from({ length: Math.floor(mesh.points.length / 3) }, (_, k) =>
    ([0, 1, 2] as const).map((i) => (size[i] ?? 1) * (mesh.points[3 * k + i]! - origin[i])) as Vector);
}

/** The box around a form, about its axes. */
function boundingBox(form: Form): { size: Vector; orientation: Matrix3; position: Vector } {
  const { kind, size, position, orientation } = form;
  const corners = cornersOf(form);
  if (corners.length > 0) {
    const range = ([0, 1, 2] as const).map((k) => extremes(corners.map((p) => p[k])));
    const middle = range.map(([low, high]) => (low + high) / 2) as Vector;
    return { size: range.map(([low, high]) => high - low) as Vector, orientation, position: add(position, transform(orientation, middle)) };
  }
  const [a = 0, b = 0, c = 0] = size;
  const round = (length: number): Vector => [2 * a, 2 * a, length];
  const sides = (): Vector => {
    switch (kind) {
      case 'box': case 'plate': return [a, b, c];
      case 'sphere': return round(2 * a);
      case 'capsule': return round(b + 2 * a);
      case 'tube': return round(c);
      case 'cone': return round(1.5 * b); // the tip is 3/4 of its length from the origin
      case 'cylinder': case 'wheel': return round(b);
      case 'extrusion': case 'mesh': return [0, 0, 0]; // without corners
    }
  };
  return { size: sides(), orientation, position };
}

/** The axes that a body turns about: those of its joints and wheels, and that of its angular velocity. */
function axesOf(body: DrawnBody, bodies: DrawnBody[], places: Place[], connections: DrawnConnection[], report: Report): Vector[] {
  const axes = connections.flatMap((c) => {
    const here = c.ends.some((k) => bodies[places[k]!.body] === body);
    return here && c.axis !== undefined ? [c.axis] : [];
  });
  const spin = report.operating_point.bodies?.find((b) => b.name === body.name)?.angular_velocity;
  return spin !== undefined && norm(spin) > 0 ? [...axes, spin] : axes;
}

/* What touches a surface with its own. */
const touching = new Set(['rolling', 'contact', 'tyre']);

function touches(body: DrawnBody, bodies: DrawnBody[], places: Place[], connections: DrawnConnection[]): boolean {
  return connections.some((c) => touching.has(c.type) && c.ends.some((k) => bodies[places[k]!.body] === body));
}

/** A cyclic exchange of axes that brings axis k to the third place. */
function cyclic(k: 0 | 1 | 2): Matrix3 {
  if (k === 2) return [...identity];
  return k === 0 ? [0, 0, 1, 1, 0, 0, 0, 1, 0] : [0, 1, 0, 0, 0, 1, 1, 0, 0];
}

function upFrom(gravity: Vector | undefined): Model['up'] {
  if (gravity === undefined || norm(gravity) === 0) return { axis: 2, sign: 1 };
  const sizes = gravity.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes)) as 0 | 1 | 2;
  return { axis, sign: gravity[axis] > 0 ? -1 : 1 };
}

function median(values: number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

export function buildModel(report: Report): Model {
  const bodies: DrawnBody[] = [];
  const bodyIndex = new Map<string, number>();
  for (const body of report.bodies) {
    addBody(bodies, bodyIndex, body);
  }

  const placeIndex = new Map<string, number>();
  const places: Place[] = report.markers.map((marker, k) => {
    const body = bodyIndex.get(marker.body) ?? addBody(bodies, bodyIndex, { name: marker.body });
    placeIndex.set(marker.name, k);
    bodies[body]!.markers.push(k);
    if (bodies[body]!.source < 0 || marker.name === marker.body) bodies[body]!.source = k;
    return { name: marker.name, body, mover: body, ground: bodies[body]!.ground, position: marker.position, orientation: marker.orientation,
      implicit: marker.implicit ?? false };
  });

  if (!placeIndex.has('ground')) addGroundPlace(bodies, bodyIndex, places, placeIndex);

  const connections = (report.connections ?? []).map((c): DrawnConnection => ({
    kind: c.kind, type: c.type, picture: c.picture, name: c.name,
    ends: c.markers.flatMap((name) => {
      const k = name === null ? undefined : placeIndex.get(name);
      return k === undefined ? [] : [k];
    }),
    axis: c.axis ?? undefined,
  }));

  const low: Vector = [Infinity, Infinity, Infinity];
  const high: Vector = [-Infinity, -Infinity, -Infinity];
  const include = (p: Vector, r: number): void => {
    for (const k of [0, 1, 2] as const) {
      low[k] = Math.min(low[k], p[k] - r);
      high[k] = Math.max(high[k], p[k] + r);
    }
  };
  const used = new Set(connections.flatMap((c) => c.ends));
  places.forEach((place, k) => {
    if (!place.ground || used.has(k)) include(place.position, 0);
  });
  if (!Number.isFinite(low[0])) include([0, 0, 0], 0);
  const spread = norm(sub(high, low));

  const flexible = (report.flexible ?? []).flatMap((f) => drawnFlexible(f, bodies, bodyIndex, include));
  const links: number[] = flexible.map((f) => flexibleLength(f));
  report.bodies.forEach((body, b) => {
    const drawn = bodies[b]!;
    const source = places[drawn.source];
    if (source === undefined) return;
    drawn.center = source.position;
    if (!drawn.ground) {
      drawn.solid = equivalentSolid(body, source.orientation, 3 * spread);
      if (body.shape) drawn.form = givenForm(body.shape, source, drawn.color, report.meshes ?? []);
    }
    for (const k of drawn.markers) {
      const length = norm(sub(places[k]!.position, drawn.center));
      drawn.radius = Math.max(drawn.radius, length);
      if (!drawn.ground && !drawn.flexible && length > 1e-9 * spread) links.push(length);
    }
  });
  const reach = norm(sub(high, low));
  for (const drawn of bodies) {
    if (drawn.ground || drawn.flexible) continue;
    drawn.form ??= standIn(drawn, axesOf(drawn, bodies, places, connections, report), reach, touches(drawn, bodies, places, connections));
    if (drawn.form === undefined) continue;
    const { size, orientation, position } = boundingBox(drawn.form);
    drawn.radius = Math.max(drawn.radius, norm(size) / 2 + norm(sub(position, drawn.center)));
    includeSolid(include, position, { shape: 'box', size, orientation });
  }

  // Of a single point the paths know no length to go by: room for them as they are.
  if (spread === 0) {
    const reach = Math.max(0, ...(report.paths?.list ?? []).map((path) => path.amplitude));
    for (const body of bodies) if (!body.ground) include(body.center, reach);
  }
  const extent = norm(sub(high, low));
  const size = extent > 0 ? extent : 1;
  const elements = connections.flatMap((c): DrawnElement[] => {
    if (!elementTypes.has(c.type)) return [];
    const pairs = c.ends.slice(1).map((b, k): [number, number] => [c.ends[k]!, b]);
    const long = pairs.every(([a, b]) => norm(sub(places[b]!.position, places[a]!.position)) > 1e-6 * size);
    return long ? pairs.map((ends) => ({ name: c.name, ends })) : [];
  });
  const drawn = new Set(elements.map((e) => e.name));
  const others = connections.filter((c) => c.kind !== 'load' || !drawn.has(c.name));
  return { bodies, meshes: report.meshes ?? [], bodyIndex, places, movers: findMovers(bodies, places), flexible, elements, connections: others, low, high, size,
    unit: glyphUnit(size, median(links), bodies.length), up: upFrom(report.gravity) };
}

function drawnFlexible(flexible: Flexible, bodies: DrawnBody[], index: Map<string, number>,
  include: (p: Vector, r: number) => void): DrawnFlexible[] {
  const body = index.get(flexible.body);
  if (body === undefined) return [];
  bodies[body]!.flexible = true;
  for (const node of flexible.nodes) include(node, flexible.radius);
  const flat = (list: Vector[]): Float64Array => Float64Array.from(list.flat());
  return [{ body, radius: flexible.radius, nodes: flat(flexible.nodes), undeformed: flat(flexible.undeformed),
    along: flexible.along === undefined ? undefined : flat(flexible.along), lines: flexible.lines, triangles: flexible.triangles }];
}

/** The diagonal of the box around it. */
function flexibleLength(flexible: DrawnFlexible): number {
  const sides = [0, 1, 2].map((k) => {
    const values = flexible.nodes.filter((_, i) => i % 3 === k);
    return Math.max(...values) - Math.min(...values);
  });
  return Math.hypot(...sides);
}

function findMovers(bodies: DrawnBody[], places: Place[]): Mover[] {
  const movers: Mover[] = bodies.map((body, b) => ({ body: b, source: body.source, center: body.center }));
  places.forEach((place, k) => {
    if (bodies[place.body]!.flexible) place.mover = movers.push({ body: place.body, source: k, center: place.position }) - 1;
  });
  return movers;
}

/** Glyphs suit the typical link, and in a small model are never too small to see. */
function glyphUnit(size: number, link: number, nBodies: number): number {
  if (link === 0) return 0.02 * size;
  const least = nBodies < 50 ? 0.005 * size : 0;
  return Math.min(0.02 * size, Math.max(0.1 * link, least));
}

/** What is tied to the ground itself is tied at the origin of the world. */
function addGroundPlace(bodies: DrawnBody[], bodyIndex: Map<string, number>, places: Place[],
  placeIndex: Map<string, number>): void {
  const body = bodyIndex.get('ground') ?? addBody(bodies, bodyIndex, { name: 'ground' });
  if (bodies[body]!.source < 0) bodies[body]!.source = places.length;
  placeIndex.set('ground', places.length);
  places.push({ name: 'ground', body, mover: body, ground: true, position: [0, 0, 0], orientation: [...identity], implicit: true });
}

function addBody(bodies: DrawnBody[], index: Map<string, number>, body: Body): number {
  const ground = body.name === 'ground';
  index.set(body.name, bodies.length);
  return bodies.push({
    name: body.name, mass: body.mass, inertia: body.inertia, ground,
    color: ground ? '#8a94a0' : palette[(bodies.length + (index.has('ground') ? 9 : 0)) % palette.length]!,
    source: -1, center: [0, 0, 0], markers: [], solid: undefined, form: undefined, radius: 0, flexible: false,
  }) - 1;
}

function includeSolid(include: (p: Vector, r: number) => void, center: Vector, solid: Solid): void {
  const half = solid.size.map((s) => s / 2) as Vector;
  const m = solid.orientation;
  const reach = [0, 1, 2].map((i) =>
    Math.abs(m[3 * i]! * half[0]) + Math.abs(m[3 * i + 1]! * half[1]) + Math.abs(m[3 * i + 2]! * half[2])) as Vector;
  include([center[0] + reach[0], center[1] + reach[1], center[2] + reach[2]], 0);
  include([center[0] - reach[0], center[1] - reach[1], center[2] - reach[2]], 0);
}
