/* Light or dark: as the system says, until the reader chooses. */

const key = 'routh-theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');

/* A page from disk may be refused storage; the choice then lasts as long as the page. */
function remembered(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Not remembered.
  }
}

export function startTheme(button: HTMLElement, changed: () => void): void {
  const root = document.documentElement;
  let chosen = remembered();
  const apply = (): void => {
    root.dataset['theme'] = chosen ?? (system.matches ? 'dark' : 'light');
    changed();
  };
  apply();
  system.addEventListener('change', apply);
  button.addEventListener('click', () => {
    chosen = root.dataset['theme'] === 'dark' ? 'light' : 'dark';
    remember(chosen);
    apply();
  });
}
