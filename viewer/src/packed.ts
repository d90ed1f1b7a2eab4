/* Numbers as the report packs them: base64 of bytes, or of whole numbers of two bytes, the low one first. */
import type { Mode, ModePath, PackedMode, PackedMotion, PackedPaths, Report, Share, Shares } from './data';

export function unpackBytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

export function unpackNumbers(text: string): Int16Array {
  const bytes = unpackBytes(text);
  const view = new DataView(bytes.buffer);
  return Int16Array.from({ length: bytes.length >> 1 }, (_, k) => view.getInt16(2 * k, true));
}

/* Six numbers of every marker that is in it, into the places of all. */
function motionOf(packed: PackedMotion, moved: number[]): number[][] {
  const out: number[][] = [];
  const parts = [packed.re, packed.im].map((text) => (text === undefined ? undefined : unpackNumbers(text)));
  moved.forEach((marker, k) => {
    out[marker] = parts.flatMap((part) => Array.from({ length: 6 }, (_, i) =>
      (part?.[6 * k + i] ?? 0) * packed.unit[i < 3 ? 0 : 1]));
  });
  return out;
}

/** Places in the list of names and hundred thousandths, by turns. */
function sharesOf(list: Share[] | number[], names: string[]): Share[] {
  const out: Share[] = [];
  for (let k = 0; k < list.length; k++) {
    const entry = list[k]!;
    if (typeof entry !== 'number') out.push(entry);
    else out.push({ name: names[entry] ?? '', fraction: 1e-5 * (list[++k] as number) });
  }
  return out;
}

function allShares(packed: Record<string, Share[] | number[]>, names: string[]): Shares {
  return Object.fromEntries(Object.entries(packed).map(([kind, list]) => [kind, sharesOf(list, names)]));
}

/** Of every term the numbers of all markers, one of the six after another, in one or two bytes. */
function pathOf(packed: PackedPaths['list'][number], { markers, largest }: PackedPaths): ModePath {
  const bytes = unpackBytes(packed.data);
  const view = new DataView(bytes.buffer);
  const terms: ModePath['terms'] = [];
  let at = 0;
  for (let t = 0; t < packed.terms.length; t += 4) {
    const [i, j, mask, size] = packed.terms.slice(t, t + 4) as [number, number, number, number];
    const numbers: number[][] = [];
    for (const marker of markers) numbers[marker] = [0, 0, 0, 0, 0, 0];
    for (let k = 0; k < 6; k++) {
      if ((mask >> k & 1) === 0) continue;
      const unit = packed.unit[k < 3 ? 0 : 1] / largest ** (i + j);
      for (const marker of markers) {
        numbers[marker]![k] = unit * (size === 1 ? view.getInt8(at) : view.getInt16(at, true));
        at += size;
      }
    }
    terms.push({ powers: [i, j], numbers });
  }
  return { amplitude: packed.amplitude, terms };
}

/** Modes as the page uses them, of those that the report has packed. */
export function unpackModes(report: Omit<Report, 'modes'> & { modes: PackedMode[] }): Mode[] {
  const names = report.share_names ?? [];
  const modes = report.modes.map((mode) => {
    const { motion, shares, part_shares: parts, ...rest } = mode;
    const out: Mode = rest;
    if (motion !== undefined) out.motion = Array.isArray(motion) ? motion : motionOf(motion, report.moved ?? []);
    if (shares !== undefined) out.shares = allShares(shares, names);
    if (parts !== undefined) out.part_shares = allShares(parts, report.part_names ?? []);
    return out;
  });
  for (const path of report.paths?.list ?? []) {
    const mode = modes[path.mode];
    if (mode !== undefined) mode.path = pathOf(path, report.paths!);
  }
  for (const k of report.paths?.straight ?? []) if (modes[k] !== undefined) modes[k].parts = true;
  return modes;
}
