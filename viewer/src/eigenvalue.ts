/* What follows from an eigenvalue alone: here and nowhere else. */

export const twoPi = 2 * Math.PI;

export type Eigenvalue = [number, number];

/** |s| / 2 pi, Hz */
export const undampedHz = (s: Eigenvalue): number => Math.hypot(...s) / twoPi;

/** -Re s / |s|; 0 of a zero real part */
export const dampingRatio = ([re, im]: Eigenvalue): number => (re === 0 ? 0 : -re / Math.hypot(re, im));

/** 2 pi / |Im s|, s */
export const period = (s: Eigenvalue): number => twoPi / Math.abs(s[1]);

/** ln 2 / |Re s|, s: in which the amplitude halves or doubles */
export const halvingTime = (s: Eigenvalue): number => Math.LN2 / Math.abs(s[0]);

/** Of two successive amplitudes */
export const logarithmicDecrement = (s: Eigenvalue): number => -s[0] * period(s);
