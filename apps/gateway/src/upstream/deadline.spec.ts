import { setTimeout as pass } from 'node:timers/promises';
import { DeadlineExceeded } from '@carbon/observability';
import { CallAbandoned, Deadline } from './deadline.js';

describe('a deadline', () => {
  const end = ({ signal }: Deadline) => new Promise((resolve) => signal.addEventListener('abort', resolve));

  it('expires with an error that counts against the upstream', async () => {
    const deadline = new Deadline(5);
    deadline.start();
    await end(deadline);
    expect(deadline.signal.reason).toEqual(new DeadlineExceeded('no response within 5 ms'));
  });

  it('expires without one when the call started late, or its client disconnected', async () => {
    const [late, left, client] = [new Deadline(300), new Deadline(60_000), new AbortController()];
    left.abandonOn(client.signal);
    client.abort();
    await pass(110);
    late.start();
    await end(late);
    for (const { signal } of [late, left]) expect(signal.reason).toBeInstanceOf(CallAbandoned);
    left.close();
  });

  it('does not expire before what arrived during a pause of the process is read', async () => {
    const deadline = new Deadline(5);
    const read = new Promise<void>((resolve) => {
      setImmediate(() => {
        deadline.close();
        resolve();
      });
    });
    const pauseEnd = performance.now() + 20;
    while (performance.now() < pauseEnd);
    await read;
    await pass(10);
    expect(deadline.signal.aborted).toBe(false);
  });

  it('does not expire once it is closed', async () => {
    const [deadline, client] = [new Deadline(5), new AbortController()];
    deadline.abandonOn(client.signal);
    deadline.close();
    client.abort();
    await pass(10);
    expect(deadline.signal.aborted).toBe(false);
  });
});
