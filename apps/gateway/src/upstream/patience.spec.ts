import { setTimeout as pass } from 'node:timers/promises';
import { GivenUp, Patience } from './patience.js';

describe('patience', () => {
  it('ends when its time is over', async () => {
    const patience = new Patience(5);
    patience.asks();
    await new Promise((resolve) => patience.signal.addEventListener('abort', resolve));
    expect(patience.signal.reason).toEqual(new Error('no answer within 5 ms'));
  });

  it('ends without blame for who was asked late', async () => {
    const patience = new Patience(1_500);
    await pass(110);
    patience.asks();
    await new Promise((resolve) => patience.signal.addEventListener('abort', resolve));
    expect(patience.signal.reason).toBeInstanceOf(GivenUp);
  });

  it('ends when who waits has gone', () => {
    const [patience, waiting] = [new Patience(60_000), new AbortController()];
    patience.endsWith(waiting.signal);
    waiting.abort();
    expect(patience.signal.reason).toBeInstanceOf(GivenUp);
    patience.close();
  });

  it('ends no more once it is closed', async () => {
    const [patience, waiting] = [new Patience(5), new AbortController()];
    patience.endsWith(waiting.signal);
    patience.close();
    waiting.abort();
    await pass(10);
    expect(patience.signal.aborted).toBe(false);
  });
});
