import { asset, ndjson, TestLibrary } from './test-library.js';

/** With the description, more than `list` sorts in memory and many times what one request to Kafka holds. */
const LINES = 3_000;
const description = 'A project that says a little about itself – as most of them do. '.repeat(32);

describe('a file of some thousand lines', () => {
  let library: TestLibrary;
  beforeAll(async () => {
    library = await TestLibrary.create();
  });
  afterAll(() => library.remove());

  it('is published once, compared, and listed in order', async () => {
    const assets = Array.from({ length: LINES }, (_, n) => asset(LINES - 1 - n, { description }));
    const path = await library.file(ndjson(...assets));
    const first = await library.run(['publish', path]);
    expect(first).toMatchObject({ code: 0, err: `published ${LINES}, unchanged 0, invalid 0\n` });
    const second = await library.run(['publish', path]);
    expect(second).toMatchObject({ code: 0, err: `published 0, unchanged ${LINES}, invalid 0\n` });
    expect(await library.sent()).toBe(LINES);

    const { code, out } = await library.run(['list']);
    const ids = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect([code, ids]).toEqual([0, Array.from({ length: LINES }, (_, n) => asset(n).id)]);
  });
});
