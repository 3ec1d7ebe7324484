import { Gathering } from './gathering.js';

/** Works on lots when it is told to. */
function slow() {
  const lots: { items: readonly number[]; done: () => void; fail: (error: Error) => void }[] = [];
  const gathering = new Gathering<number>(
    (items) => new Promise<void>((done, fail) => void lots.push({ items, done, fail })),
  );
  return { lots, gathering };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('gathering', () => {
  it('works on what comes alone at once, and gathers the rest meanwhile', async () => {
    const { lots, gathering } = slow();
    const first = gathering.add(1);
    await turn();
    const rest = [2, 3, 4].map((item) => gathering.add(item));
    await turn();
    expect(lots.map(({ items }) => items)).toEqual([[1]]);
    lots[0]?.done();
    await first;
    await turn();
    expect(lots.map(({ items }) => items)).toEqual([[1], [2, 3, 4]]);
    lots[1]?.done();
    await Promise.all(rest);
  });

  it('tells of a failure those alone whose lot it was', async () => {
    const { lots, gathering } = slow();
    const first = gathering.add(1);
    await turn();
    const second = gathering.add(2);
    lots[0]?.fail(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await turn();
    lots[1]?.done();
    await second;
    expect(lots.map(({ items }) => items)).toEqual([[1], [2]]);
  });
});
