import { join } from 'node:path';
import { CarbonClient, type Receipt } from '@carbon/client';
import { temporaryDir } from '@carbon/local';
import { eventually, runToEnd } from '@carbon/testing';
import { accessibilityErrors, type BrowserPage, openPage } from '@carbon/testing/browser';
import { systemOnSharedEngines, type TestSystem } from '../testing/system.js';

const CARBON = join(import.meta.dirname, '../../../tools/carbon/dist/carbon.js');
const VERIFIER = join(import.meta.dirname, '../../../docs/verify-receipt.mjs');
let app: TestSystem;
let folder: Awaited<ReturnType<typeof temporaryDir>>;
let keys: { readonly all: string; readonly reader: string; readonly writer: string; readonly revoked: string };
/** A completed offset of the account. */
let offset: string;
let browser: BrowserPage;

/** Runs the command `keys`, and returns its output. */
async function keyCommand(...args: string[]): Promise<string> {
  const environment = { API_KEYS_FILE: join(folder.dir, 'keys.json') };
  const { out } = await runToEnd(process.execPath, [CARBON, 'keys', ...args], { environment });
  return out.trim();
}

const createKey = (account: string, ...args: string[]) => keyCommand('create', '--raw', '--account', account, ...args);

beforeAll(async () => {
  folder = await temporaryDir();
  keys = {
    all: await createKey('acme'),
    reader: await createKey('acme', '--scopes', 'assets:read'),
    writer: await createKey('third', '--scopes', 'offsets:write'),
    revoked: await createKey('other'),
  };
  const environment = { API_KEYS_FILE: join(folder.dir, 'keys.json') };
  app = await systemOnSharedEngines({ apps: { gateway: { environment } } });
  const carbon = new CarbonClient({ baseUrl: app.system.urls.gateway, key: keys.all });
  offset = (await carbon.offsets.create({ kgCO2e: 2_500 })).id;
  await carbon.offsets.waitFor(offset);
});

afterAll(async () => {
  await app?.stop();
  folder?.remove();
});

const address = (path: string) => `${app.system.urls.gateway}/console/${path}`;
const shows = (text: string | RegExp) => browser.page.getByText(text).first().waitFor();
const isAccessible = async () => expect(await accessibilityErrors(browser.page)).toEqual([]);

/** Opens a view in a browser of its own, with a key that was entered before. */
async function open(
  path: string,
  key: string | undefined,
  options: Parameters<typeof openPage>[1] = {},
): Promise<void> {
  browser = await openPage('about:blank', options);
  if (key !== undefined)
    await browser.page.addInitScript(`sessionStorage.setItem('carbon-offsets-key', ${JSON.stringify(key)})`);
  await browser.page.goto(address(path));
}
afterEach(() => browser?.close());

describe('a key', () => {
  it('is entered once, stays in the tab, and is forgotten on request', async () => {
    await open('', undefined);
    await shows('Enter your key');
    await isAccessible();
    const enter = async (text: string) => {
      await browser.page.getByLabel('API key').fill(text);
      await browser.page.keyboard.press('Enter');
    };
    await enter(`cl_live_${'0'.repeat(12)}_${'0'.repeat(49)}`);
    await shows('does not accept this key');
    await enter(keys.all);
    await shows(/^\d+ projects$/);
    await browser.page.reload();
    await shows(/^\d+ projects$/);
    const kept = '[localStorage.length, sessionStorage.length, document.cookie, location.href.includes("cl_live")]';
    expect(await browser.page.evaluate(kept)).toEqual([0, 1, '', false]);
    expect(browser.requests.filter((request) => request.includes('cl_live'))).toEqual([]);
    await browser.page.getByRole('button', { name: 'Forget key' }).click();
    await shows('Enter your key');
    expect(await browser.page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('that is revoked meanwhile is asked for again', async () => {
    await open('offsets', keys.revoked);
    await shows('No offsets yet');
    await isAccessible();
    await keyCommand('revoke', keys.revoked);
    await eventually(async () => {
      await browser.page
        .getByRole('button', { name: 'Refresh' })
        .click({ timeout: 1_000 })
        .catch(() => {});
      await browser.page.getByText('does not accept this key').waitFor({ timeout: 1_000 });
    });
  });

  it('decides by its scopes what is shown', async () => {
    await open('', keys.reader);
    await shows(/^\d+ projects$/);
    expect(await browser.page.locator('nav a').allTextContents()).toEqual(['Search', 'API']);
    expect(await browser.page.getByRole('link', { name: /^Offset with/ }).count()).toBe(0);
    await browser.page.goto(address('offsets'));
    await shows('offsets:read');
    await isAccessible();
  });

  it('that may only offset leads there, and is told what was accepted', async () => {
    await open('', keys.writer);
    await shows('Get an estimate');
    expect(browser.page.url()).toBe(address('offset'));
    await browser.page.getByLabel('Emissions').fill('0,001');
    await browser.page.keyboard.press('Enter');
    await browser.page.getByRole('button', { name: /^Offset 0\.001 t for/ }).click();
    await shows(/^Accepted as off_/);
    await isAccessible();
  });
});

describe('every view', () => {
  it.each([
    [320, 'dark'],
    [375, 'light'],
    [3_840, 'dark'],
  ] as const)('fits a screen of %i px, in %s, and is accessible', async (width, colorScheme) => {
    await open('', keys.all, { viewport: { width, height: 800 }, colorScheme });
    for (const [path, text] of [
      ['?criteria=contry%3ABrazil', 'unknown field'],
      ['?criteria=country%3ABrasil', 'Search Brazil'],
      [`?text=forest&criteria=${encodeURIComponent('price < 1000 and vintages: 2000..2030')}`, /^\d+ projects$/],
      ['offset', 'Get an estimate'],
      [`offsets/${offset}`, 'The receipt holds.'],
      ['offsets', '2.5 t'],
    ] as const) {
      await browser.page.goto(address(path));
      await shows(text);
      const filters = browser.page.getByRole('button', { name: 'Show filters' });
      if (await filters.isVisible()) await filters.click();
      const snippets = browser.page.getByText('Copy as curl');
      if (await snippets.isVisible()) await snippets.click();
      const tooWide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([path, await browser.page.evaluate(tooWide)]).toEqual([path, 0]);
      await isAccessible();
    }
  });

  it('has filters and charts on a phone too, on request, and a map to click on', async () => {
    await open('', keys.all, { viewport: { width: 375, height: 800 } });
    await shows(/^\d+ projects$/);
    expect(await browser.page.locator('.histogram').count()).toBe(0);
    await browser.page.getByRole('button', { name: 'Show filters' }).click();
    await browser.page.locator('.map a', { hasText: /^Brazil: / }).click();
    await browser.page.waitForURL(/criteria=country/);
    await shows('Foz do Chapecó');
    expect(await browser.page.locator('.cm-content').textContent()).toBe('country = "Brazil"');
    await isAccessible();
  });

  it('stands still for somebody who prefers reduced motion', async () => {
    await open('', keys.all, { reducedMotion: 'reduce' });
    await browser.page.route('**/v1/assets/projects*', () => {});
    await browser.page.reload();
    await shows('Searching');
    expect(await browser.page.evaluate('document.getAnimations().length')).toBe(0);
  });
});

describe('a receipt', () => {
  it('that is saved holds for the program of the documentation', async () => {
    await open(`offsets/${offset}`, keys.all);
    const download = browser.page.waitForEvent('download');
    await browser.page.getByRole('button', { name: 'Save as JSON' }).click();
    const { code, out } = await runToEnd(process.execPath, [VERIFIER, await (await download).path()]);
    expect([code, out]).toEqual([0, expect.stringContaining('holds')]);
  });

  it('that was changed does not hold', async () => {
    await open('', keys.all);
    await browser.page.route('**/v1/retirements*', async (route) => {
      const response = await route.fetch();
      const receipt = (await response.json()) as Receipt;
      const entries = receipt.entries.map((entry) => ({ ...entry, price: entry.price + 1 }));
      await route.fulfill({ response, json: { ...receipt, entries } });
    });
    await browser.page.goto(address(`offsets/${offset}`));
    await shows('The receipt does not hold:');
    await shows('does not have the hash it states');
    await isAccessible();
  });
});

describe('an outage', () => {
  it('of the library is told with its request and its page, and ends with the next try', async () => {
    await open('', keys.all);
    await shows(/^\d+ projects$/);
    await app.system.part('catalog').stop();
    await browser.page.getByLabel('Full text').fill('hydro');
    await shows('The service is not available at the moment.');
    await shows(/^Request/);
    expect(await browser.page.getByRole('link', { name: 'About service_unavailable' }).getAttribute('href')).toBe(
      '/problems/service_unavailable',
    );
    await isAccessible();
    // The other views do without it.
    await browser.page.goto(address('offsets'));
    await shows('2.5 t');
    await browser.page.getByRole('link', { name: 'Search' }).click();
    await shows(/^Trying again in \d+ s$/);
    await app.system.part('catalog').start();
    await browser.page.getByText(/^\d+ projects$/).waitFor({ timeout: 60_000 });
  });

  it('of the filters alone leaves the results, and the button above it', async () => {
    await open('', keys.all);
    await browser.page.route('**/v1/assets/facets*', (route) => route.fulfill({ status: 503, body: '' }));
    await browser.page.reload();
    await shows(/^\d+ projects$/);
    await shows('The response did not come from the service');
    await browser.page.getByRole('button', { name: 'Hide filters' }).click();
    await browser.page.getByText('The response did not come from the service').waitFor({ state: 'detached' });
  });

  it('of the offsets service delays an offset, which the page follows to its end', async () => {
    const carbon = new CarbonClient({ baseUrl: app.system.urls.gateway, key: keys.all });
    await open('', keys.all);
    await app.system.part('offsets').stop();
    const { id } = await carbon.offsets.create({ kgCO2e: 7 });
    await browser.page.evaluate(`history.pushState(null, '', ${JSON.stringify(address(`offsets/${id}`))})`);
    await browser.page.evaluate("dispatchEvent(new Event('popstate'))");
    await shows('The service is not available at the moment.');
    await app.system.part('offsets').start();
    await browser.page.getByText('The receipt holds.').waitFor({ timeout: 60_000 });
  });

  it('of the network is told, and what was shown stays', async () => {
    await open('offsets', keys.all);
    await shows('2.5 t');
    await browser.page.context().setOffline(true);
    await shows('You are offline.');
    await shows('2.5 t');
    await isAccessible();
    await browser.page.context().setOffline(false);
    await browser.page.getByText('You are offline.').waitFor({ state: 'detached' });
  });
});
