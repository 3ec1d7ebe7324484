import { FewASecond } from './few-a-second.js';

it('writes so many lines in a second, tells of the rest at its end, and begins anew', async () => {
  const written: number[] = [];
  const rest = await new Promise<number>((resolve) => {
    const lines = new FewASecond(2, (more) => {
      lines.write(() => written.push(99));
      resolve(more);
    });
    for (let n = 0; n < 7; n += 1) lines.write(() => written.push(n));
  });
  expect([written, rest]).toEqual([[0, 1, 99], 5]);
});
