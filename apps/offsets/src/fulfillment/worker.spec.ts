import { TransientError } from '@carbon/http';
import { Logger } from '@nestjs/common';
import { chunkByLines } from '../domain/line.js';
import { WakeSignal } from './wake-signal.js';
import { Worker } from './worker.js';

beforeAll(() => Logger.overrideLogger(false));

const never = new AbortController().signal;

describe('a wake signal', () => {
  it('wakes a waiting worker', async () => {
    const signal = new WakeSignal();
    const waiting = signal.wait(600_000, never);
    signal.notify();
    await waiting;
  });

  it('ends the next wait when the notification came before it', async () => {
    const signal = new WakeSignal();
    signal.notify();
    signal.notify();
    // Longer than a test may take.
    await signal.wait(600_000, never);
  });

  it('ends one wait only', async () => {
    const signal = new WakeSignal();
    signal.notify();
    await signal.wait(60_000, never);
    const begin = performance.now();
    await signal.wait(30, never);
    expect(performance.now() - begin).toBeGreaterThan(20);
  });

  it('ends the wait at once when the worker stops', async () => {
    const stop = new AbortController();
    const waiting = new WakeSignal().wait(60_000, stop.signal);
    stop.abort();
    await waiting;
    await new WakeSignal().wait(60_000, stop.signal);
  });
});

it.each([
  ['empty for no items', [], []],
  ['a single chunk for a few lines', [1, 0, 2_999, 2_000], [[1, 0, 2_999, 2_000]]],
  [
    'cut before an item that does not fit, with a large item alone',
    [4_000, 1_001, 9_000, 1, 5_000],
    [[4_000], [1_001], [9_000], [1], [5_000]],
  ],
])('chunks of lines are %s', (_, lines, chunks) => {
  const items = lines.map((each) => ({ lines: each }));
  expect(chunkByLines(items).map((chunk) => chunk.map((item) => item.lines))).toEqual(chunks);
});

/** A worker that plays a list of outcomes, and a promise that it has ended. */
function play(outcomes: (boolean | Error)[], signal = new WakeSignal()) {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let runs = 0;
  const batch = async () => {
    const outcome = outcomes[runs];
    runs += 1;
    if (runs >= outcomes.length) resolve();
    if (outcome instanceof Error) throw outcome;
    return outcome ?? false;
  };
  return { worker: new Worker('test', batch, signal, 60_000), ended, runs: () => runs };
}

describe('a worker', () => {
  it('continues at once while there is more', async () => {
    const { worker, ended } = play([true, true, true, false]);
    worker.start();
    await ended;
    await worker.stop();
  });

  it('waits for the signal when there is nothing more', async () => {
    const signal = new WakeSignal();
    const { worker, ended, runs } = play([false, false], signal);
    worker.start();
    expect(runs()).toBe(1);
    signal.notify();
    await ended;
    await worker.stop();
  });

  it('retries after an outage and after a bug', async () => {
    const outage = new TransientError('service_unavailable', 'away');
    const { worker, ended } = play([outage, new TypeError('a bug'), outage, false]);
    worker.start();
    await ended;
    await worker.stop();
  });

  it('finishes the current batch before it stops, and begins no other', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let done = 0;
    const batch = async () => {
      await held;
      done += 1;
      return true;
    };
    const worker = new Worker('test', batch, new WakeSignal(), 60_000);
    worker.start();
    const stopped = worker.stop();
    release();
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
