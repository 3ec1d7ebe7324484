import chromium from '@sparticuz/chromium';
import { type Browser, chromium as chrome, type LaunchOptions, type Page } from 'playwright-core';

/** A page in a real browser, and what happened there that should not. */
export interface Opened {
  readonly page: Page;
  /** What the page asked for, as method and address. */
  readonly requests: string[];
  /** What was said on the console as an error or a warning, and what no script caught. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** What the packaged browser cannot do without where there is no display, no GPU and no user but root. */
const BARE = ['--no-sandbox', '--no-zygote', '--single-process', '--disable-gpu', '--font-render-hinting=none'];

/** Where the browser is. The packaged one is for Linux; elsewhere it is the Chrome of the machine. */
async function whichBrowser(): Promise<LaunchOptions> {
  if (process.platform !== 'linux') return { channel: 'chrome' };
  // Not the arguments that come with it: they take away what a page may not do, which is to be tested.
  return { executablePath: await chromium.executablePath(), args: BARE };
}

/** Opens an address in a browser of its own, without a window. */
export async function openPage(url: string): Promise<Opened> {
  const browser: Browser = await chrome.launch({ headless: true, ...(await whichBrowser()) });
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
