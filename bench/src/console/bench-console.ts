import { startSystem, temporaryDir } from '@carbon/local';
import { openPage } from '@carbon/testing/browser';
import { type Row, rowAlone } from '../results.js';
import type { Bench } from '../stage.js';

/** How much slower than this machine the browser's processor is. */
const SLOWDOWN = 4;
const FIRST_VIEW = { atMost: 1_500 } as const;
/** The editor of criteria, and the first row of the search. */
const USABLE = ['.cm-content', 'tbody tr:not(.waiting)'];

/** Measures the first view of the console in a slow browser with an empty cache, until it is usable. */
export const benchConsole: Bench = async ({ rounds, report, signal }) => {
  using folder = await temporaryDir();
  report('console: starting the system');
  const system = await startSystem({ dir: folder.dir, signal });
  try {
    const first: number[] = [];
    // One more, which is not counted: the first of all finds the search cold.
    for (let round = 0; round <= rounds; round += 1) {
      signal.throwIfAborted();
      report(`console: the first view, round ${round} of ${rounds}`);
      const ms = await firstView(`${system.urls.gateway}/console/`);
      if (round > 0) first.push(ms);
    }
    return { rows: rowsOf(first), notes: NOTES };
  } finally {
    await system.stop();
  }
};

/** The time from the navigation until the view is usable, in milliseconds. */
async function firstView(url: string): Promise<number> {
  const { page, close } = await openPage('about:blank');
  try {
    const developer = await page.context().newCDPSession(page);
    await developer.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    await page.goto(url, { waitUntil: 'commit' });
    await Promise.all(USABLE.map((element) => page.locator(element).first().waitFor()));
    return Number(await page.evaluate('performance.now()'));
  } finally {
    await close();
  }
}

function rowsOf(first: readonly number[]): Row[] {
  const what = `first view of the console until usable, processor ${SLOWDOWN} times slower`;
  return [rowAlone({ bench: 'console', what, unit: 'ms', ours: first, goal: FIRST_VIEW })];
}

const NOTES = [
  'Console: a new browser with an empty cache for each round; usable is when the first rows of the search are shown and the editor of criteria takes a text. The browser, the apps and the engines share the machine.',
];
