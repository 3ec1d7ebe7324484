import { eventually } from './eventually.js';

describe('eventually', () => {
  it('answers what the first attempt that does not throw answers', async () => {
    let tries = 0;
    const answer = await eventually(
      () => {
        tries += 1;
        if (tries < 3) throw new Error('not yet');
        return tries;
      },
      { every: 1 },
    );
    expect(answer).toBe(3);
  });

  it('throws what the last attempt threw, and says how long it has waited', async () => {
    const never = eventually(() => Promise.reject(new Error('still closed')), { within: 20, every: 5 });
    await expect(never).rejects.toThrow('not within 20 ms: still closed');
  });
});
