/* The course of the animation: phase against time. */
import { twoPi } from '../eigenvalue';
import type { Row } from '../modes';
import type { Phase } from './motion';

/** One shown cycle lasts this long at speed 1, in seconds. */
const cycle = 2;
/** A decaying course is shown until a twentieth of it is left, or this many cycles. */
const remainder = Math.log(20);
const mostCycles = 12;

export class Clock {
  /** Phase angle from the start of the course, rad. */
  angle = 0;
  speed = 1;
  /** Show growth and decay as the eigenvalue has them, instead of a steady swing. */
  trueEnvelope = false;

  constructor(private row: Row | undefined) {}

  setRow(row: Row | undefined): void {
    this.row = row;
    this.angle = 0;
  }

  advance(seconds: number): void {
    this.angle += twoPi * seconds * this.speed / cycle;
    const course = this.course();
    if (this.angle >= course) this.angle %= course;
  }

  /** Angle after which the course starts again. */
  private course(): number {
    const rate = this.rate();
    if (!this.trueEnvelope || rate === 0) return twoPi;
    const cycles = Math.ceil(remainder / Math.abs(rate) / twoPi);
    return twoPi * Math.min(Math.max(cycles, 1), mostCycles);
  }

  /** Growth per radian of phase: Re s / Im s; a real eigenvalue decays within one shown cycle. */
  private rate(): number {
    if (this.row === undefined || this.row.stability === 'rigid' || this.row.stability === 'undamped') return 0;
    const [re, im] = this.row.mode.eigenvalue;
    if (im === 0) return Math.sign(re) * remainder / twoPi;
    return re / im;
  }

  phase(): Phase {
    const row = this.row;
    const rate = this.trueEnvelope ? this.rate() : 0;
    const envelope = rate > 0
      ? Math.exp(rate * (this.angle - this.course()))
      : Math.exp(rate * this.angle);
    if (row !== undefined && !row.oscillates) {
      // A real mode has no phase: it is shown as a slow swing, deformed at its beginning as the others are, or as its true course.
      return { re: rate === 0 ? Math.cos(this.angle) : envelope, im: 0 };
    }
    return { re: envelope * Math.cos(this.angle), im: -envelope * Math.sin(this.angle) };
  }

  /** How many seconds of the real motion pass in one second of the shown one; undefined without a frequency. */
  realTime(): number | undefined {
    const im = this.row?.mode.eigenvalue[1] ?? 0;
    return im === 0 ? undefined : twoPi / im * this.speed / cycle;
  }
}
