/* What bends: beams as tubes, flexible bodies of other kinds as surfaces, coloured by where strain energy sits. */
import { twoPi } from '../eigenvalue';
import { BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Group, Mesh, MeshStandardMaterial } from 'three';
import type { Mode, Vector } from '../data';
import type { DrawnFlexible, Model } from '../model';
import { unpackBytes } from '../packed';
import { triad, sub, column, dot, scale, norm } from '../vector';
import type { BodyMotion } from './motion';
import type { Visibility } from './visibility';

/** From little strain energy to the most, alike on light and on dark ground. */
const ramp = ['#3b528b', '#21918c', '#5ec962', '#fde725'].map((text) => new Color(text));

/** The colour of a share of the largest density, 0 to 1. */
export function strainColor(share: number, out: Color): Color {
  const at = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
  const k = Math.min(Math.floor(at), ramp.length - 2);
  return out.copy(ramp[k]!).lerp(ramp[k + 1]!, at - k);
}

const elementColor = '#a9925a';
const around = 12;
/** Rings of all tubes together, about. */
const mostRings = 4000;

/** What is shaped anew for every picture. */
abstract class Bent {
  readonly mesh: Mesh;
  protected readonly place: Float32Array;
  private readonly tint: Float32Array;
  private readonly own: Color;

  constructor(readonly body: number, color: string, vertices: number, indices: number[], material: MeshStandardMaterial) {
    const geometry = new BufferGeometry();
    this.place = new Float32Array(3 * vertices);
    this.tint = new Float32Array(3 * vertices);
    this.own = new Color(color);
    geometry.setAttribute('position', new BufferAttribute(this.place, 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute('color', new BufferAttribute(this.tint, 3).setUsage(DynamicDrawUsage));
    geometry.setIndex(indices);
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  /** `strain` of every node, or undefined for the body's own colour. */
  paint(strain: Uint8Array | undefined): void {
    const color = new Color();
    for (let v = 0; v < this.tint.length / 3; v++) {
      (strain === undefined ? color.copy(this.own) : strainColor(this.strainAt(v, strain) / 255, color)).toArray(this.tint, 3 * v);
    }
    this.mesh.geometry.getAttribute('color').needsUpdate = true;
  }

  update(motion: BodyMotion): void {
    this.bend(motion);
    this.mesh.geometry.getAttribute('position').needsUpdate = true;
  }

  protected abstract strainAt(vertex: number, strain: Uint8Array): number;
  protected abstract bend(motion: BodyMotion): void;
}

const faceted = (): MeshStandardMaterial =>
  new MeshStandardMaterial({ metalness: 0.1, roughness: 0.6, vertexColors: true, flatShading: true, side: DoubleSide });

/** Triangles between the nodes. */
class Surface extends Bent {
  constructor(flexible: DrawnFlexible, private readonly number: number, color: string) {
    super(flexible.body, color, flexible.nodes.length / 3, flexible.triangles, faceted());
  }

  protected strainAt(vertex: number, strain: Uint8Array): number {
    return strain[vertex]!;
  }

  protected bend(motion: BodyMotion): void {
    this.place.set(motion.flexible[this.number]!.nodes);
  }
}

/** Where a line begins and ends, and its slopes there. */
interface Ends {
  places: [Vector, Vector];
  slopes: [Vector, Vector];
}

/** Lines as tubes: a cubic between two nodes, whose end slopes turn with them. */
abstract class Tubes extends Bent {
  private readonly sides: [Vector, Vector][];
  protected readonly ends: Ends = { places: [[0, 0, 0], [0, 0, 0]], slopes: [[0, 0, 0], [0, 0, 0]] };

  constructor(body: number, color: string, private readonly radius: number, private readonly pieces: number, chords: Vector[]) {
    super(body, color, chords.length * (pieces + 1) * around, Tubes.indices(chords.length, pieces),
      new MeshStandardMaterial({ metalness: 0.1, roughness: 0.6, vertexColors: true, flatShading: pieces < 3, side: DoubleSide }));
    this.sides = chords.map((chord) => {
      const frame = triad(chord);
      return [column(frame, 0), column(frame, 1)];
    });
    this.mesh.geometry.setAttribute('normal', new BufferAttribute(new Float32Array(this.place.length), 3).setUsage(DynamicDrawUsage));
  }

  private static indices(lines: number, pieces: number): number[] {
    const list: number[] = [];
    for (let l = 0; l < lines; l++) {
      for (let p = 0; p < pieces; p++) {
        const ring = (l * (pieces + 1) + p) * around;
        for (let k = 0; k < around; k++) {
          const a = ring + k;
          const b = ring + (k + 1) % around;
          list.push(a, b, a + around, b, b + around, a + around);
        }
      }
    }
    return list;
  }

  /** Where a line is now, into `ends`. */
  protected abstract find(line: number, motion: BodyMotion): void;
  /** The nodes at the ends of a line, in the list of strains. */
  protected abstract nodesOf(line: number): readonly [number, number];

  protected strainAt(vertex: number, strain: Uint8Array): number {
    const ring = Math.floor(vertex / around);
    const s = (ring % (this.pieces + 1)) / this.pieces;
    const [a, b] = this.nodesOf(Math.floor(ring / (this.pieces + 1)));
    return (1 - s) * strain[a]! + s * strain[b]!;
  }

  protected bend(motion: BodyMotion): void {
    const normal = this.mesh.geometry.getAttribute('normal');
    const out = normal.array as Float32Array;
    const { places: [p, q], slopes: [t, u] } = this.ends;
    for (let l = 0; l < this.sides.length; l++) {
      this.find(l, motion);
      for (let k = 0; k <= this.pieces; k++) {
        const s = k / this.pieces;
        const h = [2 * s ** 3 - 3 * s ** 2 + 1, s ** 3 - 2 * s ** 2 + s, 3 * s ** 2 - 2 * s ** 3, s ** 3 - s ** 2] as const;
        const g = [6 * s ** 2 - 6 * s, 3 * s ** 2 - 4 * s + 1, 6 * s - 6 * s ** 2, 3 * s ** 2 - 2 * s] as const;
        const mix = (f: readonly [number, number, number, number]): Vector => [0, 1, 2].map((i) =>
          f[0] * p[i]! + f[1] * t[i]! + f[2] * q[i]! + f[3] * u[i]!) as Vector;
        this.ring((l * (this.pieces + 1) + k) * around, mix(h), mix(g), this.sides[l]!, out);
      }
    }
    normal.needsUpdate = true;
  }

  /* A circle about `center` square to `axis`; its sides stay as near as can be to those at rest. */
  private ring(first: number, center: Vector, axis: Vector, sides: [Vector, Vector], normal: Float32Array): void {
    const z = scale(axis, 1 / Math.max(norm(axis), 1e-300));
    const flat = sub(sides[0], scale(z, dot(sides[0], z)));
    const x = norm(flat) > 1e-6 ? scale(flat, 1 / norm(flat)) : sides[1];
    const y: Vector = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
    for (let k = 0; k < around; k++) {
      const c = Math.cos(twoPi * k / around);
      const s = Math.sin(twoPi * k / around);
      for (let i = 0; i < 3; i++) {
        const n = c * x[i]! + s * y[i]!;
        normal[3 * (first + k) + i] = n;
        this.place[3 * (first + k) + i] = center[i]! + this.radius * n;
      }
    }
  }
}

const nodeAt = (list: Float64Array, k: number): Vector => [list[3 * k]!, list[3 * k + 1]!, list[3 * k + 2]!];

/** A body of beams between nodes. */
class Frame extends Tubes {
  private readonly slopeInBody: Vector = [0, 0, 0];
  /** Slopes at both ends of a line where it stands. */
  private readonly rest: [Vector, Vector][] = [];

  constructor(private readonly flexible: DrawnFlexible, private readonly number: number, color: string, radius: number, pieces: number) {
    const lines = Array.from({ length: flexible.lines.length / 2 }, (_, l) => [flexible.lines[2 * l]!, flexible.lines[2 * l + 1]!] as const);
    const chords = lines.map(([a, b]) => sub(nodeAt(flexible.nodes, b), nodeAt(flexible.nodes, a)));
    super(flexible.body, color, radius, pieces, chords);
    lines.forEach((ends, l) => { this.rest.push(ends.map((node) => this.slope(node, chords[l]!)) as [Vector, Vector]); });
  }

  /* The node's own axis where it lies along the line, else the line. */
  private slope(node: number, chord: Vector): Vector {
    const along = this.flexible.along;
    if (along === undefined) return chord;
    const x = nodeAt(along, node);
    const part = dot(x, chord) / Math.max(norm(chord), 1e-300);
    return Math.abs(part) < 0.9 ? chord : scale(x, Math.sign(part) * norm(chord));
  }

  protected nodesOf(line: number): readonly [number, number] {
    return [this.flexible.lines[2 * line]!, this.flexible.lines[2 * line + 1]!];
  }

  protected find(line: number, motion: BodyMotion): void {
    const shape = motion.flexible[this.number]!;
    this.nodesOf(line).forEach((node, e) => {
      for (let k = 0; k < 3; k++) this.ends.places[e]![k] = shape.nodes[3 * node + k]!;
      turned(shape.turns, node, this.rest[line]![e]!, this.slopeInBody);
      motion.turn(this.body, this.slopeInBody, this.ends.slopes[e]!);
    });
  }
}

/** Beams between markers of bodies, which move and turn with these. */
class Elements extends Tubes {
  private readonly chords: Vector[];

  constructor(private readonly model: Model, color: string, radius: number, pieces: number) {
    const chords = model.elements.map(({ ends: [a, b] }) => sub(model.places[b]!.position, model.places[a]!.position));
    super(-1, color, radius, pieces, chords);
    this.chords = chords;
  }

  /** Density of the strain energy of every element, as far as it is a share of it, averaged where elements meet. */
  strainOf(mode: Mode): Uint8Array | undefined {
    const shares = new Map(mode.shares?.strain?.map((s) => [s.name, s.fraction]));
    const lengths = new Map<string, number>();
    this.model.elements.forEach(({ name }, l) => lengths.set(name, (lengths.get(name) ?? 0) + norm(this.chords[l]!)));
    const density = this.model.elements.map(({ name }) => Math.max(shares.get(`load ${name}`) ?? 0, 0) / lengths.get(name)!);
    const of = new Map<number, number[]>();
    this.model.elements.forEach(({ ends }, l) => {
      for (const place of ends) of.set(place, [...(of.get(place) ?? []), density[l]!]);
    });
    const mean = this.model.elements.flatMap(({ ends }) => ends.map((place) => {
      const all = of.get(place)!;
      return all.reduce((sum, x) => sum + x, 0) / all.length;
    }));
    const most = Math.max(...mean);
    return most > 0 ? Uint8Array.from(mean, (x) => Math.round(255 * x / most)) : undefined;
  }

  protected nodesOf(line: number): readonly [number, number] {
    return [2 * line, 2 * line + 1];
  }

  protected find(line: number, motion: BodyMotion): void {
    this.model.elements[line]!.ends.forEach((k, e) => {
      const place = this.model.places[k]!;
      motion.point(place.mover, place.position, this.ends.places[e]!);
      motion.turn(place.mover, this.chords[line]!, this.ends.slopes[e]!);
    });
  }
}

/* x turned by a small angle: x + th x x. */
function turned(turns: Float64Array, node: number, x: Vector, out: Vector): void {
  const [a, b, c] = [turns[3 * node]!, turns[3 * node + 1]!, turns[3 * node + 2]!];
  out[0] = x[0] + b * x[2] - c * x[1];
  out[1] = x[1] + c * x[0] - a * x[2];
  out[2] = x[2] + a * x[1] - b * x[0];
}

export class FlexibleBodies {
  readonly group = new Group();
  private readonly shapes: Bent[];
  private readonly elements: Elements | undefined;
  private readonly parts: Bent[];
  private colored = true;
  private strain: (Uint8Array | undefined)[] = [];

  constructor(model: Model) {
    const lines = model.flexible.reduce((sum, f) => sum + (f.triangles.length > 0 ? 0 : f.lines.length / 2), model.elements.length);
    const pieces = Math.min(Math.max(Math.floor(mostRings / Math.max(lines, 1)), 1), 10);
    this.shapes = model.flexible.map((flexible, k) => {
      const color = model.bodies[flexible.body]!.color;
      if (flexible.triangles.length > 0) return new Surface(flexible, k, color);
      return new Frame(flexible, k, color, Math.max(flexible.radius, 0.15 * model.unit), pieces);
    });
    this.elements = model.elements.length > 0 ? new Elements(model, elementColor, 0.6 * model.unit, pieces) : undefined;
    this.parts = [...this.shapes, ...(this.elements === undefined ? [] : [this.elements])];
    for (const part of this.parts) this.group.add(part.mesh);
    this.paint();
  }

  /** True where a mode says where its strain energy sits. */
  static knowsStrain(model: Model, modes: Mode[]): boolean {
    return modes.some((mode) => mode.flexible?.some((f) => f.strain !== undefined) === true)
      || (model.elements.length > 0 && modes.some((mode) => (mode.shares?.strain?.length ?? 0) > 0));
  }

  setMode(mode: Mode | undefined): void {
    this.strain = this.shapes.map((_, k) => {
      const text = mode?.flexible?.[k]?.strain;
      return text === undefined ? undefined : unpackBytes(text);
    });
    this.strain.push(mode === undefined ? undefined : this.elements?.strainOf(mode));
    this.paint();
  }

  setColored(colored: boolean): void {
    this.colored = colored;
    this.paint();
  }

  update(motion: BodyMotion, visibility: Visibility): void {
    for (const shape of this.shapes) shape.mesh.visible = !visibility.isOff(shape.body);
    for (const part of this.parts) part.update(motion);
  }

  /** The mesh's body, for what is under the pointer. */
  bodies(): { mesh: Mesh; body: number }[] {
    return this.shapes.map(({ mesh, body }) => ({ mesh, body }));
  }

  private paint(): void {
    this.parts.forEach((part, k) => { part.paint(this.colored ? this.strain[k] : undefined); });
  }
}
