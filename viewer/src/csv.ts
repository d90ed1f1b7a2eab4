/* The mode table as CSV, full digits. */
import type { Row } from './modes';
import { stabilityText } from './modes';

/* A cell that a spreadsheet would take for a formula gets an apostrophe. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

export function modesCsv(rows: Row[]): string {
  const head = ['mode', 'name', 'body', 'real_part_per_s', 'imaginary_part_rad_per_s', 'undamped_frequency_hz',
    'damped_frequency_hz', 'damping_ratio', 'state', 'multiplicity', 'error_bound_per_s', 'controllers'];
  const lines = rows.map(({ id, name, body, mode, stability }) => [
    id, name, body, mode.eigenvalue[0], mode.eigenvalue[1], mode.undamped_frequency_hz, mode.damped_frequency_hz,
    mode.damping_ratio, stabilityText[stability], mode.multiplicity ?? 1, mode.error_bound ?? null,
    mode.control ?? 0,
  ].map(cell).join(','));
  return [head.join(','), ...lines, ''].join('\r\n');
}
