/* Flexible bodies: beams as bent tubes, others as bent surfaces, coloured by where strain energy sits. */
import { BufferAttribute, BufferGeometry, Color, DoubleSide, DynamicDrawUsage, Group, Mesh, MeshStandardMaterial } from 'three';
import type { Mode, Vector } from '../data';
import type { DrawnFlexible, Model } from '../model';
import { triad, sub, column, dot, scale, norm } from '../vector';
import type { BodyMotion, FlexibleShape } from './motion';

/** From little strain energy to the most, alike on light and on dark ground. */
const ramp = ['#3b528b', '#21918c', '#5ec962', '#fde725'].map((text) => new Color(text));

/** The colour of a share of the largest density, 0 to 1. */
export function strainColor(share: number, out: Color): Color {
  const at = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
  const k = Math.min(Math.floor(at), ramp.length - 2);
  return out.copy(ramp[k]!).lerp(ramp[k + 1]!, at - k);
}

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
      (strain === undefined ? color.copy(this.own) : strainColor(this.strainAt(v, strain), color)).toArray(this.tint, 3 * v);
    }
    this.mesh.geometry.getAttribute('color').needsUpdate = true;
  }

  update(shape: FlexibleShape): void {
    this.bend(shape);
    this.mesh.geometry.getAttribute('position').needsUpdate = true;
  }

  protected abstract strainAt(vertex: number, strain: Uint8Array): number;
  protected abstract bend(shape: FlexibleShape): void;
}

const faceted = (): MeshStandardMaterial =>
  new MeshStandardMaterial({ metalness: 0.1, roughness: 0.6, vertexColors: true, flatShading: true, side: DoubleSide });

/** Triangles between the nodes. */
class Surface extends Bent {
  constructor(flexible: DrawnFlexible, color: string) {
    super(flexible.body, color, flexible.nodes.length / 3, flexible.triangles, faceted());
  }

  protected strainAt(vertex: number, strain: Uint8Array): number {
    return strain[vertex]! / 99;
  }

  protected bend(shape: FlexibleShape): void {
    this.place.set(shape.nodes);
  }
}

/** Lines as tubes: a cubic between two nodes, whose end slopes turn with them. */
class Tubes extends Bent {
  private readonly chords: Vector[] = [];
  /** Slopes at both ends of a line where it stands. */
  private readonly slopes: [Vector, Vector][] = [];
  private readonly sides: [Vector, Vector][] = [];

  constructor(private readonly flexible: DrawnFlexible, color: string, private readonly radius: number, private readonly pieces: number) {
    super(flexible.body, color, (flexible.lines.length / 2) * (pieces + 1) * around, Tubes.indices(flexible.lines.length / 2, pieces),
      new MeshStandardMaterial({ metalness: 0.1, roughness: 0.6, vertexColors: true, flatShading: pieces < 3, side: DoubleSide }));
    const at = (list: Float64Array, k: number): Vector => [list[3 * k]!, list[3 * k + 1]!, list[3 * k + 2]!];
    for (let l = 0; l < flexible.lines.length; l += 2) {
      const ends = [flexible.lines[l]!, flexible.lines[l + 1]!] as const;
      const chord = sub(at(flexible.nodes, ends[1]), at(flexible.nodes, ends[0]));
      const frame = triad(chord);
      this.chords.push(chord);
      this.sides.push([column(frame, 0), column(frame, 1)]);
      this.slopes.push(ends.map((node) => this.slope(node, chord)) as [Vector, Vector]);
    }
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

  /* The node's own axis where it lies along the line, else the line. */
  private slope(node: number, chord: Vector): Vector {
    const along = this.flexible.along;
    if (along === undefined) return chord;
    const x: Vector = [along[3 * node]!, along[3 * node + 1]!, along[3 * node + 2]!];
    const part = dot(x, chord) / Math.max(norm(chord), 1e-300);
    return Math.abs(part) < 0.9 ? chord : scale(x, Math.sign(part) * norm(chord));
  }

  protected strainAt(vertex: number, strain: Uint8Array): number {
    const ring = Math.floor(vertex / around);
    const line = Math.floor(ring / (this.pieces + 1));
    const s = (ring % (this.pieces + 1)) / this.pieces;
    const [a, b] = [this.flexible.lines[2 * line]!, this.flexible.lines[2 * line + 1]!];
    return ((1 - s) * strain[a]! + s * strain[b]!) / 99;
  }

  protected bend(shape: FlexibleShape): void {
    const normal = this.mesh.geometry.getAttribute('normal');
    const out = normal.array as Float32Array;
    const { lines } = this.flexible;
    const t: [Vector, Vector] = [[0, 0, 0], [0, 0, 0]];
    for (let l = 0; l < lines.length / 2; l++) {
      const ends = [lines[2 * l]!, lines[2 * l + 1]!] as const;
      ends.forEach((node, e) => { turned(shape.turns, node, this.slopes[l]![e]!, t[e]!); });
      for (let p = 0; p <= this.pieces; p++) {
        const s = p / this.pieces;
        const h = [2 * s ** 3 - 3 * s ** 2 + 1, s ** 3 - 2 * s ** 2 + s, 3 * s ** 2 - 2 * s ** 3, s ** 3 - s ** 2] as const;
        const g = [6 * s ** 2 - 6 * s, 3 * s ** 2 - 4 * s + 1, 6 * s - 6 * s ** 2, 3 * s ** 2 - 2 * s] as const;
        const mix = (f: readonly [number, number, number, number]): Vector => [0, 1, 2].map((k) =>
          f[0] * shape.nodes[3 * ends[0] + k]! + f[1] * t[0][k]! + f[2] * shape.nodes[3 * ends[1] + k]! + f[3] * t[1][k]!) as Vector;
        this.ring((l * (this.pieces + 1) + p) * around, mix(h), mix(g), this.sides[l]!, out);
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
      const c = Math.cos(2 * Math.PI * k / around);
      const s = Math.sin(2 * Math.PI * k / around);
      for (let i = 0; i < 3; i++) {
        const n = c * x[i]! + s * y[i]!;
        normal[3 * (first + k) + i] = n;
        this.place[3 * (first + k) + i] = center[i]! + this.radius * n;
      }
    }
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
  private readonly parts: Bent[];
  private colored = true;
  private strain: (Uint8Array | undefined)[] = [];

  constructor(private readonly model: Model) {
    const lines = model.flexible.reduce((sum, f) => sum + (f.triangles.length > 0 ? 0 : f.lines.length / 2), 0);
    const pieces = Math.min(Math.max(Math.floor(mostRings / Math.max(lines, 1)), 1), 10);
    this.parts = model.flexible.map((flexible) => {
      const color = model.bodies[flexible.body]!.color;
      if (flexible.triangles.length > 0) return new Surface(flexible, color);
      return new Tubes(flexible, color, Math.max(flexible.radius, 0.15 * model.unit), pieces);
    });
    for (const part of this.parts) this.group.add(part.mesh);
    this.paint();
  }

  /** True where a mode says where its strain energy sits. */
  static knowsStrain(modes: Mode[]): boolean {
    return modes.some((mode) => mode.flexible?.some((f) => f.strain !== undefined) === true);
  }

  setMode(mode: Mode | undefined): void {
    this.strain = this.model.flexible.map((_, k) => {
      const text = mode?.flexible?.[k]?.strain;
      return text === undefined ? undefined : Uint8Array.from(text.split(' '), Number);
    });
    this.paint();
  }

  setColored(colored: boolean): void {
    this.colored = colored;
    this.paint();
  }

  update(motion: BodyMotion): void {
    this.parts.forEach((part, k) => { part.update(motion.flexible[k]!); });
  }

  /** The mesh's body, for what is under the pointer. */
  bodies(): { mesh: Mesh; body: number }[] {
    return this.parts.map(({ mesh, body }) => ({ mesh, body }));
  }

  private paint(): void {
    this.parts.forEach((part, k) => { part.paint(this.colored ? this.strain[k] : undefined); });
  }
}
