import { createKafka } from '@carbon/messaging';
import { pool } from '../test-events.js';
import { acceptLoss } from './accept-loss.js';
import { audit, summary } from './audit.js';
import { inSnapshot, NoAnswer } from './snapshot.js';
import { TestLedger } from './test-ledger.js';

describe('the ledger command', () => {
  let ledger: TestLedger;
  beforeEach(async () => {
    ledger = await TestLedger.create();
  });
  afterEach(() => ledger.test.close());

  it('finds nothing wrong with offsets in every state', async () => {
    expect(await ledger.test.counts()).toEqual({ completed: 3, processing: 1, failed: 1 });
    expect(await ledger.audit()).toEqual({ faults: [], warnings: [] });
    expect(await ledger.verify()).toEqual({ count: 4, faults: [] });
    expect(await inSnapshot(ledger.test.url, summary)).toBe('5 offsets, 4 ledger entries, 3500000 g retired');
  });

  it.each([
    [
      'a reservation that grew',
      'UPDATE reservations SET grams = grams + 1',
      /pool_b: 700000 g are reserved, its reservations say 700001 g/,
    ],
    ['a reservation that went', 'DELETE FROM reservations', /pool_b: 700000 g are reserved, its reservations say 0 g/],
    [
      'a reservation of nobody',
      `INSERT INTO reservations VALUES ('off_ghost', 'pool_x', 1, 1)`,
      /off_ghost: unknown with/,
    ],
    [
      'too little reserved',
      `UPDATE supply SET reserved = reserved - 1 WHERE reserved > 0`,
      /pool_b: 699999 g are reserved/,
    ],
    [
      'a gram more retired',
      `UPDATE supply SET retired = retired + 1 WHERE asset_id = 'pool_b'`,
      /pool_b: 1500001 g are retired, its ledger says 1500000 g/,
    ],
    [
      'an issue out of thin air',
      `UPDATE supply SET issued = issued + 1 WHERE asset_id = 'pool_b'`,
      /pool_b: 1000000001 g are issued, it should be 1000000000 g/,
    ],
    [
      'a completed offset that weighs more',
      `UPDATE offsets SET grams = grams + 1 WHERE status = 'completed'`,
      /completed with \d+1 g, its ledger says/,
    ],
    [
      'a completed offset at another cost',
      `UPDATE offsets SET cost_micros = 1 WHERE status = 'completed'`,
      /cost 1 millionths, its ledger says/,
    ],
    [
      'a living offset that weighs less',
      `UPDATE offsets SET grams = 1 WHERE status = 'processing'`,
      /processing with 1 g, its reservations say 700000 g/,
    ],
    [
      'an offset gone back',
      `ALTER TABLE offsets DISABLE TRIGGER offsets_moves;
       UPDATE offsets SET status = 'queued', completed_at = NULL, cost_micros = NULL WHERE status = 'completed'`,
      /queued with \d+ g, its ledger says/,
    ],
    [
      'a failed offset that holds credits',
      `UPDATE reservations SET offset_id = (SELECT id FROM offsets WHERE status = 'failed')`,
      /failed with \d+ g, its reservations say 700000 g/,
    ],
    [
      'an event that is gone',
      `DELETE FROM outbox WHERE type = 'offset.failed.v1'`,
      /failed and not announced, with 0 unsent events/,
    ],
    [
      'an event too many',
      `INSERT INTO outbox (event_id, offset_id, type, payload) SELECT 'again', offset_id, type, payload FROM outbox LIMIT 1`,
      /not announced, with 2 unsent events/,
    ],
    [
      'an announced offset still to be announced',
      `UPDATE offsets SET announced_at = now() WHERE status = 'failed'`,
      /failed and announced, with 1 unsent events/,
    ],
    [
      'an event before its time',
      `INSERT INTO outbox (event_id, offset_id, type, payload) SELECT 'early', id, 'offset.completed.v1', '{}' FROM offsets WHERE status = 'processing'`,
      /processing and not announced, with 1 unsent events/,
    ],
    [
      'the wrong event',
      `UPDATE outbox SET type = 'offset.failed.v1'`,
      /completed, but the outbox holds offset.failed.v1/,
    ],
  ])('finds %s', async (_, sql, finding) => {
    await ledger.test.sql.query(sql);
    const { faults } = await ledger.audit();
    expect(faults.join('\n')).toMatch(finding);
  });

  it.each([
    [
      'the cost of a living offset',
      `UPDATE offsets SET cost_micros = 1 WHERE status = 'processing'`,
      /its reservations say/,
    ],
    [
      'what is retired of an asset that is gone',
      `DELETE FROM supply WHERE asset_id = 'pool_a'`,
      /pool_a: 0 g are retired, its ledger says 2000000 g/,
    ],
    [
      'an event that announced another hash',
      `UPDATE outbox SET payload = replace(payload::text, '"hash":"', '"hash":"0')::json WHERE type = 'offset.completed.v1'`,
      /announced as entry 1 of pool_a with the hash 0[0-9a-f]{64}, the ledger has [0-9a-f]{64}/,
    ],
  ])('finds %s', async (_, sql, finding) => {
    await ledger.test.sql.query(sql);
    expect((await ledger.audit()).faults.join('\n')).toMatch(finding);
  });

  it('only warns of an overhang', async () => {
    await ledger.test.bring([pool('b', { issued: 1 })]);
    expect(await ledger.audit()).toEqual({
      faults: [],
      warnings: ['pool_b: the library issues 1000000 g, but 2200000 g are reserved or retired'],
    });
  });

  it('counts what it does not show', async () => {
    await ledger.test.sql.query(
      `INSERT INTO reservations SELECT 'off_' || n, 'pool_a', 1, 1 FROM generate_series(1, 50) AS ghosts (n)`,
    );
    expect((await ledger.audit()).faults).toContain('… and 30 more like the last');
  });

  it('takes as long as it takes, whatever limits the role has', async () => {
    const { url, sql } = ledger.test;
    await sql.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET statement_timeout = %L', current_database(), '5s');
      EXECUTE format('ALTER DATABASE %I SET transaction_timeout = %L', current_database(), '5s');
    END $$`);
    const limits = await inSnapshot(url, (ask) =>
      ask(`SELECT name, setting FROM pg_settings
        WHERE name LIKE '%statement_timeout' OR name LIKE '%transaction%_timeout' ORDER BY name`),
    );
    expect(limits).toEqual([
      { name: 'idle_in_transaction_session_timeout', setting: '0' },
      { name: 'statement_timeout', setting: '0' },
      { name: 'transaction_timeout', setting: '0' },
    ]);
  });

  it('has no answer, rather than a wrong one, when the database is away', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const asked = inSnapshot(`postgresql://nobody@${host}:1/none`, audit);
      await expect(asked).rejects.toThrow(NoAnswer);
      await expect(asked).rejects.toThrow(/ECONNREFUSED .*DATABASE_URL/);
    }
  });

  it('says which settings to look at when Kafka is away', async () => {
    const kafka = createKafka({ brokers: ['127.0.0.1:1'], clientId: 'test' });
    await expect(acceptLoss(kafka, ledger.test.url, undefined)).rejects.toThrow(/ECONNREFUSED .*KAFKA_BROKERS/);
  });
});
