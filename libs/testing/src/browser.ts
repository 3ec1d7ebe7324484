import { AxeBuilder } from '@axe-core/playwright';
import chromium from '@sparticuz/chromium';
import { type BrowserContextOptions, chromium as chrome, type LaunchOptions, type Page } from 'playwright-core';

/** A page in a real browser, and what it did. */
export interface BrowserPage {
  readonly page: Page;
  /** The requests of the page, as method and URL. */
  readonly requests: string[];
  /** Errors and warnings on the console, and uncaught errors of scripts. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** The arguments that the packaged browser needs without a display, without a GPU and as root. */
const BARE = ['--no-sandbox', '--no-zygote', '--single-process', '--disable-gpu', '--font-render-hinting=none'];

/** Returns how to launch the browser: the packaged one on Linux, elsewhere the installed Chrome. */
async function launchOptions(): Promise<LaunchOptions> {
  if (process.platform !== 'linux') return { channel: 'chrome' };
  // Without the package's own arguments: they disable the browser's restrictions, which these tests check.
  return { executablePath: await chromium.executablePath(), args: BARE };
}

/** Opens a URL in a new headless browser. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<BrowserPage> {
  const browser = await chrome.launch({ headless: true, ...(await launchOptions()) });
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 }, ...options });
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, requests, complaints, close: () => browser.close() };
}

const WCAG_2_2_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Returns what WCAG 2.2 AA forbids on a page, as far as a program can find it. */
export async function accessibilityErrors(page: Page): Promise<readonly string[]> {
  // Legacy: else it opens a second page, which the packaged browser in its one process cannot.
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG_2_2_AA).setLegacyMode().analyze();
  return violations.map(
    ({ id, nodes }) => `${id} ${nodes.length} times: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
  );
}

const FOCUSED = `(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return (element?.getAttribute('aria-label') ?? element?.labels?.[0]?.innerText ?? element?.innerText ?? '').trim();
})()`;
const MAX_TABS = 400;

/** Returns the name of what is focused. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(FOCUSED);
}

/** Presses Tab until what is focused has this name, as somebody without a mouse does. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    await page.keyboard.press('Tab');
    const focused = await focusedName(page);
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
    passed.push(focused);
  }
  throw new Error(`no Tab leads to ${name}, only to ${[...new Set(passed)].join(' | ')}`);
}

/** Waits until a page shows a text; otherwise the error says what the page shows. */
export async function seeText(page: Page, text: string | RegExp): Promise<void> {
  try {
    await page.getByText(text).first().waitFor();
  } catch (cause) {
    throw new Error(`No ${text} in: ${await page.locator('body').ariaSnapshot()}`, { cause });
  }
}
