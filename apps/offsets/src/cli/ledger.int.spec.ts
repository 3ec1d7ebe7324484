import { resolve } from 'node:path';
import { createKafka } from '@carbon/messaging';
import { UnavailableError } from '@carbon/terminal';
import { runInProcess, runToEnd } from '@carbon/testing';
import { type ChainHead, chain, chainStart } from '../domain/ledger-chain.js';
import { TestDatabase } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { auditOf, verifyOf } from '../testing/ledger.js';
import { acceptLoss } from './accept-loss.js';
import { audit, coverage, coverageText } from './audit.js';
import { ledgerCommand } from './command.js';
import { inSnapshot } from './snapshot.js';

interface EntryRow {
  readonly offset_id: string;
  readonly grams: string;
  readonly price_micros: string;
  readonly at: Date;
  readonly sequence: string;
}

const CLI = resolve(import.meta.dirname, '../../../../tools/carbon/dist/carbon.js');

let test: TestDatabase;

/** Two chains of two entries each, and offsets in every state. */
beforeEach(async () => {
  test = await TestDatabase.create();
  await test.recordAssets([pool('a', { issued: 2, price: 1 }), pool('b')]);
  await test.queue(1_500, 1_500, 500);
  await test.completeQueued();
  await test.queue(700, 1e12);
  await test.reserveCredits.run();
});
afterEach(() => test.close());

/** Changes what the triggers protect, as an owner of the database could. */
const tamper = (sql: string, table = 'ledger') =>
  test.sql.query(`ALTER TABLE ${table} DISABLE TRIGGER ALL; ${sql}; ALTER TABLE ${table} ENABLE TRIGGER ALL`);
const auditViolations = async () => (await auditOf(test.url)).violations;
const verifyViolations = async () => (await verifyOf(test.url)).violations;

describe('the audit', () => {
  it('finds nothing wrong with offsets in every state', async () => {
    expect(await test.counts()).toEqual({ completed: 3, processing: 1, failed: 1 });
    expect(await auditOf(test.url)).toEqual({ violations: [], warnings: [] });
    expect(await verifyOf(test.url)).toEqual({ count: 4, violations: [] });
    expect(coverageText(await inSnapshot(test.url, coverage))).toBe('5 offsets, 4 ledger entries, 3500000 g retired');
  });

  it.each(
    rowsOf(String.raw`
UPDATE reservations SET grams = grams + 1 → pool_b: 700000 g are reserved, its reservations say 700001 g
DELETE FROM reservations → pool_b: 700000 g are reserved, its reservations say 0 g
INSERT INTO reservations VALUES ('off_ghost', 'pool_x', 1, 1) → off_ghost: unknown with
UPDATE reservations SET offset_id = (SELECT id FROM offsets WHERE status = 'failed') → failed with \d+ g, its reservations say 700000 g
UPDATE supply SET reserved = reserved - 1 WHERE reserved > 0 → pool_b: 699999 g are reserved
UPDATE supply SET retired = retired + 1 WHERE asset_id = 'pool_b' → pool_b: 1500001 g are retired, its ledger says 1500000 g
UPDATE supply SET issued = issued + 1 WHERE asset_id = 'pool_b' → pool_b: 1000000001 g are issued, it should be 1000000000 g
DELETE FROM supply WHERE asset_id = 'pool_a' → pool_a: 0 g are retired, its ledger says 2000000 g
UPDATE offsets SET grams = grams + 1 WHERE status = 'completed' → completed with \d+1 g, its ledger says
UPDATE offsets SET cost_micros = 1 WHERE status = 'completed' → cost 1 millionths, its ledger says
UPDATE offsets SET grams = 1 WHERE status = 'processing' → processing with 1 g, its reservations say 700000 g
UPDATE offsets SET cost_micros = 1 WHERE status = 'processing' → its reservations say
ALTER TABLE offsets DISABLE TRIGGER offsets_moves; UPDATE offsets SET status = 'queued', completed_at = NULL, cost_micros = NULL WHERE status = 'completed' → queued with \d+ g, its ledger says
UPDATE offsets SET announced_at = now() WHERE status = 'failed' → failed and published, with 1 unsent events
DELETE FROM outbox WHERE type = 'offset.failed.v1' → failed and not published, with 0 unsent events
INSERT INTO outbox (event_id, offset_id, type, payload) SELECT 'again', offset_id, type, payload FROM outbox LIMIT 1 → not published, with 2 unsent events
INSERT INTO outbox (event_id, offset_id, type, payload) SELECT 'early', id, 'offset.completed.v1', '{}' FROM offsets WHERE status = 'processing' → processing and not published, with 1 unsent events
UPDATE outbox SET type = 'offset.failed.v1' → completed, but the outbox holds offset.failed.v1
UPDATE outbox SET payload = replace(payload::text, '"hash":"', '"hash":"0')::json WHERE type = 'offset.completed.v1' → published as entry 1 of pool_a with the hash 0[0-9a-f]{64}, the ledger has [0-9a-f]{64}`),
  )('finds: %s', async (sql, finding) => {
    await test.sql.query(sql);
    expect((await auditViolations()).join('\n')).toMatch(new RegExp(finding));
  });

  it('finds an entry without an offset', async () => {
    await tamper(
      `INSERT INTO ledger SELECT asset_id, sequence + 1, 'off_ghost', 1, 1, now(), hash FROM ledger
       WHERE asset_id = 'pool_b' ORDER BY sequence DESC LIMIT 1`,
    );
    expect(await auditViolations()).toContain('off_ghost: unknown with  g, its ledger says 1 g');
  });

  it('finds entries removed from the end of a chain, although the rest of the chain is valid', async () => {
    await tamper(`DELETE FROM ledger WHERE asset_id = 'pool_b' AND sequence = 2`);
    expect(await verifyViolations()).toEqual([]);
    const violations = (await auditViolations()).join('\n');
    expect(violations).toMatch(/pool_b: 1500000 g are retired, its ledger says \d+ g/);
    expect(violations).toMatch(/off_\w+: completed with \d+ g, its ledger says \d+ g/);
    expect(violations).toMatch(/published as entry 2 of pool_b with the hash \w+, the ledger has none for it/);
  });

  it('finds a chain that was rewritten with valid hashes around a change', async () => {
    const rows = await test.rows<EntryRow>(`SELECT * FROM ledger WHERE asset_id = 'pool_b' ORDER BY sequence`);
    let head: ChainHead = chainStart('pool_b');
    for (const { offset_id: offset, grams, price_micros, at, sequence } of rows) {
      const forged = chain(head, {
        asset: 'pool_b',
        offset,
        grams: BigInt(grams),
        priceMicros: BigInt(price_micros),
        at: new Date(at.getTime() + 1).toISOString(),
      });
      head = forged;
      await tamper(
        `UPDATE ledger SET at = '${forged.at}', hash = decode('${forged.hash.toString('hex')}', 'hex')
         WHERE asset_id = 'pool_b' AND sequence = ${sequence}`,
      );
    }
    expect(await verifyViolations()).toEqual([]);
    expect(
      (await auditViolations()).map((violation) => /published as entry (\d) of pool_b/.exec(violation)?.[1]).sort(),
    ).toEqual(['1', '2']);
  });

  it('reports an overhang only as a warning', async () => {
    await test.recordAssets([pool('b', { issued: 1 })]);
    expect(await auditOf(test.url)).toEqual({
      violations: [],
      warnings: ['pool_b: the library issues 1000000 g, but 2200000 g are reserved or retired'],
    });
  });

  it('counts what it does not print', async () => {
    await test.sql.query(
      `INSERT INTO reservations SELECT 'off_' || n, 'pool_a', 1, 1 FROM generate_series(1, 50) AS ghosts (n)`,
    );
    expect(await auditViolations()).toContain('… and 30 more like the last');
    const environment = { DATABASE_URL: test.url };
    const { code, out } = await runInProcess(ledgerCommand, ['audit'], { environment });
    // 50 offsets without a row, and one asset with another sum.
    expect([code, out]).toEqual([1, expect.stringMatching(/^FAILED: 51 errors; 5 offsets, /)]);
    const asJson = await runInProcess(ledgerCommand, ['audit', '--json'], { environment });
    expect(JSON.parse(asJson.out)).toMatchObject({ verdict: 'FAILED', errors: 51, offsets: '5' });
    // The reader of standard output is gone before anything is written.
    const piped = `{ sleep 1; "$0" "$1" ledger audit; echo $? >&2; } | true`;
    const { err } = await runToEnd('/bin/sh', ['-c', piped, process.execPath, CLI], { environment });
    expect(err).toMatch(/… and 30 more like the last\n(.*\n)*1\n$/);
    expect(err).not.toMatch(/EPIPE|^ {4}at /m);
  });

  it('stores when it last succeeded, and passes on a database that it may only read', async () => {
    const stored = async () =>
      (await test.rows<{ audited_at: Date | null }>('SELECT * FROM database_state'))[0]?.audited_at;
    const run = async () => await runInProcess(ledgerCommand, ['audit'], { environment: { DATABASE_URL: test.url } });
    await test.sql.query(`UPDATE supply SET retired = retired + 1 WHERE asset_id = 'pool_b'`);
    expect([(await run()).code, await stored()]).toEqual([1, null]);
    await test.sql.query(`UPDATE supply SET retired = retired - 1 WHERE asset_id = 'pool_b'`);
    const before = Date.now();
    expect(await run()).toMatchObject({ code: 0, out: expect.stringMatching(/^OK: /), err: '' });
    const first = await stored();
    expect(Math.abs((first?.getTime() ?? 0) - before)).toBeLessThan(60_000);
    await test.sql.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database());
    END $$`);
    const reading = await run();
    expect(reading).toMatchObject({ code: 0, out: expect.stringMatching(/^OK: /) });
    expect(reading.err).toMatch(/^The metric of the last successful audit is not updated: .*read-only transaction/);
    expect(await stored()).toEqual(first);
  });

  it('runs for as long as it needs, whatever timeouts the role has', async () => {
    const { url, sql } = test;
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

  it('fails instead of giving a wrong verdict when the database is down', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const attempt = inSnapshot(`postgresql://nobody@${host}:1/none`, audit);
      await expect(attempt).rejects.toThrow(UnavailableError);
      await expect(attempt).rejects.toThrow(/ECONNREFUSED .*DATABASE_URL/);
    }
  });

  it('exits with 78 when a file that DATABASE_URL names is missing', async () => {
    const url = new URL(test.url);
    url.search = 'sslmode=verify-full&sslrootcert=/nowhere/ca.pem';
    const environment = { DATABASE_URL: url.href };
    const { code, err } = await runInProcess(ledgerCommand, ['audit'], { environment });
    expect([code, err]).toEqual([78, expect.stringMatching(/^DATABASE_URL cannot be used: .*sslrootcert/)]);
  });

  it('names the settings to check when Kafka is down', async () => {
    const kafka = createKafka({ brokers: ['127.0.0.1:1'], clientId: 'test' });
    await expect(acceptLoss(kafka, test.url, undefined)).rejects.toThrow(/ECONNREFUSED .*KAFKA_BROKERS/);
  });
});

describe('verifying the ledger', () => {
  it.each(
    rowsOf(`
UPDATE ledger SET grams = grams + 1 WHERE asset_id = 'pool_a' AND sequence = 1 → pool_a: entry 1 does not follow from the one before it
UPDATE ledger SET price_micros = 7 WHERE asset_id = 'pool_b' AND sequence = 2 → pool_b: entry 2 does not follow from the one before it
UPDATE ledger SET at = at + interval '1 ms' WHERE asset_id = 'pool_b' AND sequence = 2 → pool_b: entry 2 does not follow
UPDATE ledger SET hash = decode(repeat('00', 32), 'hex') WHERE asset_id = 'pool_b' AND sequence = 1 → pool_b: entry 1 does not follow | pool_b: entry 2 does not follow
UPDATE ledger SET sequence = sequence + 2 WHERE asset_id = 'pool_b'; UPDATE ledger SET sequence = 5 - sequence WHERE asset_id = 'pool_b' → pool_b: entry 1 does not follow | pool_b: entry 2 does not follow
UPDATE ledger SET grams = 1500000 - grams WHERE asset_id = 'pool_b' → pool_b: entry 1 does not follow | pool_b: entry 2 does not follow
DELETE FROM ledger WHERE asset_id = 'pool_b' AND sequence = 1 → pool_b: found entry 2, expected entry 1`),
  )('finds: %s', async (sql, findings) => {
    await tamper(sql);
    expect(await verifyViolations()).toEqual(findings.split(' | ').map((finding) => expect.stringContaining(finding)));
  });
});

/** The rows of a table of manipulations, each with the discrepancy that is reported. */
function rowsOf(table: string): [sql: string, finding: string][] {
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.split(' → '));
  return rows.map(([sql = '', finding = '']) => [sql, finding]);
}
