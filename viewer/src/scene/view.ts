/* The 3-D view: camera, light, ground, the animation loop. */
import { Color, DirectionalLight, Group, GridHelper, HemisphereLight, LineBasicMaterial, Matrix4, PerspectiveCamera,
  Quaternion, Raycaster, Scene, SRGBColorSpace, Vector2, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Vector } from '../data';
import { themeColor } from '../dom';
import type { Model } from '../model';
import type { Row } from '../modes';
import { cross } from '../vector';
import { Bodies, Paths, ghost, setGhost } from './bodies';
import { Clock } from './clock';
import { Connections, supports } from './connections';
import { FlexibleBodies } from './flexible';
import type { RigidInstances } from './instances';
import { BodyMotion } from './motion';
import { Visibility } from './visibility';

export interface Shown {
  solids: boolean;
  rest: boolean;
  paths: boolean;
  grid: boolean;
  strain: boolean;
}

export type Side = 'best' | 'near' | 'x' | 'y' | 'z';

const wideAngle = 30;

export class View {
  readonly clock = new Clock(undefined);
  readonly motion: BodyMotion;
  playing = false;
  amplitude = 1;
  /** Called after every drawn picture. */
  onDraw: () => void = () => undefined;

  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(wideAngle, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly visibility: Visibility;
  private readonly bodies: Bodies;
  private readonly flexible: FlexibleBodies;
  private readonly connections: Connections;
  private readonly supports: RigidInstances | undefined;
  private readonly rest;
  private readonly paths: Paths;
  private readonly ground = new Group();
  private grid: GridHelper | undefined;
  private readonly up: Vector = [0, 0, 0];
  private readonly center: Vector3;
  private readonly radius: number;
  private last = 0;
  private waiting = false;
  private pathsStale = true;

  /** Throws where the browser gives no WebGL. */
  constructor(private readonly canvas: HTMLCanvasElement, private readonly frame: HTMLElement, readonly model: Model) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.up[model.up.axis] = model.up.sign;
    this.center = new Vector3(...model.low).add(new Vector3(...model.high)).multiplyScalar(0.5);
    this.radius = Math.max(0.5 * model.size, 1e-6);

    this.motion = new BodyMotion(model);
    this.visibility = new Visibility(model);
    this.bodies = new Bodies(model);
    this.flexible = new FlexibleBodies(model);
    this.connections = new Connections(model);
    this.supports = supports(model);
    this.rest = ghost(model);
    this.paths = new Paths(model);
    this.scene.add(this.bodies.group, this.flexible.group, this.connections.group, this.rest, this.paths.lines, this.ground);
    if (this.supports) this.scene.add(this.supports.mesh);
    this.ground.matrixAutoUpdate = false;

    this.camera.up.set(...this.up);
    this.addLights();
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => { this.invalidate(); });
    new ResizeObserver(() => {
      this.resize();
      this.draw();
    }).observe(frame);
    document.addEventListener('visibilitychange', () => { this.invalidate(); });
    this.retint();
    this.resize();
    this.look(this.long ? 'near' : 'best');
  }

  /** True for a model of many small parts, whose whole shows nothing of them. */
  get long(): boolean {
    return this.radius > 300 * this.model.unit;
  }

  setRow(row: Row | undefined): void {
    this.clock.setRow(row);
    this.motion.setMode(row?.mode);
    this.flexible.setMode(row?.mode);
    this.pathsStale = true;
    this.invalidate();
  }

  setAmplitude(amplitude: number): void {
    this.amplitude = amplitude;
    this.pathsStale = true;
    this.invalidate();
  }

  setPlaying(playing: boolean): void {
    this.playing = playing;
    this.last = 0;
    this.invalidate();
  }

  show(shown: Shown): void {
    this.flexible.setColored(shown.strain);
    this.bodies.solids.visible = shown.solids;
    this.rest.visible = shown.rest;
    this.paths.lines.visible = shown.paths;
    this.ground.visible = shown.grid;
    this.invalidate();
  }

  /** Hide the other bodies, with what connects them. */
  see(seen: boolean[]): void {
    this.visibility.see(seen);
    this.paths.see(seen);
    setGhost(this.rest, this.model, seen);
    this.pathsStale = true;
    this.invalidate();
  }

  isHidden(body: number): boolean {
    return this.visibility.isOff(body);
  }

  /** Take the colours of the page's theme anew. */
  retint(): void {
    (this.rest.material as LineBasicMaterial).color.set(themeColor('--scene-rest'));
    (this.paths.lines.material as LineBasicMaterial).color.set(themeColor('--accent'));
    this.grid?.dispose();
    if (this.grid) this.ground.remove(this.grid);
    this.grid = this.makeGrid();
    this.ground.add(this.grid);
    this.invalidate();
  }

  /** Put the camera where the whole model is seen. */
  look(side: Side): void {
    const direction = new Vector3(...this.direction(side)).normalize();
    const whole = 1.12 * this.distanceFor(direction);
    const distance = side === 'near' ? Math.min(whole, 160 * this.model.unit) : whole;
    this.camera.position.copy(this.center).addScaledVector(direction, distance);
    this.camera.near = distance / 200;
    this.camera.far = Math.max(distance * 50, 4 * this.model.size);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(this.center);
    this.controls.minDistance = this.model.unit;
    this.controls.maxDistance = whole * 10;
    this.controls.update();
    this.invalidate();
  }

  /** How far away the box around the model just fits the frame. */
  private distanceFor(toViewer: Vector3): number {
    const tanUp = Math.tan((wideAngle / 2) * Math.PI / 180);
    const tanRight = tanUp * this.camera.aspect;
    const right = new Vector3().crossVectors(new Vector3(...this.up), toViewer).normalize();
    const over = new Vector3().crossVectors(toViewer, right);
    const { low, high } = this.model;
    let distance = 2 * this.radius;
    for (let corner = 0; corner < 8; corner++) {
      const p = new Vector3((corner & 1 ? high : low)[0], (corner & 2 ? high : low)[1], (corner & 4 ? high : low)[2]);
      p.sub(this.center);
      const near = p.dot(toViewer);
      distance = Math.max(distance, near + Math.abs(p.dot(right)) / tanRight, near + Math.abs(p.dot(over)) / tanUp);
    }
    return distance;
  }

  /** Turn the camera about the target, as the keyboard does. */
  orbit(right: number, over: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const up = new Vector3(...this.up);
    offset.applyQuaternion(new Quaternion().setFromAxisAngle(up, right));
    const side = new Vector3().crossVectors(up, offset).normalize();
    const tilted = offset.clone().applyQuaternion(new Quaternion().setFromAxisAngle(side, -over));
    if (tilted.angleTo(up) > 0.05 && tilted.angleTo(up) < Math.PI - 0.05) offset.copy(tilted);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.invalidate();
  }

  zoom(factor: number): void {
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.controls.update();
    this.invalidate();
  }

  /** Draw soon. */
  invalidate(): void {
    if (this.waiting || document.hidden) return;
    this.waiting = true;
    requestAnimationFrame((now) => {
      this.waiting = false;
      if (this.playing && this.last > 0) this.clock.advance(Math.min((now - this.last) / 1000, 0.1));
      this.last = this.playing ? now : 0;
      this.draw();
      if (this.playing) this.invalidate();
    });
  }

  draw(): void {
    this.motion.evaluate(this.amplitude, this.clock.phase());
    this.visibility.update(this.camera, this.frame.clientHeight, this.motion);
    this.bodies.update(this.motion, this.visibility);
    this.flexible.update(this.motion, this.visibility);
    this.connections.update(this.motion, this.visibility);
    this.supports?.update(this.motion, this.visibility);
    this.moveGround();
    if (this.pathsStale) {
      this.paths.update(this.motion, this.amplitude);
      this.pathsStale = false;
    }
    this.renderer.render(this.scene, this.camera);
    this.onDraw();
  }

  /** The picture as it stands. */
  picture(): string {
    this.draw();
    return this.canvas.toDataURL('image/png');
  }

  /** For paper: at the beginning of its course where it plays, so that it is deformed; as it stands where it does not. */
  stillPicture(): string {
    if (!this.playing) return this.picture();
    const { angle, trueEnvelope } = this.clock;
    this.clock.angle = 0;
    this.clock.trueEnvelope = false;
    const picture = this.picture();
    this.clock.angle = angle;
    this.clock.trueEnvelope = trueEnvelope;
    return picture;
  }

  /** Where a body's centre is in the frame, in CSS pixels; undefined behind the camera. */
  project(b: number): { x: number; y: number } | undefined {
    const p: Vector = [0, 0, 0];
    this.motion.point(b, this.model.bodies[b]!.center, p);
    const v = new Vector3(...p).project(this.camera);
    if (v.z > 1) return undefined;
    return { x: (v.x + 1) / 2 * this.frame.clientWidth, y: (1 - v.y) / 2 * this.frame.clientHeight };
  }

  /** Directions of the world's axes on the screen, x right and y up, and towards the viewer. */
  axes(): Vector3[] {
    const turn = new Quaternion().copy(this.camera.quaternion).invert();
    return [0, 1, 2].map((k) => new Vector3(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0).applyQuaternion(turn));
  }

  /** The body under the pointer. */
  pick(x: number, y: number): number | undefined {
    if (this.model.bodies.length > 2000) return undefined;
    const at = new Vector2(2 * x / this.frame.clientWidth - 1, 1 - 2 * y / this.frame.clientHeight);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    let best: { distance: number; body: number } | undefined;
    for (const part of this.bodies.parts) {
      if (part.mesh.parent?.visible === false) continue;
      part.mesh.computeBoundingSphere();
      for (const hit of ray.intersectObject(part.mesh, false)) {
        const body = part.bodyOf(hit.instanceId ?? -1);
        if (body !== undefined && hit.distance < (best?.distance ?? Infinity)) best = { distance: hit.distance, body };
      }
    }
    for (const { mesh, body } of this.flexible.bodies()) {
      if (!mesh.visible) continue;
      mesh.geometry.computeBoundingSphere();
      const hit = ray.intersectObject(mesh, false)[0];
      if (hit !== undefined && hit.distance < (best?.distance ?? Infinity)) best = { distance: hit.distance, body };
    }
    return best?.body;
  }

  private addLights(): void {
    const sky = new HemisphereLight('#ffffff', '#9aa4b0', 2.0);
    sky.position.set(...this.up);
    const key = new DirectionalLight('#ffffff', 1.9);
    key.position.set(-0.6, 1, 0.8);
    this.camera.add(key, key.target);
    key.target.position.set(0, 0, -1);
    this.scene.add(sky, this.camera);
  }

  private resize(): void {
    const width = Math.max(this.frame.clientWidth, 1);
    const height = Math.max(this.frame.clientHeight, 1);
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** The two axes that are not up, such that right x up points to the viewer. */
  private rightAndFront(): [Vector, Vector] {
    const right: Vector = this.model.up.axis === 0 ? [0, 1, 0] : [1, 0, 0];
    return [right, cross(right, this.up)];
  }

  private direction(side: Side): Vector {
    const slant = side === 'best' || side === 'near';
    const axis: Vector = slant ? [0, 0, 0] : [side === 'x' ? 1 : 0, side === 'y' ? 1 : 0, side === 'z' ? 1 : 0];
    const tiny = 0.0005;
    const [right, front] = this.rightAndFront();
    const blend = (r: number, f: number, u: number): Vector =>
      [0, 1, 2].map((k) => r * right[k]! + f * front[k]! + u * this.up[k]!) as Vector;
    if (!slant) {
      // Seen from the front rather than from behind, and never exactly along `up`.
      const sign = axis[0] * front[0] + axis[1] * front[1] + axis[2] * front[2] < 0 ? -1 : 1;
      const off = blend(0, tiny, 0);
      return [0, 1, 2].map((k) => sign * axis[k]! + off[k]!) as Vector;
    }
    const extent = [0, 1, 2].map((k) => this.model.high[k]! - this.model.low[k]!);
    const along = (v: Vector): number => extent[v.findIndex((x) => x !== 0)]!;
    const most = Math.max(...extent);
    if (along(front) < 0.12 * most) return blend(0.28, 1, 0.3);
    if (along(right) < 0.12 * most) return blend(1, 0.28, 0.3);
    return blend(0.62, 1, 0.42);
  }

  /** Lines a round step apart under the model, in the plane square to `up`. */
  private makeGrid(): GridHelper {
    const { low, high, up, size } = this.model;
    const raw = size / 9;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = power * ([1, 2, 5, 10].find((m) => m * power >= raw) ?? 10);
    const cells = 2 * Math.ceil(0.9 * size / step);
    const color = new Color(themeColor('--scene-grid'));
    const grid = new GridHelper(cells * step, cells, new Color(themeColor('--scene-grid-axis')), color);
    const level = up.sign > 0 ? low[up.axis] : high[up.axis];
    const origin = [this.center.x, this.center.y, this.center.z].map((c) => Math.round(c / step) * step) as Vector;
    origin[up.axis] = level - up.sign * 0.02 * size;
    grid.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(...this.up));
    grid.position.set(...origin);
    return grid;
  }

  /** The grid stays with the ground, which moves where another observer is chosen. */
  private moveGround(): void {
    const b = this.model.bodyIndex.get('ground');
    if (b === undefined) return;
    const m = this.motion.matrices.subarray(12 * b, 12 * b + 12);
    this.ground.matrix.copy(new Matrix4().set(m[0]!, m[1]!, m[2]!, m[3]!, m[4]!, m[5]!, m[6]!, m[7]!, m[8]!, m[9]!,
      m[10]!, m[11]!, 0, 0, 0, 1));
    this.ground.matrixWorldNeedsUpdate = true;
  }
}
