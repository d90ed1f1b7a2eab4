/* Elements are made here and only here; text goes in as text, never as markup. */

type Attributes = Record<string, string | number | boolean>;
type Child = Node | string;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  fill(element, attributes, children);
  return element;
}

/** A name that may be broken after its low lines. */
export function breakable(name: string): (Node | string)[] {
  return name.split(/(?<=_)/).flatMap((part, k) => (k === 0 ? [part] : [el('wbr'), part]));
}

/** The element of the page's form with this id; the form is our own, so it is there. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element "${id}"`);
  return element;
}

export const inputById = (id: string): HTMLInputElement => byId(id) as HTMLInputElement;

/** The value of a CSS variable of the page's theme. */
export function themeColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Offer text or a picture as a file. */
export function download(name: string, blob: Blob): void {
  const link = el('a', { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => { URL.revokeObjectURL(link.href); }, 1000);
}
