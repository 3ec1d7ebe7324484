import { Logger } from '@nestjs/common';
import { Health } from './health.js';

beforeAll(() => Logger.overrideLogger(false));

function listening(): Health {
  const health = new Health();
  health.listening();
  return health;
}

const moment = () => new Promise((resolve) => setTimeout(resolve, 10));

const away = () => Promise.reject(new Error('away'));

describe('Health', () => {
  it('is starting until it listens and every gate is open', async () => {
    const health = new Health();
    const open = health.gate('supply');
    expect(await health.readiness()).toEqual({
      state: 'starting',
      waitingFor: ['listening', 'supply'],
      dependencies: {},
    });
    health.listening();
    expect((await health.readiness()).waitingFor).toEqual(['supply']);
    open();
    expect(await health.readiness()).toEqual({ state: 'ready', dependencies: {} });
  });

  const thrown = () => {
    throw new Error('away');
  };

  it.each([
    ['ready', 'any needed dependency answers', { kafka: undefined, catalog: away, offsets: thrown }],
    ['unavailable', 'none answers', { kafka: away }],
    ['ready', 'only what is not needed is away', { redis: away }],
    ['unavailable', 'only what is not needed answers', { kafka: away, redis: undefined }],
  ])('is %s while %s, and shows the state of each', async (state, _, checks) => {
    const health = listening();
    for (const [name, check = () => undefined] of Object.entries(checks))
      health.register(name, check, { affectsReadiness: name !== 'redis' });
    const dependencies = Object.entries(checks).map(([name, check]) => [name, check === undefined ? 'up' : 'down']);
    expect(await health.readiness()).toEqual({ state, dependencies: Object.fromEntries(dependencies) });
  });

  it('counts a dependency that does not answer in time as down', async () => {
    const health = listening();
    health.register('kafka', () => new Promise(() => undefined), { timeoutMs: 20 });
    expect((await health.readiness()).dependencies).toEqual({ kafka: 'down' });
  });

  it('returns the last known states while a check hangs', async () => {
    const health = listening();
    const hung = Promise.withResolvers<void>();
    let checks = 0;
    const check = () => {
      checks += 1;
      return checks === 1 ? undefined : hung.promise;
    };
    // A call that waited for the check would never return.
    health.register('kafka', check, { timeoutMs: 1_000_000 });
    expect((await health.readiness()).dependencies).toEqual({ kafka: 'up' });
    while (checks < 2) {
      expect((await health.readiness()).dependencies).toEqual({ kafka: 'up' });
      await moment();
    }
    expect((await health.readiness()).dependencies).toEqual({ kafka: 'up' });
    hung.reject(new Error('away'));
    while ((await health.readiness()).state === 'ready') await moment();
    expect((await health.readiness()).dependencies).toEqual({ kafka: 'down' });
  });

  it('checks dependencies once for simultaneous probes', async () => {
    const health = listening();
    let checks = 0;
    health.register('kafka', () => (checks += 1));
    await Promise.all(Array.from({ length: 50 }, () => health.readiness()));
    expect(checks).toBe(1);
  });

  it('is never ready again once it drains', async () => {
    const health = listening();
    health.drain();
    health.listening();
    expect((await health.readiness()).state).toBe('draining');
  });
});
