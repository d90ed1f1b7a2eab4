/* Bodies: links from the centre of mass to their markers, their shapes, and the solid of equal inertia. */
import { twoPi } from '../eigenvalue';
import { BufferGeometry, DoubleSide, EdgesGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Matrix4,
  MeshStandardMaterial, Vector3 } from 'three';
import type { DrawnFlexible, Form, Model, Solid } from '../model';
import { identity, norm, scale, sub, triad } from '../vector';
import { RigidInstances } from './instances';
import type { Instance } from './instances';
import type { BodyMotion } from './motion';
import * as shapes from './shapes';
import { everything, links } from './visibility';
import type { Visibility } from './visibility';

function linkInstances(model: Model): Instance[] {
  const found: Instance[] = [];
  model.bodies.forEach((body, b) => {
    if (body.ground || body.flexible) return;
    for (const k of body.markers) {
      const along = sub(model.places[k]!.position, body.center);
      const length = norm(along);
      if (length < 1e-6 * model.size) continue;
      const thick = Math.min(0.45 * model.unit, 0.12 * length);
      found.push({ body: b, position: body.center, orientation: triad(along), size: [thick, thick, length], color: body.color });
    }
  });
  return found;
}

function centerInstances(model: Model): Instance[] {
  return model.bodies.flatMap((body, body_) => body.ground || body.flexible || body.source < 0 ? [] : [{
    body: body_, position: body.center, orientation: identity,
    size: scale([1.25, 1.25, 1.25], model.unit), color: body.color,
  }]);
}

/** Forms of equal size share a geometry: those of a kind, by their sizes to four digits. */
function formInstances(model: Model): Map<string, { form: Form; instances: Instance[] }> {
  const found = new Map<string, { form: Form; instances: Instance[] }>();
  model.bodies.forEach((body, b) => {
    const { form } = body;
    if (form === undefined) return;
    const key = [form.kind, ...form.size.map((s) => s.toPrecision(4)), ...form.outline ?? [], form.mesh ? model.meshes.indexOf(form.mesh) : '',
      ...form.origin ?? []].join(' ');
    const { instances } = found.get(key) ?? found.set(key, { form, instances: [] }).get(key)!;
    instances.push({ body: b, position: form.position, orientation: form.orientation, size: [1, 1, 1], color: form.color });
  });
  return found;
}

function solidInstances(model: Model, shape: Solid['shape']): Instance[] {
  return model.bodies.flatMap((body, b) => body.solid?.shape !== shape ? [] : [{
    body: b, position: body.center, orientation: body.solid.orientation, size: body.solid.size, color: body.color,
  }]);
}

export class Bodies {
  readonly group = new Group();
  readonly solids = new Group();
  /** What the pointer can be over. */
  readonly parts: RigidInstances[] = [];

  constructor(model: Model) {
    const detail = shapes.detailFor(model.bodies.length);
    const plain = new MeshStandardMaterial({ metalness: 0.1, roughness: 0.6 });
    this.add(this.group, shapes.link(shapes.segments(detail, [20, 8, 5])), plain, linkInstances(model), links);
    this.add(this.group, shapes.sphere(detail), plain, centerInstances(model));
    const clear = new MeshStandardMaterial({
      metalness: 0, roughness: 0.7, vertexColors: true, transparent: true, opacity: 0.5, depthWrite: false,
    });
    const round = shapes.segments(detail, [48, 12, 8]);
    const patched = new MeshStandardMaterial({ metalness: 0.05, roughness: 0.65, vertexColors: true, side: DoubleSide });
    for (const { form, instances } of formInstances(model).values()) {
      this.add(this.group, shapes.coloured(form, round), patched, instances);
    }
    const solid = { box: shapes.box(), cylinder: shapes.cylinder(round), sphere: shapes.sphere(detail) };
    for (const shape of ['box', 'cylinder', 'sphere'] as const) {
      this.add(this.solids, shapes.quartered(solid[shape]), clear, solidInstances(model, shape));
    }
    this.group.add(this.solids);
  }

  private add(group: Group, geometry: BufferGeometry, material: MeshStandardMaterial, instances: Instance[],
    least = everything): void {
    if (instances.length === 0) return;
    const part = new RigidInstances(geometry, material, instances, least);
    this.parts.push(part);
    group.add(part.mesh);
  }

  update(motion: BodyMotion, visibility: Visibility): void {
    for (const part of this.parts) part.update(motion, visibility);
  }
}

function ghostPoints(model: Model, seen: boolean[] | undefined): number[] {
  const points: number[] = [];
  const drawn = model.bodies.filter((_, b) => seen?.[b] !== false);
  for (const body of drawn) {
    if (body.ground || body.flexible) continue;
    for (const k of body.markers) {
      const end = model.places[k]!.position;
      if (norm(sub(end, body.center)) > 1e-6 * model.size) points.push(...body.center, ...end);
    }
  }
  for (const flexible of model.flexible) if (seen?.[flexible.body] !== false) flexibleLines(flexible, points);
  if (model.bodies.length <= 300) {
    for (const { form } of drawn) if (form) formEdges(form, points);
  }
  return points;
}

/** Of the bodies that are seen. */
export function setGhost(lines: LineSegments, model: Model, seen: boolean[]): void {
  lines.geometry.dispose();
  lines.geometry = new BufferGeometry();
  lines.geometry.setAttribute('position', new Float32BufferAttribute(ghostPoints(model, seen), 3));
}

/** The model at rest as thin lines. */
export function ghost(model: Model): LineSegments {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(ghostPoints(model, undefined), 3));
  const lines = new LineSegments(geometry, new LineBasicMaterial({ transparent: true, opacity: 0.55 }));
  lines.frustumCulled = false;
  return lines;
}

/** As it stands and, where weight bends it, undeformed. */
function flexibleLines(flexible: DrawnFlexible, out: number[]): void {
  const { lines, triangles } = flexible;
  const pairs = lines.length > 0 ? lines : triangles.flatMap((a, i) => [a, triangles[i % 3 === 2 ? i - 2 : i + 1]!]);
  for (const places of [flexible.nodes, flexible.undeformed]) {
    for (const k of pairs) out.push(places[3 * k]!, places[3 * k + 1]!, places[3 * k + 2]!);
  }
}

function formEdges(form: Form, out: number[]): void {
  const edges = new EdgesGeometry(shapes.form(form, 48), 40).getAttribute('position');
  const m = form.orientation;
  const frame = new Matrix4().set(m[0], m[1], m[2], 0, m[3], m[4], m[5], 0, m[6], m[7], m[8], 0, 0, 0, 0, 1)
    .setPosition(...form.position);
  const p = new Vector3();
  for (let i = 0; i < edges.count; i++) {
    p.fromBufferAttribute(edges, i).applyMatrix4(frame);
    out.push(p.x, p.y, p.z);
  }
}

/** The paths of the bodies' centres over one cycle. */
export class Paths {
  private static readonly pieces = 48;
  private static readonly most = 400;
  readonly lines: LineSegments;
  private readonly bodies: number[];
  private seen: boolean[] | undefined;

  constructor(model: Model) {
    this.bodies = model.bodies.flatMap((body, b) => body.ground || body.flexible || body.source < 0 ? [] : [b]).slice(0, Paths.most);
    const geometry = new BufferGeometry();
    const floats = 6 * Paths.pieces * this.bodies.length;
    geometry.setAttribute('position', new Float32BufferAttribute(new Float32Array(floats), 3));
    this.lines = new LineSegments(geometry, new LineBasicMaterial({ transparent: true, opacity: 0.9 }));
    this.lines.frustumCulled = false;
  }

  see(seen: boolean[]): void {
    this.seen = seen;
  }

  update(motion: BodyMotion, amplitude: number): void {
    const attribute = this.lines.geometry.getAttribute('position');
    const out = attribute.array as Float32Array;
    const n = Paths.pieces;
    this.bodies.forEach((b, i) => {
      if (this.seen?.[b] === false) out.fill(0, 6 * n * i, 6 * n * (i + 1));
      for (let k = 0; k < n && this.seen?.[b] !== false; k++) {
        const at = 6 * (n * i + k);
        motion.pathPoint(b, amplitude, twoPi * k / n, out, at);
        motion.pathPoint(b, amplitude, twoPi * (k + 1) / n, out, at + 3);
      }
    });
    attribute.needsUpdate = true;
  }
}

