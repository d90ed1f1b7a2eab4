/* Joints as glyphs; springs, rods and bushings between the bodies they join. */
import { Color, DynamicDrawUsage, Group, InstancedMesh, MeshStandardMaterial } from 'three';
import type { BufferGeometry } from 'three';
import type { Matrix3, Picture, Vector } from '../data';
import type { DrawnConnection, Model, Place } from '../model';
import { add, column, cross, dot, norm, scale, sub, triad } from '../vector';
import { RigidInstances, setInstance } from './instances';
import type { Instance } from './instances';
import type { BodyMotion } from './motion';
import * as shapes from './shapes';
import { everything } from './visibility';
import type { Visibility } from './visibility';

const jointColor = '#8b95a1';
const loadColor = '#a9925a';
const rubberColor = '#7a6a86';

/** A tube, coil or chain from one end to the other. */
interface Strut {
  from: Place;
  to: Place;
  radius: number;
}

interface Moving {
  update(motion: BodyMotion, visibility: Visibility): void;
}

const steel = (): MeshStandardMaterial => new MeshStandardMaterial({ metalness: 0.25, roughness: 0.55 });

function movingMesh(geometry: BufferGeometry, count: number, color: string): InstancedMesh {
  const mesh = new InstancedMesh(geometry, steel(), count);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;
  const tint = new Color(color);
  for (let i = 0; i < count; i++) mesh.setColorAt(i, tint);
  return mesh;
}

/** Unit axes x, y square to z, x as near to `hint` as can be. */
function square(z: Vector, hint: Vector): [Vector, Vector] {
  const x = sub(hint, scale(z, dot(hint, z) / Math.max(dot(z, z), 1e-300)));
  const length = norm(x);
  const unit: Vector = length > 1e-9 ? scale(x, 1 / length) : column(triad(z), 0);
  const y = cross(z, unit);
  return [unit, scale(y, 1 / Math.max(norm(y), 1e-300))];
}

/** A strut is drawn where a body at either end of it is drawn in full; the ground alone draws none, and a hidden body neither. */
function unseen(visibility: Visibility, from: Place, to: Place): boolean {
  if (visibility.isOff(from.body) || visibility.isOff(to.body)) return true;
  const [a, b] = [visibility.level[from.body]!, visibility.level[to.body]!];
  if (from.ground) return b < everything;
  return to.ground ? a < everything : Math.max(a, b) < everything;
}

/** Straight things stretched between two points: rods and coils. */
class Struts implements Moving {
  private readonly hints: Vector[];

  constructor(readonly mesh: InstancedMesh, private readonly struts: Strut[]) {
    this.hints = struts.map(({ from, to }) => column(triad(sub(to.position, from.position)), 0));
  }

  update(motion: BodyMotion, visibility: Visibility): void {
    const p: Vector = [0, 0, 0];
    const q: Vector = [0, 0, 0];
    let n = 0;
    this.struts.forEach(({ from, to, radius }, i) => {
      if (unseen(visibility, from, to)) return;
      motion.point(from.mover, from.position, p);
      motion.point(to.mover, to.position, q);
      const z = sub(q, p);
      const [x, y] = square(z, this.hints[i]!);
      setInstance(this.mesh, n++, scale(x, radius), scale(y, radius), z, p);
    });
    this.mesh.count = n;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** Direction along which a connection acts: as given, else z of its first marker. */
function axisOf(connection: DrawnConnection, place: Place): Vector {
  if (connection.axis !== undefined && norm(connection.axis) > 0) return connection.axis;
  return column(place.orientation, 2);
}

type Glyph = Exclude<Picture, 'rod' | 'coil'>;

/* Lines of no length are plain things. */
function glyphOf(connection: DrawnConnection): Glyph {
  const picture = connection.picture ?? 'plain';
  return picture === 'rod' || picture === 'coil' ? 'plain' : picture;
}

/* Width, width, length in glyph units. */
const glyphSize: Record<Glyph, Vector> = {
  pin: [1.7, 1.7, 2.2], sleeve: [1.5, 1.5, 3.6], block: [1.6, 1.6, 3], ball: [2, 2, 2], plain: [1.6, 1.6, 1.6],
  ring: [3, 3, 3], arrow: [2.5, 2.5, 4], rubber: [2.6, 2.6, 2.6],
};

function glyphGeometry(glyph: Glyph, detail: shapes.Detail): BufferGeometry {
  switch (glyph) {
    case 'pin': case 'sleeve': return shapes.cylinder(shapes.segments(detail, [28, 10, 6]));
    case 'block': case 'rubber': return shapes.box();
    case 'ball': return shapes.sphere(detail);
    case 'ring': return shapes.ring();
    case 'arrow': return shapes.arrow();
    case 'plain': return shapes.octahedron();
  }
}

/* Lines between two markers; of no length they are drawn as a glyph instead. */
function lineOf(connection: DrawnConnection): 'coil' | 'rod' | undefined {
  return connection.picture === 'coil' || connection.picture === 'rod' ? connection.picture : undefined;
}

export class Connections {
  readonly group = new Group();
  private readonly moving: Moving[] = [];

  constructor(private readonly model: Model) {
    const lines: Record<'coil' | 'rod', Strut[]> = { coil: [], rod: [] };
    const glyphs = new Map<Glyph, Instance[]>();
    for (const connection of model.connections) {
      const places = connection.ends.map((k) => model.places[k]!);
      const [from, to] = places;
      if (from === undefined) continue;
      const length = to === undefined ? 0 : norm(sub(to.position, from.position));
      const line = lineOf(connection);
      if (to !== undefined && line !== undefined && length > 1e-6 * model.size) {
        lines[line].push({ from, to, radius: 0 });
      } else {
        this.addGlyph(glyphs, connection, from, to);
      }
    }
    const detail = shapes.detailFor(model.connections.length);
    this.addSprings(lines.coil);
    this.addRods(lines.rod);
    for (const [glyph, instances] of glyphs) {
      const solid = new RigidInstances(glyphGeometry(glyph, detail), steel(), instances);
      this.moving.push(solid);
      this.group.add(solid.mesh);
    }
  }

  update(motion: BodyMotion, visibility: Visibility): void {
    for (const part of this.moving) part.update(motion, visibility);
  }

  private addGlyph(glyphs: Map<Glyph, Instance[]>, connection: DrawnConnection, from: Place, to: Place | undefined): void {
    const glyph = glyphOf(connection);
    const onGround = this.model.bodies[from.body]?.ground === true;
    const place = onGround && to !== undefined ? to : from;
    const frame: Matrix3 = glyph === 'rubber' ? place.orientation : triad(axisOf(connection, place));
    const list = glyphs.get(glyph) ?? [];
    list.push({
      body: place.mover, position: place.position, orientation: frame,
      size: scale(glyphSize[glyph], this.model.unit),
      color: glyph === 'rubber' ? rubberColor : connection.kind === 'joint' ? jointColor : loadColor,
    });
    glyphs.set(glyph, list);
  }

  /* Coils of like slenderness share a geometry, so that their wire looks round. */
  private addSprings(springs: Strut[]): void {
    const buckets = new Map<number, Strut[]>();
    for (const spring of springs) {
      const length = norm(sub(spring.to.position, spring.from.position));
      spring.radius = Math.min(1.5 * this.model.unit, 0.16 * length);
      const key = Math.min(Math.round(2 * Math.log2(length / spring.radius)), 16);
      buckets.set(key, [...(buckets.get(key) ?? []), spring]);
    }
    const detail = shapes.detailFor(4 * springs.length);
    const [most, perTurn, around] = ({ high: [24, 18, 8], middle: [10, 10, 4], low: [5, 4, 3] } as const)[detail];
    for (const [key, list] of buckets) {
      const aspect = 2 ** (key / 2);
      const turns = Math.min(Math.max(Math.round(aspect * 0.9), 5), most);
      const geometry = shapes.coil(aspect, turns, perTurn, around);
      this.addStruts(geometry, list, loadColor);
    }
  }

  private addRods(rods: Strut[]): void {
    for (const rod of rods) rod.radius = 0.3 * this.model.unit;
    if (rods.length > 0) this.addStruts(shapes.tube(8), rods, jointColor);
  }

  private addStruts(geometry: BufferGeometry, struts: Strut[], color: string): void {
    const part = new Struts(movingMesh(geometry, struts.length, color), struts);
    this.moving.push(part);
    this.group.add(part.mesh);
  }
}

/** Supports under the ground's markers that carry something. */
export function supports(model: Model): RigidInstances | undefined {
  const carrying = new Set([...model.connections, ...model.elements].flatMap((c) => c.ends));
  const up: Vector = [0, 0, 0];
  up[model.up.axis] = model.up.sign;
  const instances = [...carrying].map((k) => model.places[k]!)
    .filter((place) => model.bodies[place.body]?.ground === true)
    .map((place): Instance => ({
      body: place.body, position: add(place.position, scale(up, -0.2 * model.unit)), orientation: triad(up),
      size: scale([2.4, 2.4, 2.2], model.unit), color: '#8a94a0',
    }));
  return instances.length === 0 ? undefined : new RigidInstances(shapes.support(), steel(), instances);
}
