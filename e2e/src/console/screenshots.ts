import { join, resolve } from 'node:path';
import { CarbonClient } from '@carbon/client';
import { type CommandContext, createProgram, EXIT, readLoopback, runProcess } from '@carbon/terminal';
import { type BrowserPage, openPage } from '@carbon/testing/browser';
import { Client } from '../load/client.js';
import { reachGateway } from '../load/reach-gateway.js';
import { gatewayUrl } from '../load/settings.js';

type Page = BrowserPage['page'];

interface Flags {
  readonly url?: string;
  readonly dir: string;
}

/** A state of the console: its address, what is done there, and the text that shows that it is there. */
interface Shot {
  readonly name: string;
  readonly path: string;
  readonly before?: (page: Page) => Promise<unknown>;
  readonly shows: string | RegExp;
  readonly after?: (page: Page) => Promise<unknown>;
}

const SCREENS = {
  desktop: { width: 1_280, height: 900 },
  phone: { width: 375, height: 812 },
} as const;

await runProcess((context) =>
  createProgram('screenshots', context)
    .description('Takes a picture of every view and state of the console, light and dark, at a desktop and on a phone.')
    .option('--url <url>', 'address of an open gateway on this machine (default: what npm start runs)', readLoopback)
    .option('--dir <dir>', 'where the pictures go', '.local/screenshots')
    .action(context.action((flags: Flags) => takeAll(context, flags))),
);

async function takeAll(context: CommandContext, { url = gatewayUrl(context), dir }: Flags): Promise<number> {
  const output = context.output();
  await reachGateway(new Client(url, 1), url, '/v1/offsets?limit=1');
  const shots = shotsOf(await exampleOffset(url));
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [device, viewport] of Object.entries(SCREENS)) {
      for (const shot of shots) {
        const path = resolve(join(dir, `${shot.name}-${device}-${colorScheme}.png`));
        const { page, close } = await openPage('about:blank', { viewport, colorScheme });
        await take(page, url, shot);
        await page.screenshot({ path, fullPage: device === 'phone', animations: 'disabled' });
        await close();
        await output.line(path);
      }
    }
  }
  await output.flush();
  return EXIT.done;
}

async function take(page: Page, url: string, { path, before, shows, after }: Shot): Promise<void> {
  await before?.(page);
  await page.goto(`${url}/console/${path}`);
  await after?.(page);
  await page.getByText(shows).first().waitFor();
}

/** Creates what the pictures of an offset show. */
async function exampleOffset(url: string): Promise<string> {
  const carbon = new CarbonClient({ baseUrl: url });
  const { id } = await carbon.offsets.create({ kgCO2e: 2_500, customerRef: 'flight 7' });
  await carbon.offsets.waitFor(id);
  return id;
}

function shotsOf(offset: string): readonly Shot[] {
  const criteria = (text: string) => `?criteria=${encodeURIComponent(text)}`;
  return [
    {
      name: 'search',
      path: `${criteria('country: Brazil and vintages: 2015..2018')}&sort=price`,
      after: awaitFilters,
      shows: /^\d+ projects$/,
    },
    { name: 'errors', path: criteria('contry: Brazil and vintages: 2015-2018'), shows: 'unknown field' },
    { name: 'filters', path: criteria('rating >= 2'), after: showFilters, shows: /^Show all \d/ },
    { name: 'nothing', path: criteria('country: Brasil'), shows: 'Search Brazil' },
    { name: 'loading', path: '', before: (page) => page.route('**/v1/assets/p*', () => {}), shows: 'Searching' },
    {
      name: 'problem',
      path: '',
      before: (page) => answer(page, '**/v1/assets/p*', 503, 'service_unavailable'),
      shows: 'Request',
    },
    { name: 'key', path: '', before: (page) => answer(page, '**/v1/**', 401, 'unauthorized'), shows: 'Enter your key' },
    { name: 'estimate', path: 'offset', after: estimate, shows: 'Price held for' },
    { name: 'offset', path: `offsets/${offset}`, shows: 'The receipt holds.' },
    { name: 'offsets', path: 'offsets', shows: 'flight 7' },
    { name: 'no-offsets', path: 'offsets?customerRef=nobody', shows: 'No offsets match' },
    { name: 'offline', path: 'offsets', after: goOffline, shows: 'You are offline' },
    { name: 'missing', path: 'x', shows: 'There is no such page' },
  ];
}

async function estimate(page: Page): Promise<void> {
  await page.getByLabel('Emissions').fill('2.5');
  await page.keyboard.press('Enter');
}

async function showFilters(page: Page): Promise<void> {
  await page.getByText(/ filters$/).waitFor();
  const hidden = page.getByText('Show filters');
  if (await hidden.isVisible()) await hidden.click();
}

/** Beside the results they are shown without a click. */
async function awaitFilters(page: Page): Promise<void> {
  if (page.viewportSize()?.width === SCREENS.desktop.width) await page.locator('.facets .number').first().waitFor();
}

async function goOffline(page: Page): Promise<void> {
  await page.getByText('flight 7').first().waitFor();
  await page.context().setOffline(true);
}

async function answer(page: Page, url: string, status: number, code: string): Promise<void> {
  const body = {
    type: `/problems/${code}`,
    title: '',
    status,
    detail: 'The catalog is not available.',
    instance: 'r-1',
    code,
  };
  const headers = { 'content-type': 'application/problem+json', 'retry-after': '60' };
  await page.route(url, (route) => route.fulfill({ status, headers, body: JSON.stringify(body) }));
}
