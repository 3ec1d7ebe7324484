import { getEventListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import { tryUntilDone } from './try-until-done.js';

beforeAll(() => Logger.overrideLogger(false));

describe('tryUntilDone', () => {
  it('tries again until it is done', async () => {
    const outcomes = ['no', 'done'];
    const attempt = async () => {
      const outcome = outcomes.shift();
      if (outcome !== 'done') throw new Error('not yet');
      return outcome;
    };
    await expect(tryUntilDone('it', attempt, new AbortController().signal)).resolves.toBe('done');
  });

  it('leaves nothing behind at the signal, which outlives it', async () => {
    const stop = new AbortController();
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('not yet');
      expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
    };
    await tryUntilDone('it', attempt, stop.signal);
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  });

  it('gives up an attempt that hangs when it is told to stop', async () => {
    const stop = new AbortController();
    const hanging = tryUntilDone('it', () => new Promise<never>(() => {}), stop.signal);
    stop.abort();
    await expect(hanging).rejects.toBe(stop.signal.reason);
  });

  it('does not begin when it was told to stop', async () => {
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
    };
    await expect(tryUntilDone('it', attempt, AbortSignal.abort())).rejects.toThrow();
    expect(attempts).toBe(0);
  });
});
