import { fingerprint } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { audit } from './ledger-cli/audit.js';
import { inSnapshot } from './ledger-cli/snapshot.js';
import { pool, request } from './test-events.js';
import { requestMessage, TestLetters } from './test-letters.js';
import { TestService } from './test-service.js';

type Request = ReturnType<typeof request>;

/** Every replay is a process of its own that joins groups of its own. */
const PATIENCE_MS = 480_000;

describe('a dead letter that is repaired and replayed', () => {
  let service: TestService;
  let letters: TestLetters;
  let app: Awaited<ReturnType<TestService['start']>>;
  beforeAll(async () => {
    service = await TestService.create();
    letters = await TestLetters.of(service);
    await service.publishAssets([pool('a')]);
    app = await service.start();
  });
  afterAll(async () => {
    await letters.close();
    await service.close();
  });

  /** What an offset has come to, everywhere it can be counted. */
  const effectsOf = async (id: string) => ({
    offsets: await service.rows('SELECT status FROM offsets WHERE id = $1', [id]),
    retired: await service.rows('SELECT grams FROM ledger WHERE offset_id = $1', [id]),
    events: new Set(
      (await service.messagesOf('offset.completed'))
        .filter(({ key }) => key === id)
        .map(({ headers }) => headers.ce_id),
    ),
  });
  const ONE = (id: string) => ({
    offsets: [{ status: 'completed' }],
    retired: [{ grams: '1500' }],
    events: new Set([`${id}.offset.completed.v1`]),
  });
  /** A request that comes last on every partition: when it is done, so is everything before it. */
  const everythingBeforeIsDone = async () => {
    const lasts = Array.from({ length: 12 }, (_, partition) => ({ partition, one: request({ kgCO2e: 0.001 }) }));
    await letters.put('offset.requested', ...lasts.map(({ partition, one }) => requestMessage(one, { partition })));
    for (const { one } of lasts) await service.settled(app, one.id);
  };

  it.each<[reason: string, bad: object, repair: (one: Request) => string[]]>([
    ['invalid_json', { value: '{' }, () => ['--value', '-']],
    ['invalid_data', { value: '{"id":"off_1"}' }, () => ['--value', '-']],
    ['unexpected_tombstone', { value: null }, () => ['--value', '-']],
    ['unknown_type', { headers: {} }, () => ['--type', 'offset.requested.v1']],
    ['invalid_key', { key: null }, ({ id }) => ['--key', id]],
  ])(
    'has its one effect, and none when it is replayed again: %s',
    async (reason, bad, repair) => {
      const one = request({ kgCO2e: 1.5 });
      const letter = await letters.letterOf(await letters.put('offset.requested', requestMessage(one, bad)));
      expect(String(letter.headers?.['x-reason-code'])).toBe(reason);
      const args = [`offset.requested:${letter.offset}`, ...repair(one)];
      expect(await letters.replay(args, JSON.stringify(one))).toBe(0);
      await service.settled(app, one.id);
      await eventually(async () => expect(await effectsOf(one.id)).toEqual(ONE(one.id)));

      expect(await letters.replay(args, JSON.stringify(one))).toBe(0);
      await everythingBeforeIsDone();
      expect(await effectsOf(one.id)).toEqual(ONE(one.id));
    },
    PATIENCE_MS,
  );

  it(
    'changes nothing and comes back when it conflicts with what is recorded',
    async () => {
      const one = request({ kgCO2e: 1.5 });
      await service.publishRequests([one]);
      await service.settled(app, one.id);
      const other = { ...one, kgCO2e: 9, grams: '9000', fingerprint: fingerprint({ kgCO2e: 9 }) };
      const letter = await letters.letterOf(await letters.put('offset.requested', requestMessage(other)));
      const place = `offset.requested:${letter.offset}`;
      expect(await letters.replay([place])).toBe(1);
      const before = (await letters.all()).length;
      expect(await letters.replay([place, '--force'])).toBe(0);
      await eventually(async () => {
        const back = (await letters.all()).slice(before);
        expect(back.map(({ headers }) => String(headers?.['x-replay-of']))).toEqual([
          place.replace(':', '.dead-letter:'),
        ]);
      });
      await eventually(async () => expect(await effectsOf(one.id)).toEqual(ONE(one.id)));
    },
    PATIENCE_MS,
  );

  it(
    'brings a repaired asset into the supply',
    async () => {
      const asset = pool('repaired', { price: 1 });
      const bad = { key: 'pool_other', value: JSON.stringify(asset), headers: { ce_type: 'asset.published.v1' } };
      const put = await letters.put('asset.published', bad);
      const letter = await letters.letterOf(put, 'asset.published');
      expect(String(letter.headers?.['x-reason-code'])).toBe('key_mismatch');
      const place = `asset.published:${letter.offset}`;
      expect(await letters.replay([place])).toBe(1);
      expect(await letters.replay([place, '--key', asset.id])).toBe(0);
      await eventually(async () => {
        const rows = await service.rows('SELECT active, issued FROM supply WHERE asset_id = $1', [asset.id]);
        expect(rows).toEqual([{ active: true, issued: '1000000000' }]);
      });
    },
    PATIENCE_MS,
  );

  it('leaves every gram accounted for', async () => {
    expect(await inSnapshot(service.databaseUrl, audit)).toEqual({ faults: [], warnings: [] });
  });
});
