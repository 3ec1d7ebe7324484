import { TransientFault } from '@carbon/faults';
import { Logger } from '@nestjs/common';
import { Bell } from './bell.js';
import { Worker } from './worker.js';

beforeAll(() => Logger.overrideLogger(false));

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
    const outage = new TransientFault('service_unavailable', 'away');
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
