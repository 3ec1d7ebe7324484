import { once } from 'node:events';
import { createServer } from 'node:net';
import { ServiceProcess } from '../service/test-service.js';

let service: ServiceProcess;

afterEach(async () => {
  service.signal('SIGKILL');
  await service.exited;
});

async function ask(port: number, path: string): Promise<{ status: number; type: string | null; text: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

describe('a service without a management port', () => {
  it('tells its metrics and all of its health beside its routes', async () => {
    service = new ServiceProcess('plain');
    const port = await service.port();
    const { status, type, text } = await ask(port, '/metrics');
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text).toContain('carbon_fixture_http_requests_total');
    expect(JSON.parse((await ask(port, '/health/ready')).text)).toEqual({ state: 'ready', dependencies: {} });
  });
});

describe('a service with a management port', () => {
  it('tells metrics and detail there alone, and beside its routes only whether it lives and is ready', async () => {
    service = new ServiceProcess('plain', 0, 0);
    const [port, management] = [await service.port(), await service.managementPort()];
    const hidden = await ask(port, '/metrics');
    expect([hidden.status, hidden.type]).toEqual([404, 'application/problem+json']);
    expect(JSON.parse((await ask(port, '/health/ready')).text)).toEqual({ state: 'ready' });
    expect((await ask(port, '/health/live')).status).toBe(200);

    expect((await ask(port, '/quick-work')).status).toBe(200);
    const told = await ask(management, '/metrics');
    expect(told.status).toBe(200);
    expect(told.text).toContain('carbon_fixture_http_requests_total{route="/quick-work",method="GET",status="200"} 1');
    expect(JSON.parse((await ask(management, '/health/ready')).text)).toEqual({ state: 'ready', dependencies: {} });
    expect((await ask(management, '/quick-work')).status).toBe(404);
  });

  it('says neither why it is not ready nor what it waits for beside its routes, while it starts', async () => {
    service = new ServiceProcess('never-starts', 0, 0);
    const management = await service.managementPort();
    const { status, text } = await ask(management, '/health/ready');
    expect([status, JSON.parse(text)]).toEqual([
      503,
      expect.objectContaining({ state: 'starting', waitingFor: ['listening'] }),
    ]);
    expect((await ask(management, '/metrics')).status).toBe(200);
  });

  it('keeps it open until everything else has stopped', async () => {
    service = new ServiceProcess('long-grace', 0, 0);
    const [port, management] = [await service.port(), await service.managementPort()];
    service.signal('SIGTERM');
    await service.says(/fixture stops/);
    const bare = JSON.parse((await ask(port, '/health/ready')).text);
    expect([bare.state, bare.dependencies, bare.code]).toEqual([undefined, undefined, 'service_unavailable']);
    const told = await ask(management, '/health/ready');
    expect(JSON.parse(told.text)).toMatchObject({ state: 'draining' });
    expect(await service.exited).toBe(0);
    await expect(ask(management, '/metrics')).rejects.toThrow();
  });

  it('does not start when that port is taken, and says which it is', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const taken = typeof address === 'object' && address ? address.port : 0;
    service = new ServiceProcess('plain', 0, taken);
    expect(await service.exited).toBe(1);
    expect(service.sentences()).toContain(`fixture cannot start: port ${taken} is taken`);
    other.close();
  });
});
