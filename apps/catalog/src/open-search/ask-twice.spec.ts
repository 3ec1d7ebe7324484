import { askTwice } from './ask-twice.js';
import { Outage } from './refusal.js';

/** Fails so often, then answers. */
function failing(times: number, tellsAtOnce = true) {
  const left: number[] = [];
  const ask = async (leftMs: number) => {
    left.push(leftMs);
    if (left.length <= times) throw new Outage(tellsAtOnce);
    return 'answer';
  };
  return { ask, left };
}

const { signal } = new AbortController();

describe('asking twice', () => {
  it('asks once more, within the same time, what was refused at once', async () => {
    const { ask, left } = failing(1);
    expect(await askTwice({ deadlineMs: 10_000, signal }, ask)).toBe('answer');
    expect(left[0]).toBe(10_000);
    expect(left[1]).toBeLessThanOrEqual(9_900);
  });

  it('asks no third time, and not again what was slow or has too little time left', async () => {
    for (const [{ ask, left }, deadlineMs, times] of [
      [failing(2), 10_000, 2],
      [failing(1, false), 10_000, 1],
      [failing(1), 350, 1],
    ] as const) {
      await expect(askTwice({ deadlineMs, signal }, ask)).rejects.toThrow(Outage);
      expect(left).toHaveLength(times);
    }
  });

  it('does not ask again when nobody waits any more', async () => {
    for (const abort of [
      (leaving: AbortController) => leaving.abort(),
      (leaving: AbortController) => setImmediate(() => leaving.abort()),
    ]) {
      const [leaving, { ask, left }] = [new AbortController(), failing(1)];
      abort(leaving);
      await expect(askTwice({ deadlineMs: 1_000, signal: leaving.signal }, ask)).rejects.toThrow();
      expect(left).toHaveLength(1);
    }
  });
});
