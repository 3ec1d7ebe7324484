import { eventually } from '@carbon/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DeadLetters } from '../testing/dead-letters.js';
import { conflicting, type Message, pool, request, requestMessage } from '../testing/events.js';
import { auditOf } from '../testing/ledger.js';
import { TestService } from '../testing/service.js';

/** Every replay is a separate process that joins its own groups. */
const TIMEOUT_MS = 480_000;

/** The dead letters by reason, with the arguments that fix them. */
const FIXES: [reason: string, bad: Partial<Message>, args: (id: string) => string[]][] = [
  ['invalid_json', { value: '{' }, () => ['--value', '-']],
  ['invalid_data', { value: '{"id":"off_1"}' }, () => ['--value', '-']],
  ['unexpected_tombstone', { value: null }, () => ['--value', '-']],
  ['unknown_type', { headers: {} }, () => ['--type', 'offset.requested.v1']],
  ['invalid_key', { key: null }, (id) => ['--key', id]],
];

describe('a dead letter that is fixed and replayed', () => {
  let service: TestService;
  let deadLetters: DeadLetters;
  let app: NestFastifyApplication;
  beforeAll(async () => {
    service = await TestService.create();
    deadLetters = await DeadLetters.of(service);
    await service.publishAssets([pool('a')]);
    app = await service.start();
  });
  afterAll(async () => {
    expect(await auditOf(service.databaseUrl)).toEqual({ violations: [], warnings: [] });
    await deadLetters.close();
    await service.close();
  });

  /** Returns the effects of an offset in all tables and topics. */
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
  /** Publishes a last request on every partition: when it is done, so is everything before it. */
  const everythingBeforeIsDone = async () => {
    const lasts = Array.from({ length: 12 }, (_, partition) => ({ partition, one: request({ kgCO2e: 0.001 }) }));
    await deadLetters.put('offset.requested', ...lasts.map(({ partition, one }) => requestMessage(one, { partition })));
    for (const { one } of lasts) await service.settled(app, one.id);
  };

  it(
    'has its one effect, and none when it is replayed again',
    async () => {
      const commands: { id: string; args: string[]; input: string }[] = [];
      for (const [reason, bad, args] of FIXES) {
        const one = request({ kgCO2e: 1.5 });
        const deadLetter = await deadLetters.deadLetterOf(
          await deadLetters.put('offset.requested', requestMessage(one, bad)),
        );
        expect(String(deadLetter.headers?.['x-reason-code'])).toBe(reason);
        const place = `offset.requested:${deadLetter.offset}`;
        commands.push({ id: one.id, args: [place, ...args(one.id)], input: JSON.stringify(one) });
      }
      for (const round of [1, 2]) {
        for (const { args, input } of commands) expect(await deadLetters.replay(args, input)).toBe(0);
        for (const { id } of commands) await service.settled(app, id);
        if (round === 2) await everythingBeforeIsDone();
        for (const { id } of commands) await eventually(async () => expect(await effectsOf(id)).toEqual(ONE(id)));
      }
    },
    TIMEOUT_MS,
  );

  it(
    'changes nothing and comes back when it conflicts with what is recorded',
    async () => {
      const one = request({ kgCO2e: 1.5 });
      await service.publishRequests([one]);
      await service.settled(app, one.id);
      const deadLetter = await deadLetters.deadLetterOf(
        await deadLetters.put('offset.requested', requestMessage(conflicting(one))),
      );
      const place = `offset.requested:${deadLetter.offset}`;
      expect(await deadLetters.replay([place])).toBe(1);
      const before = (await deadLetters.all()).length;
      expect(await deadLetters.replay([place, '--force'])).toBe(0);
      await eventually(async () => {
        const back = (await deadLetters.all()).slice(before);
        expect(back.map(({ headers }) => String(headers?.['x-replay-of']))).toEqual([
          place.replace(':', '.dead-letter:'),
        ]);
      });
      await eventually(async () => expect(await effectsOf(one.id)).toEqual(ONE(one.id)));
    },
    TIMEOUT_MS,
  );

  it(
    'brings a fixed asset into the supply',
    async () => {
      const asset = pool('repaired', { price: 1 });
      const bad = { key: 'pool_other', value: JSON.stringify(asset), headers: { ce_type: 'asset.published.v1' } };
      const put = await deadLetters.put('asset.published', bad);
      const deadLetter = await deadLetters.deadLetterOf(put, 'asset.published');
      expect(String(deadLetter.headers?.['x-reason-code'])).toBe('key_mismatch');
      const place = `asset.published:${deadLetter.offset}`;
      expect(await deadLetters.replay([place])).toBe(1);
      expect(await deadLetters.replay([place, '--key', asset.id])).toBe(0);
      await eventually(async () => {
        const rows = await service.rows('SELECT active, issued FROM supply WHERE asset_id = $1', [asset.id]);
        expect(rows).toEqual([{ active: true, issued: '1000000000' }]);
      });
    },
    TIMEOUT_MS,
  );
});
