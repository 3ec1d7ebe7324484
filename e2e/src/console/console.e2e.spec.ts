import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@carbon/testing';
import { accessibilityErrors, type BrowserPage, focusedName, openPage, seeText, tabTo } from '@carbon/testing/browser';
import { systemOnSharedEngines, type TestSystem } from '../testing/system.js';

let app: TestSystem;
let browser: BrowserPage;

beforeAll(async () => {
  app = await systemOnSharedEngines();
  // A reference that a spreadsheet would run as a formula, and one that is markup.
  for (const customerRef of ['=1+1', '<img src=x onerror=alert(1)>'])
    await app.carbon.offsets.create({ kgCO2e: 1, customerRef });
  browser = await openPage(app.system.urls.gateway);
});

afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

/** Types a text where the focus is. */
const type = (text: string) => browser.page.keyboard.type(text);
const press = (key: string) => browser.page.keyboard.press(key);
const shows = (text: string | RegExp) => seeText(browser.page, text);
const parameter = (name: string) => new URL(browser.page.url()).searchParams.get(name);
const isAccessible = async () => expect(await accessibilityErrors(browser.page)).toEqual([]);

const criteria = () => browser.page.locator('.cm-content').textContent();

/** A list of completions leaves keys to the editor for its first 75 ms (`interactionDelay` of CodeMirror); nothing tells its end. */
const INTERACTION_DELAY_MS = 150;

/** Accepts an entry of the list of completions; then another list follows. */
async function accept(name: string | RegExp, keys: readonly string[], next: string | RegExp): Promise<void> {
  const option = (text: string | RegExp) =>
    browser.page.getByRole('option', { name: text, exact: true }).first().waitFor({ timeout: 2_000 });
  await eventually(async () => {
    if ((await browser.page.getByRole('option').count()) === 0) await press('Control+Space');
    await option(name);
    await pause(INTERACTION_DELAY_MS);
    for (const key of keys) await press(key);
    await option(next);
  });
}

async function saved(): Promise<string> {
  const download = browser.page.waitForEvent('download');
  await tabTo(browser.page, 'Save as CSV');
  await press('Enter');
  return readFileSync(await (await download).path(), 'utf8');
}

// One story, in order, with the keyboard alone.
describe('the console', () => {
  it('is where the address of the service leads, and lists the library', async () => {
    await shows(/^\d+ projects$/);
    expect(new URL(browser.page.url()).pathname).toBe('/console/');
    await isAccessible();
  });

  it('completes criteria from the fields and values of the library', async () => {
    await tabTo(browser.page, 'Criteria');
    await type('countr');
    await accept('country', ['Enter'], 'is not null');
    // What nobody has begun to type is accepted only after a move into the list.
    await accept('is not null', ['ArrowDown', 'Enter'], /Brazil/);
    expect(await criteria()).toBe('country : ');
    await type('braz');
    await accept(/^Brazil/, ['Enter'], 'and');
  });

  it('searches with Enter after a completion, although the list of what may follow is open', async () => {
    await press('Space');
    expect(await criteria()).toBe('country : "Brazil" ');
    await press('Enter');
    await shows(/^[1-9]\d* projects$/);
    expect(parameter('criteria')).toBe('country : "Brazil" ');
    expect(await browser.page.getByRole('option').count()).toBe(0);
  });

  it('underlines errors where they are, and writes what the service proposes', async () => {
    await press('Control+A');
    await type('contry: Brazil and vintages: 2015-2018');
    await press('Escape');
    await shows('unknown field "contry"');
    const marked = browser.page.locator('.cm-content .error');
    expect(await marked.allTextContents()).toEqual(['contry', '2015-2018']);
    await isAccessible();
    for (const left of [['contry'], []]) {
      await press('Alt+Enter');
      await eventually(async () => expect(await marked.allTextContents()).toEqual(left));
    }
    await shows(/^[1-9]\d* projects$/);
    expect(parameter('criteria')).toBe('country: Brazil and vintages: 2015..2018');
  });

  it('searches the full text beside, sorted by price, all in the address', async () => {
    await tabTo(browser.page, 'Full text');
    await type('forest');
    await press('Enter');
    await tabTo(browser.page, /^Price \/ t/);
    await press('Enter');
    await browser.page.locator('th[aria-sort="ascending"]').waitFor();
    expect([parameter('text'), parameter('sort')]).toEqual(['forest', 'price']);
    const prices = browser.page.locator('td[data-title="Price / t"]');
    await eventually(async () => {
      const shown = (await prices.allTextContents()).map((text) => Number(text.replace('$', '')));
      expect(shown.length).toBeGreaterThan(1);
      expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    });
  });

  it('saves what it finds', async () => {
    const [head = '', first = ''] = (await saved()).split('\r\n');
    expect(head).toMatch(/^\ufeffid,ticker,/);
    expect(first).toContain('Brazil');
    expect(await browser.page.locator('.tools:has-text("Save as CSV") + .table-frame').count()).toBe(1);
  });

  it('says why nothing is found, and searches what may be meant', async () => {
    await browser.page.goto(`${app.system.urls.gateway}/console/?criteria=country%3A%20Brasil`);
    await shows('No projects match');
    await tabTo(browser.page, 'Search Brazil');
    await isAccessible();
    await press('Enter');
    await shows(/^[1-9]\d* projects$/);
    expect(parameter('criteria')).toBe('country: "Brazil"');
  });

  it('narrows what is found by a bar of a chart and by a value, in the criteria, and widens it again', async () => {
    await browser.page.goto(`${app.system.urls.gateway}/console/`);
    await tabTo(browser.page, /^\d{4}: \d+ project/);
    await eventually(async () => {
      await press('ArrowRight');
      expect(await focusedName(browser.page)).toMatch(/^2015: \d+ projects/);
    });
    const [, count] = /: (\d+)/.exec(await focusedName(browser.page)) ?? [];
    await press('Enter');
    await shows(new RegExp(`^${count} projects$`));
    const narrowed = { criteria: 'vintages = 2015 and country = "Brazil"' };
    const { total: brazilian } = await app.carbon.projects.search(narrowed).page();
    // Values are counted by another request than the result, and show the earlier counts until it is answered.
    await eventually(() => tabTo(browser.page, new RegExp(`^Brazil\\s+${brazilian}$`)));
    await press('Enter');
    await shows(new RegExp(`^${brazilian} projects?$`));
    expect(parameter('criteria')).toBe(narrowed.criteria);
    await isAccessible();
    await press('Enter');
    await shows(new RegExp(`^${count} projects$`));
    expect(parameter('criteria')).toBe('vintages = 2015');
    await tabTo(browser.page, 'to');
    await type('2018');
    await press('Enter');
    await eventually(() => expect(parameter('criteria')).toBe('vintages: 2015..2018'));
  });

  it('keeps the filters and the result while criteria are written, but not those of the other kind', async () => {
    const refused: string[] = [];
    browser.page.on('response', (response) => response.status() === 400 && refused.push(response.url()));
    await browser.page.goto(`${app.system.urls.gateway}/console/?criteria=country%3A%20brazil`);
    // However the condition is spelled.
    await browser.page.locator('.facet li a[aria-current]', { hasText: 'Brazil' }).waitFor();
    await tabTo(browser.page, 'Criteria');
    await press('End');
    await type(' and');
    await shows(/ projects for the last valid criteria$/);
    await browser.page.locator('.facets[inert]').waitFor();
    expect(await browser.page.locator('.histogram').count()).toBe(2);
    expect(refused.filter((url) => url.includes('/facets'))).toEqual([]);
    await browser.page.getByRole('radio', { name: 'Pools' }).press('Space');
    await shows('No result yet');
    expect(await browser.page.locator('table, .facets').count()).toBe(0);
    await browser.page.goto(`${app.system.urls.gateway}/console/`);
    await shows(/^\d+ projects$/);
  });

  let asset = '';

  it('offsets with a chosen asset at an estimated price', async () => {
    await tabTo(browser.page, /^Offset with /);
    [, asset = ''] = /^Offset with (.*)$/.exec(await focusedName(browser.page)) ?? [];
    await press('Enter');
    await shows(asset);
    await tabTo(browser.page, 'Emissions (CO₂-equivalent)');
    await type('1,234.5');
    await press('Enter');
    await shows('at most one point or comma');
    await press('Control+A');
    await type('2,5');
    await press('Enter');
    await shows('Price held for');
    await shows(/^2\.5 t$/);
    expect(parameter('estimate')).toMatch(/^est_/);
    await type('7');
    await shows('The weight has changed.');
    expect(await browser.page.getByLabel('Your reference (optional)').count()).toBe(0);
    await press('Backspace');
    await isAccessible();
    await tabTo(browser.page, 'Your reference (optional)');
    await type('flight 7');
    await tabTo(browser.page, /^Offset 2\.5 t for \$/);
    await press('Enter');
    await shows('The receipt holds.');
    await shows('2.5 of 2.5 t retired');
    await isAccessible();
    await browser.page.emulateMedia({ media: 'print' });
    const id = browser.page.url().split('/').at(-1) ?? '';
    expect(await browser.page.getByText(id).first().isVisible()).toBe(true);
    await browser.page.emulateMedia({ media: 'screen' });
  });

  it('creates no second offset when the same estimate is sent again', async () => {
    const offset = browser.page.url();
    await browser.page.goBack();
    await tabTo(browser.page, 'Your reference (optional)');
    await type('flight 7');
    await tabTo(browser.page, /^Offset 2\.5 t for \$/);
    await press('Enter');
    await shows('The receipt holds.');
    expect(browser.page.url()).toBe(offset);
  });

  it('lists offsets with texts as texts, filters them, and saves them without formulas', async () => {
    await tabTo(browser.page, 'My offsets');
    await press('Enter');
    await shows('<img src=x onerror=alert(1)>');
    await shows(asset);
    await isAccessible();
    const csv = await saved();
    expect(csv).toContain(",'=1+1,");
    expect(csv.split('\r\n')).toHaveLength(5);
    await tabTo(browser.page, 'Reference (exact)');
    await type('flight 7');
    await press('Enter');
    await eventually(async () => expect(await browser.page.locator('tbody tr').count()).toBe(1));
    expect(parameter('customerRef')).toBe('flight 7');
  });

  it('calls only the service, and complains of nothing but what the service answers', async () => {
    const { requests, complaints } = browser;
    const elsewhere = requests.filter(
      (request) => !/ blob:/.test(request) && !request.split(' ')[1]?.startsWith(`${app.system.urls.gateway}/`),
    );
    expect(elsewhere).toEqual([]);
    expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
  });
});
