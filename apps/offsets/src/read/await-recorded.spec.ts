import { ids } from '../test-events.js';
import { awaitRecorded } from './await-recorded.js';

const SECONDS = 1_000;

/** How often it was looked, for an id, until there was something at the third look or it was given up. */
async function looksFor(id: string): Promise<number> {
  let looks = 0;
  await awaitRecorded(id, async () => (++looks < 3 ? undefined : 'recorded')).catch((fault: unknown) => {
    expect(fault).toMatchObject({ code: 'not_found' });
  });
  return looks;
}

describe('an offset that is asked for and not recorded', () => {
  it.each([
    ['its id is new', () => ids.mint('off', 'default')],
    ['the clock of who made its id is ahead', () => ids.mint('off', 'default', Date.now() + 60 * SECONDS)],
    ['its id tells no time', () => ids.fromKey('default', 'order-7')],
  ])('is waited for when %s', async (_, id) => expect(await looksFor(id())).toBe(3));

  it('is looked for once when its id is old, and not waited for', async () => {
    expect(await looksFor(ids.mint('off', 'default', Date.now() - 60 * SECONDS))).toBe(1);
  });
});
