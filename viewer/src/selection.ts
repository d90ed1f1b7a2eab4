/* The chosen mode, which every part of the page shows. */
import type { Row } from './modes';

export class Selection {
  private readonly listeners: ((row: Row | undefined) => void)[] = [];
  row: Row | undefined;

  listen(listener: (row: Row | undefined) => void): void {
    this.listeners.push(listener);
  }

  choose(row: Row | undefined): void {
    this.row = row;
    for (const listener of this.listeners) listener(row);
  }
}
