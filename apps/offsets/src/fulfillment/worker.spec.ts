import { TransientError } from '@carbon/http';
import { Logger } from '@nestjs/common';
import { Bell } from './bell.js';
import { Gathering } from './gathering.js';
import { Worker } from './worker.js';

beforeAll(() => Logger.overrideLogger(false));

const never = new AbortController().signal;

describe('a bell', () => {
  it('wakes whoever waits', async () => {
    const bell = new Bell();
    const waiting = bell.wait(600_000, never);
    bell.ring();
    await waiting;
  });

  it('is not slept over when it rang before the wait', async () => {
    const bell = new Bell();
    bell.ring();
    bell.ring();
    // Longer than a test may take.
    await bell.wait(600_000, never);
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

/** A worker that plays a list of outcomes, and tells when it is through. */
function play(outcomes: (boolean | Error)[], bell = new Bell()) {
  const { promise: through, resolve } = Promise.withResolvers<void>();
  let runs = 0;
  const batch = async () => {
    const outcome = outcomes[runs];
    runs += 1;
    if (runs >= outcomes.length) resolve();
    if (outcome instanceof Error) throw outcome;
    return outcome ?? false;
  };
  return { worker: new Worker('test', batch, bell, 60_000), through, runs: () => runs };
}

describe('a worker', () => {
  it('goes on at once while there is more', async () => {
    const { worker, through } = play([true, true, true, false]);
    worker.start();
    await through;
    await worker.stop();
  });

  it('waits for the bell when there is nothing more', async () => {
    const bell = new Bell();
    const { worker, through, runs } = play([false, false], bell);
    worker.start();
    expect(runs()).toBe(1);
    bell.ring();
    await through;
    await worker.stop();
  });

  it('tries again after an outage and after a bug', async () => {
    const outage = new TransientError('service_unavailable', 'away');
    const { worker, through } = play([outage, new TypeError('a bug'), outage, false]);
    worker.start();
    await through;
    await worker.stop();
  });

  it('finishes the batch at hand before it stops, and begins no other', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    let done = 0;
    const batch = async () => {
      await held;
      done += 1;
      return true;
    };
    const worker = new Worker('test', batch, new Bell(), 60_000);
    worker.start();
    const stopped = worker.stop();
    letGo();
    await stopped;
    expect(done).toBe(1);
  });

  it('runs once, however often it is started', async () => {
    const { worker, runs } = play([false, false]);
    worker.start();
    worker.start();
    await worker.stop();
    expect(runs()).toBe(1);
  });
});
