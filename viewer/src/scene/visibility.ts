/* Which bodies of a large model are worth drawing from where the camera is. */
import { Frustum, Matrix4, Sphere, Vector3 } from 'three';
import type { PerspectiveCamera } from 'three';
import type { Vector } from '../data';
import type { Model } from '../model';
import type { BodyMotion } from './motion';

/** A small model is always drawn whole. */
const small = 400;
/** Glyphs smaller than this on the screen are left out, in pixels. */
const leastPixels = 0.7;

export const hidden = 0;
export const links = 1;
export const everything = 2;

export class Visibility {
  /** Of every mover: hidden, links or everything. */
  readonly level: Uint8Array;
  /** Of every body: the user has hidden it. */
  private readonly off: Uint8Array;
  private readonly frustum = new Frustum();
  private readonly sphere = new Sphere();

  constructor(private readonly model: Model) {
    this.level = new Uint8Array(model.movers.length).fill(everything);
    this.off = new Uint8Array(model.bodies.length);
  }

  /** Which bodies are to be seen. */
  see(seen: boolean[]): void {
    this.off.set(seen.map((yes) => (yes ? 0 : 1)));
    this.level.fill(everything);
    this.apply();
  }

  isOff(body: number): boolean {
    return this.off[body] === 1;
  }

  update(camera: PerspectiveCamera, pixels: number, motion: BodyMotion): void {
    const { bodies, unit } = this.model;
    if (bodies.length < small) return;
    camera.updateMatrixWorld();
    this.frustum.setFromProjectionMatrix(new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    const eye = new Vector3().setFromMatrixPosition(camera.matrixWorld);
    const scale = pixels / (2 * Math.tan(camera.fov * Math.PI / 360));
    const p: Vector = [0, 0, 0];
    bodies.forEach((body, b) => {
      if (body.ground) return;
      motion.point(b, body.center, p);
      this.sphere.center.set(p[0], p[1], p[2]);
      this.sphere.radius = body.radius + 4 * unit;
      if (!this.frustum.intersectsSphere(this.sphere)) {
        this.level[b] = hidden;
        return;
      }
      const distance = Math.max(eye.distanceTo(this.sphere.center) - this.sphere.radius, unit);
      this.level[b] = 2 * unit * scale / distance < leastPixels ? links : everything;
    });
    this.apply();
  }

  private apply(): void {
    const { bodies } = this.model;
    this.off.forEach((off, b) => { if (off === 1) this.level[b] = hidden; });
    for (let k = bodies.length; k < this.level.length; k++) this.level[k] = this.level[this.model.movers[k]!.body]!;
  }
}
