import { asset, ndjson, TestLibrary } from './test-library.js';

const LINES = 40_000;
/** The file alone is larger than this, and its assets as objects are larger still. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=80' };
const description = 'A project that says a little about itself, as most of them do. '.repeat(32);

describe('a file of 40,000 lines', () => {
  let library: TestLibrary;
  beforeAll(async () => {
    library = await TestLibrary.create();
  });
  afterAll(() => library.remove());

  it('is published, compared and listed in bounded memory', async () => {
    const assets = Array.from({ length: LINES }, (_, n) => asset(LINES - 1 - n, { description }));
    const path = await library.file(ndjson(...assets));
    const run = (args: string[]) => library.run(args, { environment: SMALL_HEAP });

    const first = await run(['publish', path]);
    expect([first.code, first.err.split('\n').at(-2)]).toEqual([0, `published ${LINES}, unchanged 0, invalid 0`]);
    const second = await run(['publish', path]);
    expect([second.code, second.err.split('\n').at(-2)]).toEqual([0, `published 0, unchanged ${LINES}, invalid 0`]);
    expect(await library.sent()).toBe(LINES);

    const { code, out } = await run(['list']);
    const ids = out.split('\n', LINES + 1).map((line) => line.slice(7, 18));
    expect([code, ids.pop(), ids.length]).toEqual([0, '', LINES]);
    expect(ids.every((id, n) => id === asset(n).id)).toBe(true);
  }, 300_000);
});
