import { Bell } from './bell.js';

const never = new AbortController().signal;

describe('a bell', () => {
  it('wakes whoever waits', async () => {
    const bell = new Bell();
    const waiting = bell.wait(60_000, never);
    bell.ring();
    await waiting;
  });

  it('is not slept over when it rang before the wait', async () => {
    const bell = new Bell();
    bell.ring();
    bell.ring();
    await bell.wait(60_000, never);
  });

  it('is forgotten once it was heard', async () => {
    const bell = new Bell();
    bell.ring();
    await bell.wait(60_000, never);
    const begin = performance.now();
    await bell.wait(30, never);
    expect(performance.now() - begin).toBeGreaterThan(20);
  });

  it('lets go at once when the work is to stop', async () => {
    const stop = new AbortController();
    const waiting = new Bell().wait(60_000, stop.signal);
    stop.abort();
    await waiting;
    await new Bell().wait(60_000, stop.signal);
  });
});
