// Sections of the report that are asked for, each with every control, for test_controls.mjs, which hands its tools on.

const rowsOf = (page, card) => page.locator(`#${card} table`).first().locator('tbody tr');
const current = (page, card) => page.evaluate((id) => [...document.querySelectorAll(`#${id} tbody tr`)].findIndex((r) => r.getAttribute('aria-current') === 'true'), card);
const dataOf = (page) => page.evaluate('JSON.parse(document.getElementById("routh-data").textContent)');

async function lookAlike({ check, compare }, page, theme, name, selector) {
  await check(`${theme}: ${name} looks as it did`, () => compare(page, `${name}-${theme}`, selector));
}

/** Of three-bladed rotors: multipliers with the unit circle. */
export async function floquet(t, browser, url) {
  const { check, expect } = t;
  const opened = await t.open(browser, url);
  const { page } = opened;
  const { floquet: data } = await dataOf(page);
  const circled = () => page.locator('#floquet .chart circle.chosen').count();
  await check('multipliers: as many lines as the data, with their moduli, and a verdict in words', async () => {
    const shown = await rowsOf(page, 'floquet').evaluateAll((rows) => rows.map((r) => Number(r.cells[2].textContent)));
    expect(shown.length === data.modes.length && shown.every((v, k) => Math.abs(v - data.modes[k].modulus) < 1e-6), shown.join());
    expect((await page.locator('#floquet-verdict').textContent()).startsWith(data.verdict), 'another verdict');
  });
  await check('multipliers: a number marks the points, of a pair both', async () => {
    const pair = data.modes.findIndex((m) => m.pair);
    await rowsOf(page, 'floquet').nth(pair).getByRole('button').click();
    await t.becomes(async () => await circled() === 2 && await current(page, 'floquet') === pair, 'the pair is not marked');
  });
  await check('multipliers: keys tell every point, Enter marks its line', async () => {
    const plot = page.locator('#floquet .chart svg[role="application"]');
    await plot.focus();
    for (let k = 0; k < 2; k++) await page.keyboard.press('PageDown');
    const said = await page.locator('#tooltip').textContent();
    const [, number] = /multiplier (\d+), \|\u03bc\| = /.exec(said) ?? [];
    expect(number !== undefined, `it says "${said}"`);
    await page.keyboard.press('Enter');
    await t.becomes(async () => await current(page, 'floquet') === Number(number) - 1, 'its line is not marked');
    await page.keyboard.press('Escape');
  });
  await check('multipliers: the picture shows the unit circle, is saved as CSV and zooms', async () => {
    const chart = page.locator('#floquet .chart');
    const before = (await t.ticks(chart)).join();
    const [download] = await Promise.all([page.waitForEvent('download'), chart.getByRole('button', { name: 'CSV' }).click()]);
    const lines = (await t.text(download)).trim().split('\r\n').slice(1).map((line) => line.split(','));
    const circle = lines.filter((line) => line[0] === 'unit circle');
    expect(circle.length === 181 && circle.every((line) => Math.abs(Math.hypot(line[1], line[2]) - 1) < 1e-12), 'there is no circle');
    const points = data.modes.reduce((n, m) => n + (m.pair ? 2 : 1), 0);
    expect(lines.length === 181 + points, `${lines.length - 181} points for ${points}`);
    await chart.locator('svg[role="application"]').focus();
    await page.keyboard.press('+');
    await t.becomes(async () => (await t.ticks(chart)).join() !== before, '+ does not zoom');
    await chart.getByRole('button', { name: 'Show all' }).click();
    await t.becomes(async () => (await t.ticks(chart)).join() === before, 'not all is shown again');
  });
  await page.evaluate('document.activeElement.blur()');
  await lookAlike(t, page, 'light', 'floquet', '#floquet');
  await t.clean('multipliers', opened, url);
}

/** A suspension with another spring and damper. */
export async function comparison(t, browser, url) {
  const { check, expect } = t;
  const opened = await t.open(browser, url, { colorScheme: 'dark' });
  const { page } = opened;
  const { comparison: data } = await dataOf(page);
  const map = page.locator('#comparison .chart').last();
  const names = async () => (await t.ticks(map)).filter((text) => /^[a-z]/.test(text) && !text.startsWith('mode'));
  await check('comparison: every pair has its line, with the change and what made most of it', async () => {
    const shown = await rowsOf(page, 'comparison').evaluateAll((rows) => rows.map((r) => [...r.cells].map((c) => c.textContent)));
    expect(shown.length === data.pairs.length, `${shown.length} lines`);
    data.pairs.forEach((p, k) => {
      const change = p.change.undamped_frequency_hz;
      expect(Math.abs(Number(shown[k][3].replace('\u2212', '-')) - change) < 1e-3 * Math.abs(change), shown[k].join(' '));
      expect(shown[k][8].startsWith(`${p.by_parameter[0].parameter}: `), shown[k][8]);
    });
    expect((await page.locator('#comparison > p').first().textContent()).includes('damper 1600.000 \u2192 1000.000'), 'the values are not told');
  });
  await check('comparison: a number chooses the mode of the page, and a mode chosen elsewhere is marked', async () => {
    await rowsOf(page, 'comparison').last().getByRole('button').click();
    const last = data.pairs.at(-1).first.number;
    await t.becomes(async () => await t.chosen(page) === String(last), 'the page shows another mode');
    await page.locator('#mode-table tbody tr').first().click();
    await t.becomes(async () => await current(page, 'comparison') === 0 && await page.locator('#comparison .chart').first().locator('circle.chosen').count() === 2, 'it is not marked');
  });
  await check('comparison: parts by terms or parameters, of frequency or damping', async () => {
    const [of, by] = [page.locator('#comparison select').first(), page.locator('#comparison select').last()];
    expect((await names()).at(-1) === 'load coil' && !(await names()).includes('damper'), `terms, the largest above: ${await names()}`);
    await by.selectOption('by_parameter');
    await t.becomes(async () => (await names()).sort().join() === 'damper,spring', 'the parameters are not there');
    const saved = async () => {
      const [download] = await Promise.all([page.waitForEvent('download'), map.getByRole('button', { name: 'CSV' }).click()]);
      return (await t.text(download)).trim().split('\r\n').slice(1).map((line) => line.split(','));
    };
    const part = (key) => Number(data.pairs[0].by_parameter.find((p) => p.parameter === 'damper')[key]);
    const value = async () => Number((await saved()).find((line) => line[1] === '1' && line[2] === 'damper')[0]);
    expect(await value() === part('undamped_frequency_hz'), 'another part of the frequency');
    await of.selectOption('damping_ratio');
    const percent = 100 * part('damping_ratio');
    await t.becomes(async () => Math.abs(await value() - percent) < 1e-12 * Math.abs(percent), 'another part of the damping');
  });
  await check('comparison: a cell tells its part and chooses the mode', async () => {
    await map.locator('.cell').last().click();
    const said = await page.locator('#tooltip').textContent();
    expect(/change of the damping, %: /.test(said), `it says "${said}"`);
    await t.becomes(async () => await t.chosen(page) === String(data.pairs.at(-1).first.number), 'the page shows another mode');
    await page.mouse.move(1, 1);
  });
  await page.evaluate('document.activeElement.blur()');
  await lookAlike(t, page, 'dark', 'comparison', '#comparison');
  await check('comparison: on paper and at 420 pixels nothing is cut', async () => {
    await page.setViewportSize({ width: 420, height: 850 });
    await t.becomes(async () => await page.evaluate('document.documentElement.scrollWidth') <= 420, 'the page scrolls sideways');
    await page.setViewportSize({ width: 718, height: 1000 });
    await page.evaluate('window.dispatchEvent(new Event("beforeprint"))');
    await page.emulateMedia({ media: 'print' });
    const cut = () => page.evaluate(() => [...document.querySelectorAll('.scroll')].filter((e) => e.getClientRects().length > 0 && e.scrollWidth > e.clientWidth + 1).length);
    await t.becomes(async () => await cut() === 0, 'a table is cut');
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString() === '%PDF-', 'it is no PDF');
  });
  await t.clean('comparison', opened, url);
}
