import { eventually } from '@carbon/testing';
import { type BrowserPage, openPage } from '@carbon/testing/browser';
import { systemOnSharedEngines, type TestSystem } from '../testing/system.js';

/** The keys were mixed up in about every third. */
const TURNS = 6;
const SLOWDOWN = 6;
let app: TestSystem;
let browser: BrowserPage;

beforeAll(async () => {
  app = await systemOnSharedEngines();
});

afterAll(async () => {
  await app?.stop();
});

beforeEach(async () => {
  browser = await openPage(`${app.system.urls.gateway}/console/`);
  await browser.page.getByText(/^\d+ projects$/).waitFor();
});

afterEach(() => browser?.close());

const press = (key: string) => browser.page.keyboard.press(key);
const parameter = (name: string) => new URL(browser.page.url()).searchParams.get(name);

describe('what is typed into the console', () => {
  it('keeps its order when it is typed fast on a slow machine', async () => {
    const developer = await browser.page.context().newCDPSession(browser.page);
    await developer.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const editor = browser.page.locator('.cm-content');
    await editor.click();
    const typed: (string | null)[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const text of ['price < 5', 'source: C3']) {
        await press('Control+A');
        await press('Delete');
        await browser.page.keyboard.type(text);
        typed.push(await editor.textContent());
      }
    }
    expect(typed).toEqual(Array.from({ length: TURNS }, () => ['price < 5', 'source: C3']).flat());
  });

  it('as a range that finds nothing takes the filters away, and leaves the focus at what is said instead', async () => {
    const range = browser.page.getByRole('form', { name: 'Range of Vintages' });
    await range.getByLabel('from').fill('1900');
    await range.getByLabel('to').fill('1901');
    await press('Enter');
    await browser.page.getByText('No projects match').waitFor();
    expect(parameter('criteria')).toBe('vintages: 1900..1901');
    expect(await browser.page.evaluate('document.activeElement.id')).toBe('results');
  });

  it('as a range in the wrong order is shown in the right one, with a comma as a point', async () => {
    const range = browser.page.getByRole('form', { name: /^Range of Price/ });
    const [from, to] = [range.getByLabel('from'), range.getByLabel('to')];
    for (const bounds of [
      ['2,5', '10'],
      ['10', '2.5'],
    ] as const) {
      await from.fill(bounds[0]);
      await to.fill(bounds[1]);
      await press('Enter');
      await eventually(() => expect(parameter('criteria')).toBe('price: 2.5..10'));
      expect([await from.inputValue(), await to.inputValue()]).toEqual(['2.5', '10']);
    }
  });

  it('as a filter of the offsets stays beside the next one', async () => {
    await browser.page.goto(`${app.system.urls.gateway}/console/offsets`);
    const status = browser.page.getByLabel('Status');
    const filter = browser.page.getByRole('button', { name: 'Filter' });
    await status.selectOption('failed');
    await filter.click();
    await eventually(() => expect(parameter('status')).toBe('failed'));
    expect(await status.inputValue()).toBe('failed');
    await browser.page.getByLabel('Reference (exact)').fill('flight 7');
    await filter.click();
    await eventually(() => expect(parameter('customerRef')).toBe('flight 7'));
    expect(parameter('status')).toBe('failed');
  });

  it.each([
    ['from=2026-11-30&to=2026-11-01', '2026-11-01', '2026-11-30'],
    ['from=abc&to=2026-11-30', '', '2026-11-30'],
    ['from=2026-11-31', '', ''],
  ])('into the address as days is read as days, or not at all: %s', async (query, from, to) => {
    await browser.page.goto(`${app.system.urls.gateway}/console/offsets?${query}`);
    await browser.page.getByText(/^\d+ offsets?$/).waitFor();
    const days = ['From', 'To'].map((name) => browser.page.getByLabel(name, { exact: true }).inputValue());
    expect(await Promise.all(days)).toEqual([from, to]);
    const listed = browser.requests.filter((request) => request.includes('/v1/offsets')).join(' ');
    expect([listed.includes('createdFrom='), listed.includes('createdTo=')]).toEqual([from !== '', to !== '']);
  });
});
