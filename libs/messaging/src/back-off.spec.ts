import { pause, pauseAfter, within } from './back-off.js';

describe('back-off', () => {
  const backOff = { firstMs: 100, lastMs: 1_000 };

  it('doubles from the first pause and never passes the last', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 1_000].map((failures) => pauseAfter(failures, backOff, 1));
    expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000]);
  });

  it('spreads a pause over its upper half', () => {
    expect(pauseAfter(1, backOff, 0)).toBe(50);
    expect(pauseAfter(3, backOff, 0.5)).toBe(300);
  });

  it('ends a pause at the signal, without an error', async () => {
    const stop = new AbortController();
    const paused = pause(60_000, stop.signal);
    stop.abort();
    await paused;
    await pause(60_000, stop.signal);
  });

  it('gives up on what never settles, and passes on what does', async () => {
    await expect(within(10, new Promise(() => {}))).rejects.toThrow('No outcome within 10 ms.');
    await expect(within(1_000, Promise.resolve(7))).resolves.toBe(7);
    await expect(within(1_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});
