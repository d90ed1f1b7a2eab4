/* An axis of a chart: its range, its ticks, where a value lies. */

export interface AxisSpec {
  /** With its unit: "frequency, Hz". */
  title: string;
  logarithmic?: boolean;
  /** Between ticks of a linear axis, doubled where they would crowd: 90 for degrees. */
  step?: number;
  /** In place of numbers: the k-th at k + 1/2. */
  names?: string[];
  /** The range at first and after a double click; without it that of the data. */
  range?: [number, number];
}

export interface Tick {
  at: number;
  labelled: boolean;
}

/** Can the value be shown on such an axis? */
export const takes = (axis: AxisSpec, v: number | null | undefined): v is number =>
  v !== null && v !== undefined && Number.isFinite(v) && (axis.logarithmic !== true || v > 0);

/** What lies evenly along the axis. */
export const counted = (axis: AxisSpec, v: number): number => (axis.logarithmic === true ? Math.log10(v) : v);
export const uncounted = (axis: AxisSpec, u: number): number => (axis.logarithmic === true ? 10 ** u : u);

function roundStep(raw: number, given: number | undefined): number {
  if (given !== undefined) return given * 2 ** Math.max(0, Math.ceil(Math.log2(raw / given) - 1e-9));
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * ([1, 2, 5].find((m) => m * power >= raw * (1 - 1e-12)) ?? 10);
}

function linearTicks(axis: AxisSpec, low: number, high: number, most: number): Tick[] {
  const step = roundStep((high - low) / most, axis.step);
  if (!(step > 0) || !Number.isFinite(step)) return [];
  const out: Tick[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step && out.length < 100; k++) {
    out.push({ at: Number((k * step).toPrecision(12)), labelled: true });
  }
  return out;
}

function logTicks(low: number, high: number, most: number): Tick[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.log10(high)];
  const decades = last - Math.log10(low);
  const stride = Math.max(1, Math.ceil(decades / most));
  const out: Tick[] = [];
  for (let p = first; p <= last; p++) {
    for (let m = 1; m <= (decades <= 7 ? 9 : 1); m++) {
      const at = Number(`${m}e${p}`);
      if (at < low * (1 - 1e-12) || at > high * (1 + 1e-12)) continue;
      out.push({ at, labelled: (m === 1 && p % stride === 0) || (decades < 2.5 && (m === 1 || m === 2 || m === 5)) });
    }
  }
  return out;
}

/** Ticks within low .. high, about `most` of them labelled. */
export function ticksOf(axis: AxisSpec, low: number, high: number, most: number): Tick[] {
  const n = Math.max(2, most);
  if (axis.logarithmic === true && high / low >= 5) return logTicks(low, high, n);
  return linearTicks(axis, low, high, n).filter((t) => takes(axis, t.at));
}

/** From tick to tick of a linear axis, 0 of a logarithmic one. */
export const stepOf = (axis: AxisSpec, ticks: { at: number }[]): number =>
  (axis.logarithmic === true || ticks.length < 2 ? 0 : ticks[1]!.at - ticks[0]!.at);
