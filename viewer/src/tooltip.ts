/* One small box of text beside the pointer. */
import { byId } from './dom';

export class Tooltip {
  private readonly box = byId('tooltip');

  show(text: string, x: number, y: number): void {
    this.box.textContent = text;
    this.box.hidden = false;
    const { width, height } = this.box.getBoundingClientRect();
    const left = Math.min(x + 14, window.innerWidth - width - 6);
    const top = y + 18 + height > window.innerHeight ? y - height - 12 : y + 18;
    this.box.style.transform = `translate(${Math.max(left, 6)}px, ${Math.max(top, 6)}px)`;
  }

  hide(): void {
    this.box.hidden = true;
  }
}
