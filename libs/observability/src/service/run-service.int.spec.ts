import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, createServer } from 'node:net';
import { ServiceProcess } from './test-service.js';

let service: ServiceProcess;

afterEach(async () => {
  service.signal('SIGKILL');
  await service.exited;
});

type Outcome = 'answered' | 'refused' | 'cut';

/** One request; `refused` means that it never reached the service, so that it can safely be sent elsewhere. */
function request(port: number, path: string, agent?: Agent): Promise<Outcome> {
  return new Promise((resolve) => {
    const sent = get({ host: '127.0.0.1', port, path, ...(agent && { agent }) }, (response) => {
      response.resume();
      response.once('close', () => resolve(response.complete && response.statusCode === 200 ? 'answered' : 'cut'));
    });
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'cut'));
  });
}

/** One client: a request after the other until one is not answered. */
async function askUntilRefused(port: number, agent: Agent, report: (outcome: Outcome) => void): Promise<void> {
  for (;;) {
    const outcome = await request(port, '/quick-work', agent);
    report(outcome);
    if (outcome !== 'answered') return;
  }
}

describe('runService', () => {
  it('cuts no request when it is stopped under load, and is gone before its hard exit', async () => {
    service = new ServiceProcess('plain');
    const port = await service.port();
    const agent = new Agent({ keepAlive: true });
    const outcomes: Outcome[] = [];
    const busy = Promise.withResolvers<void>();
    const report = (outcome: Outcome) => {
      if (outcomes.push(outcome) === 500) busy.resolve();
    };
    const clients = Array.from({ length: 32 }, () => askUntilRefused(port, agent, report));
    await busy.promise;
    service.signal('SIGTERM');
    expect(await service.exited).toBe(0);
    await Promise.all(clients);
    agent.destroy();
    expect(outcomes.filter((outcome) => outcome === 'cut')).toEqual([]);
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(32);
    expect(outcomes.length).toBeGreaterThan(500);
  });

  it('answers what is in flight before loops end and stores close', async () => {
    service = new ServiceProcess('plain');
    const port = await service.port();
    const slow = request(port, '/slow-work');
    await service.says(/slow work begins/);
    service.signal('SIGTERM');
    expect(await slow).toBe('answered');
    expect(await service.exited).toBe(0);
    const order = ['fixture stops', 'request', 'loops end', 'stores close', 'fixture has stopped'];
    expect(service.sentences().filter((sentence) => order.includes(sentence))).toEqual(order);
  });

  it('says that it is not ready while it still takes connections, and asks clients to leave when it no longer does', async () => {
    service = new ServiceProcess('long-grace');
    const port = await service.port();
    service.signal('SIGTERM');
    await service.says(/fixture stops/);
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ state: 'draining' })]);
    expect(ready.headers.get('connection')).toBe('keep-alive');
    const slow = await fetch(`http://127.0.0.1:${port}/slow-work`);
    expect([slow.status, slow.headers.get('connection')]).toEqual([200, 'close']);
    expect(await service.exited).toBe(0);
  });

  it('takes all of a grace that is longer than the rest of its stop, and cuts nothing in it', async () => {
    service = new ServiceProcess('grace-longer-than-phases');
    const port = await service.port();
    service.signal('SIGTERM');
    await service.says(/fixture stops/);
    expect(await request(port, '/slow-work')).toBe('answered');
    expect(await service.exited).toBe(0);
  });

  it('is not held up by connections that say nothing or are kept alive', async () => {
    service = new ServiceProcess('patient-drain');
    const port = await service.port();
    const agent = new Agent({ keepAlive: true });
    await request(port, '/quick-work', agent);
    const silent = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    const begin = performance.now();
    service.signal('SIGINT');
    expect(await service.exited).toBe(0);
    // Requests in flight would be waited for two minutes.
    expect(performance.now() - begin).toBeLessThan(60_000);
    agent.destroy();
  });

  it('takes a second signal for the first', async () => {
    service = new ServiceProcess('plain');
    const slow = request(await service.port(), '/slow-work');
    await service.says(/slow work begins/);
    service.signal('SIGINT');
    service.signal('SIGTERM');
    expect(await slow).toBe('answered');
    expect(await service.exited).toBe(0);
  });

  it('exits with 1 when its stop hangs', async () => {
    service = new ServiceProcess('hangs');
    await service.port();
    service.signal('SIGTERM');
    expect(await service.exited).toBe(1);
    expect(service.sentences().at(-1)).toBe('The stop took longer than 5000 ms; exiting all the same');
  });

  it('can be stopped while it still starts', async () => {
    service = new ServiceProcess('never-starts');
    await service.says(/waits for its database/);
    service.signal('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(service.sentences().at(-1)).toBe('fixture has stopped before it had started');
  });

  it('exits with 1, and says why, after an error that nobody caught', async () => {
    service = new ServiceProcess('throws-later');
    expect(await service.exited).toBe(1);
    expect(service.lines).toContainEqual(
      expect.objectContaining({ level: 'fatal', err: expect.objectContaining({ message: 'nobody catches me' }) }),
    );
  });

  it('exits with 1, and says so, when its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    service = new ServiceProcess('plain', port);
    expect(await service.exited).toBe(1);
    // Last words are written at once, and may overtake a line whose write is under way.
    expect(service.sentences()).toContain(`fixture cannot start: port ${port} is taken`);
    other.close();
  });
});
