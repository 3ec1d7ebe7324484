import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { ServiceProcess } from './testing/service.js';

const services: ServiceProcess[] = [];
const start = (...args: ConstructorParameters<typeof ServiceProcess>) => {
  const service = new ServiceProcess(...args);
  services.push(service);
  return service;
};

afterAll(async () => {
  for (const service of services) service.signal('SIGKILL');
  await Promise.all(services.map(({ exited }) => exited));
});

type Outcome = 'answered' | 'refused' | 'cut';

/** Sends one request; `refused` means that it never reached the service, so it can safely be sent to another. */
function request(port: number, path: string, agent?: Agent): Promise<Outcome> {
  return new Promise((resolve) => {
    const sent = get({ host: '127.0.0.1', port, path, ...(agent && { agent }) }, (response) => {
      response.resume();
      response.once('close', () => resolve(response.complete && response.statusCode === 200 ? 'answered' : 'cut'));
    });
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'cut'));
  });
}

/** A client that sends one request after the other until one gets no response. */
async function askUntilRefused(port: number, agent: Agent, report: (outcome: Outcome) => void): Promise<void> {
  for (;;) {
    const outcome = await request(port, '/quick-work', agent);
    report(outcome);
    if (outcome !== 'answered') return;
  }
}

async function ask(port: number, path: string) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  const { status, headers } = answer;
  const text = await answer.text();
  return { status, headers, text, json: () => JSON.parse(text) as Record<string, unknown> };
}

describe('the shutdown of a service', () => {
  it('cuts no request under load, and ends before its hard exit', async () => {
    const service = start('patient-clients');
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

  it.concurrent('answers active requests before loops end and stores close, and ignores a second signal', async () => {
    const service = start('plain');
    const slow = request(await service.port(), '/slow-work');
    await service.waitForLog(/slow work begins/);
    service.signal('SIGTERM');
    service.signal('SIGINT');
    expect(await slow).toBe('answered');
    expect(await service.exited).toBe(0);
    const order = ['fixture stops', 'request', 'loops end', 'stores close', 'fixture has stopped'];
    expect(service.sentences().filter((sentence) => order.includes(sentence))).toEqual(order);
  });

  it.concurrent('is not ready while it still accepts connections, then asks clients to disconnect, and closes its management port last', async () => {
    const service = start('long-grace', 0, 0);
    const [port, management] = [await service.port(), await service.managementPort()];
    service.signal('SIGTERM');
    await service.waitForLog(/fixture stops/);
    const ready = await ask(port, '/health/ready');
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'keep-alive']);
    const { code, state, dependencies } = ready.json();
    expect([code, state, dependencies]).toEqual(['service_unavailable', undefined, undefined]);
    expect((await ask(management, '/health/ready')).json()).toMatchObject({ state: 'draining' });
    const slow = await ask(port, '/slow-work');
    expect([slow.status, slow.headers.get('connection')]).toEqual([200, 'close']);
    expect(await service.exited).toBe(0);
    await expect(ask(management, '/metrics')).rejects.toThrow();
  });

  it.concurrent('waits for a grace period that is longer than all phases', async () => {
    const service = start('grace-longer-than-phases');
    const port = await service.port();
    service.signal('SIGTERM');
    await service.waitForLog(/fixture stops/);
    expect(await request(port, '/slow-work')).toBe('answered');
    expect(await service.exited).toBe(0);
  });

  it.concurrent('does not wait for idle connections', async () => {
    const service = start('patient-drain');
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

  it.concurrent('ends with exit code 1 when it hangs', async () => {
    const service = start('hangs');
    await service.port();
    service.signal('SIGTERM');
    expect(await service.exited).toBe(1);
    expect(service.sentences().at(-1)).toBe('The shutdown took longer than 5000 ms');
  });
});

describe('the start of a service', () => {
  it.concurrent('can be stopped, and shows on its management port what it waits for', async () => {
    const service = start('never-starts', 0, 0);
    await service.waitForLog(/waits for its database/);
    const management = await service.managementPort();
    const ready = await ask(management, '/health/ready');
    expect(ready.status).toBe(503);
    expect(ready.json()).toMatchObject({ state: 'starting', waitingFor: ['listening'] });
    expect((await ask(management, '/metrics')).status).toBe(200);
    service.signal('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(service.sentences()).toContain('fixture stopped before it had started');
  });

  it.concurrent.each(['port', 'management port'])('ends with exit code 1 when its %s is in use', async (which) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const service = which === 'port' ? start('plain', port) : start('plain', 0, port);
    expect(await service.exited).toBe(1);
    // The last lines are written synchronously, and may overtake a line whose write is in progress.
    expect(service.sentences()).toContain(`fixture cannot start: port ${port} is in use`);
    other.close();
  });
});

it.concurrent('a service logs an uncaught error and exits with 1', async () => {
  const service = start('throws-later');
  expect(await service.exited).toBe(1);
  const err = expect.objectContaining({ message: 'nobody catches me' });
  expect(service.lines).toContainEqual(expect.objectContaining({ level: 'fatal', err }));
});

describe('metrics and health', () => {
  const ROUTE = 'carbon_fixture_http_requests_total{route="/quick-work",method="GET",status="200"} 1';
  const READY = { state: 'ready', dependencies: {} };

  it.concurrent('are served with the routes of a service without a management port', async () => {
    const port = await start('plain').port();
    expect((await ask(port, '/quick-work')).status).toBe(200);
    const { status, headers, text } = await ask(port, '/metrics');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text).toContain(ROUTE);
    expect((await ask(port, '/health/ready')).json()).toEqual(READY);
  });

  it.concurrent('are served on the management port if there is one, and without details with the routes', async () => {
    const service = start('plain', 0, 0);
    const [port, management] = [await service.port(), await service.managementPort()];
    const hidden = await ask(port, '/metrics');
    expect([hidden.status, hidden.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect((await ask(port, '/health/ready')).json()).toEqual({ state: 'ready' });
    expect((await ask(port, '/health/live')).status).toBe(200);
    expect((await ask(port, '/quick-work')).status).toBe(200);
    expect((await ask(management, '/metrics')).text).toContain(ROUTE);
    expect((await ask(management, '/health/ready')).json()).toEqual(READY);
    expect((await ask(management, '/quick-work')).status).toBe(404);
  });
});
