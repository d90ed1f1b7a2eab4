/* Many equal solids, each fixed to a body, drawn in one call. */
import { Color, DynamicDrawUsage, InstancedMesh } from 'three';
import type { BufferGeometry, Material } from 'three';
import type { Matrix3, Vector } from '../data';
import type { BodyMotion } from './motion';
import { everything } from './visibility';
import type { Visibility } from './visibility';

export interface Instance {
  body: number;
  position: Vector;
  orientation: Matrix3;
  size: Vector;
  color: string;
}

export class RigidInstances {
  readonly mesh: InstancedMesh;
  /** Rows of [orientation * size | position], 12 numbers each, at the operating point. */
  private readonly local: Float64Array;
  private readonly bodies: Int32Array;
  private readonly colors: Float32Array;
  /** Which of the instances each drawn one is. */
  private readonly drawn: Int32Array;

  /** `least`: the level of visibility of its body from which an instance is drawn. */
  constructor(geometry: BufferGeometry, material: Material, instances: Instance[], private readonly least = everything) {
    this.mesh = new InstancedMesh(geometry, material, instances.length);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.local = new Float64Array(12 * instances.length);
    this.bodies = new Int32Array(instances.length);
    this.colors = new Float32Array(3 * instances.length);
    this.drawn = new Int32Array(instances.length);
    const color = new Color();
    instances.forEach((instance, i) => {
      this.bodies[i] = instance.body;
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) this.local[12 * i + 4 * r + c] = instance.orientation[3 * r + c]! * instance.size[c]!;
        this.local[12 * i + 4 * r + 3] = instance.position[r]!;
      }
      this.mesh.setColorAt(i, color.set(instance.color));
      color.toArray(this.colors, 3 * i);
    });
  }

  /** The body of a drawn instance. */
  bodyOf(instance: number): number | undefined {
    const i = this.drawn[instance];
    return i === undefined ? undefined : this.bodies[i];
  }

  update(motion: BodyMotion, visibility: Visibility): void {
    const out = this.mesh.instanceMatrix.array;
    const tint = this.mesh.instanceColor!.array;
    const { local, bodies, colors, drawn } = this;
    const m = motion.matrices;
    let n = 0;
    for (let i = 0; i < bodies.length; i++) {
      if (visibility.level[bodies[i]!]! < this.least) continue;
      const b = 12 * bodies[i]!;
      const l = 12 * i;
      const o = 16 * n;
      for (let r = 0; r < 3; r++) {
        const x = m[b + 4 * r]!;
        const y = m[b + 4 * r + 1]!;
        const z = m[b + 4 * r + 2]!;
        for (let c = 0; c < 4; c++) {
          out[o + 4 * c + r] = x * local[l + c]! + y * local[l + 4 + c]! + z * local[l + 8 + c]!;
        }
        out[o + 12 + r]! += m[b + 4 * r + 3]!;
        tint[3 * n + r] = colors[3 * i + r]!;
      }
      out[o + 15] = 1;
      drawn[n++] = i;
    }
    this.mesh.count = n;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor!.needsUpdate = true;
  }
}

/** Write the matrix of instance i: columns x, y, z and origin p. */
export function setInstance(mesh: InstancedMesh, i: number, x: readonly number[], y: readonly number[],
  z: readonly number[], p: readonly number[]): void {
  const out = mesh.instanceMatrix.array;
  for (let k = 0; k < 3; k++) {
    out[16 * i + k] = x[k]!;
    out[16 * i + 4 + k] = y[k]!;
    out[16 * i + 8 + k] = z[k]!;
    out[16 * i + 12 + k] = p[k]!;
  }
  out[16 * i + 15] = 1;
}
