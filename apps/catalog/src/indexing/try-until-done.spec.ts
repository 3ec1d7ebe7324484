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
