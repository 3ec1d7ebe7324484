import { alternate } from './rounds.js';

it('lets the sides take turns and gives each its own figures, round by round', async () => {
  const turns: string[] = [];
  const side = (name: string, add: number) => async (round: number) => {
    turns.push(`${name}${round}`);
    return round + add;
  };
  const found = await alternate({ a: side('a', 0), b: side('b', 10) }, 3);
  expect(turns).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
  expect(found).toEqual({ a: [0, 1, 2], b: [10, 11, 12] });
});
