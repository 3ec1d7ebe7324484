import { eventually } from '@carbon/testing';
import { audit } from './ledger-cli/audit.js';
import { inSnapshot } from './ledger-cli/snapshot.js';
import { verify } from './ledger-cli/verify.js';
import { pool, request } from './test-events.js';
import { TestService } from './test-service.js';

const OFFSETS = 6_000;
const SEED = 20_261_121;

/** Small and repeatable: the same offsets in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('conservation', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.create();
  });
  afterAll(() => service.close());

  it('holds to the gram for thousands of random offsets on several instances at once, delivered twice, with supply changing', async () => {
    const next = random(SEED);
    const assets = Array.from({ length: 80 }, (_, n) =>
      pool(`p${n}`, { price: Math.round(next() * 1e6) / 1e4, issued: Math.round(next() * 40e6) / 1e6, rating: n % 6 }),
    );
    await service.publishAssets(assets);
    const requests = Array.from({ length: OFFSETS }, () => request({ kgCO2e: Math.round(next() * 800e3 + 1) / 1e3 }));
    await Promise.all([service.start(), service.start(), service.start()]);
    await service.publishRequests(requests);
    await service.publishAssets(assets.map((asset) => ({ ...asset, issued: Math.round(next() * 40e6) / 1e6 })));
    await service.publishRequests(requests.filter((_, n) => n % 3 === 0));

    const counts = await eventually(
      async () => {
        const found = await service.counts();
        expect((found.completed ?? 0) + (found.failed ?? 0)).toBe(OFFSETS);
        expect(await service.rows('SELECT id FROM offsets WHERE announced_at IS NULL LIMIT 1')).toEqual([]);
        return found;
      },
      { within: 180_000, every: 200 },
    );
    expect(counts.failed).toBeGreaterThan(0);
    expect(counts.completed).toBeGreaterThan(OFFSETS / 4);
    expect((await inSnapshot(service.databaseUrl, audit)).faults).toEqual([]);
    const broken: string[] = [];
    await inSnapshot(service.databaseUrl, (ask) => verify(ask, (fault) => broken.push(fault)));
    expect(broken).toEqual([]);
    const [sold] = await service.rows(
      'SELECT sum(retired) = (SELECT sum(grams) FROM offsets WHERE completed_at IS NOT NULL) AS all FROM supply',
    );
    expect(sold).toEqual({ all: true });
    const events = await service.messagesOf('offset.completed');
    expect(new Set(events.map(({ key }) => key)).size).toBe(counts.completed);
  });
});
