import chromium from '@sparticuz/chromium';
import { type Browser, chromium as chrome, type LaunchOptions, type Page } from 'playwright-core';

/** A page in a real browser, and the errors on it. */
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
export async function openPage(url: string): Promise<BrowserPage> {
  const browser: Browser = await chrome.launch({ headless: true, ...(await launchOptions()) });
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
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
