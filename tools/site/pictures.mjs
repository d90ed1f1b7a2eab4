// Pictures of report pages:  node pictures.mjs PAGE PICTURE [PAGE PICTURE...]
// The mode that each page shows first, at its largest, in Chromium ($CHROMIUM, else chromium).
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Browser, pause } from '../../tests/viewer/chromium.mjs';

const size = { width: 900, height: 700, media: [{ name: 'prefers-color-scheme', value: 'light' },
  { name: 'prefers-reduced-motion', value: 'reduce' }] };
const names = process.argv.slice(2);
const browser = new Browser(process.env.CHROMIUM ?? 'chromium');
try {
  for (let k = 0; k + 1 < names.length; k += 2) {
    const page = await browser.open(pathToFileURL(resolve(names[k])).href, size);
    await page.until('!document.getElementById("main").hidden', `the page of ${names[k]}`);
    const clip = await page.evaluate(`(() => {
      const stage = document.getElementById('stage');
      const { x, y, width, height } = stage.getBoundingClientRect();
      for (const part of stage.querySelectorAll('.caption, .labels, div:has(> button)')) part.style.visibility = 'hidden';
      return { x: x + scrollX, y: y + scrollY, width, height };
    })()`);
    await pause(400);
    const shot = await page.screenshot(clip);
    writeFileSync(names[k + 1], typeof shot === 'string' ? Buffer.from(shot, 'base64') : shot);
    await page.close?.();
  }
} finally {
  await browser.close();
}
