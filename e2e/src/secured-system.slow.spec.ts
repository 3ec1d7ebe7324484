import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { integer, loadConfig } from '@carbon/config';
import {
  CertificateAuthority,
  type RunningPgbouncer,
  type SecuredKafka,
  type SecuredPostgres,
  startPgbouncer,
  startSecuredKafka,
  startSecuredPostgres,
  type TemporaryDir,
  temporaryDir,
  withPostgres,
} from '@carbon/local';
import { describeWithPgbouncer, eventually } from '@carbon/testing';
import type pg from 'pg';
import { z } from 'zod';
import { awaitCompleted } from './load/await-completed.js';
import { Client } from './load/client.js';
import { percentile, postOffsets } from './load/post-offsets.js';
import { systemOnSharedEngines, type TestSystem } from './testing/system.js';

const { TEST_LOAD } = loadConfig(
  z.object({ TEST_LOAD: integer(1, 1_000_000, { description: 'How many offsets are posted.', fallback: '600' }) }),
);
const IN_FLIGHT = 64;
const TIMEOUT_MS = 15 * 60_000;
const CUSTOMER = 'over secured connections';

const describeBehindPgbouncer = await describeWithPgbouncer(describe);

let folder: TemporaryDir;
let kafka: SecuredKafka;
let postgres: SecuredPostgres;
let pooler: RunningPgbouncer;
let app: TestSystem;
/** The database through PgBouncer and directly, the server verified in full. */
let pooled: string;
let direct: string;
const metrics: string[] = [];

beforeAll(async () => {
  folder = await temporaryDir();
  const authority = new CertificateAuthority();
  [kafka, postgres] = await Promise.all([
    startSecuredKafka(folder.dir, authority),
    startSecuredPostgres(folder.dir, authority),
  ]);
  const verified = `sslmode=verify-full&sslrootcert=${kafka.files.ca}`;
  direct = postgres.url(verified);
  pooler = await startPgbouncer(folder.dir, direct, authority);
  pooled = pooler.url(direct, verified);
  app = await systemOnSharedEngines({
    kafkaBrokers: `localhost:${kafka.ports.sasl}`,
    databaseUrl: pooled,
    engineSettings: {
      kafka: kafka.environment,
      postgres: { DATABASE_POOLER: 'transaction', DATABASE_MIGRATION_URL: direct },
    },
  });
}, 300_000);

afterAll(async () => {
  await app?.stop();
  await pooler?.stop();
  await postgres?.stop();
  await kafka?.stop();
  folder?.remove();
  console.log(metrics.join('\n'));
}, 120_000);

/** Returns the rows of a statement, or the error. */
function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  return withPostgres(url, async (session) => (await session.query<Row>(sql)).rows);
}

describeBehindPgbouncer(
  'a system over SASL_SSL and PgBouncer in transaction mode, with verified TLS on both sides',
  () => {
    it('publishes an asset, finds it, and completes and lists an offset', async () => {
      const file = join(folder.dir, 'asset.ndjson');
      const asset = { id: 'pool_secured', type: 'POOL', source: 'TEST', name: 'Secured', ticker: 'SECURED' };
      writeFileSync(file, `${JSON.stringify(asset)}\n`);
      await app.command('assets', 'publish', file);
      await eventually(async () => {
        const { items } = await app.carbon.pools.search({ criteria: 'ticker: SECURED' }).page();
        expect(items).toMatchObject([{ name: 'Secured' }]);
      });

      const { id } = await app.carbon.offsets.create({ kgCO2e: 1234.5, customerRef: CUSTOMER });
      expect(await app.carbon.offsets.waitFor(id)).toMatchObject({ id, status: 'completed', creditsMatched: 1.2345 });
      const { items } = await app.carbon.offsets.list({ customerRef: CUSTOMER }).page();
      expect(items).toMatchObject([{ id, status: 'completed' }]);
    });

    it(
      'completes every offset under load, each once',
      async () => {
        const client = new Client(app.system.urls.gateway, IN_FLIGHT);
        const posted = await postOffsets(client, {
          count: TEST_LOAD,
          inFlight: IN_FLIGHT,
          weight: (n) => (n % 100) + 0.5,
          run: randomUUID(),
          giveUpAfterMs: TIMEOUT_MS,
          readBackEvery: 5,
        });
        expect(posted.errors).toEqual([]);
        const ids = new Set(posted.accepted.values());
        expect(ids.size).toBe(TEST_LOAD);
        const ended = await awaitCompleted(client, ids, { inFlight: 16, timeoutMs: TIMEOUT_MS });
        await client.close();
        expect(ended).toMatchObject({ completed: TEST_LOAD, others: new Map(), errors: [] });
        const listed: string[] = [];
        for await (const { id, customerRef } of app.carbon.offsets.list({ limit: 100 }))
          if (customerRef !== CUSTOMER) listed.push(id);
        expect(listed).toHaveLength(TEST_LOAD);
        expect(new Set(listed)).toEqual(ids);

        const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => Math.round(percentile(posted.latencies, share)));
        metrics.push(
          `${TEST_LOAD} accepted in ${posted.seconds.toFixed(1)} s: ${JSON.stringify(Object.fromEntries(posted.outcomes))}`,
          `202 after p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`,
          `all known to be completed ${ended.seconds.toFixed(1)} s after the last POST`,
        );
      },
      TIMEOUT_MS,
    );

    it('has a consistent ledger, all of its topics, and no dead letters', async () => {
      for (const check of ['audit', 'verify']) {
        const { stdout } = await app.command('ledger', check);
        expect(stdout).toMatch(/^OK: /);
        metrics.push(`${check}: ${stdout.trim()}`);
      }
      expect(await app.command('topics')).toMatchObject({
        stdout: expect.stringMatching(/^all topics already exist/),
      });
      expect(await app.deadLetters()).toEqual({});
    });

    it('has only encrypted sessions on the server', async () => {
      const sessions = `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE client_port > 0`;
      const open = await ask<{ ssl: boolean }>(direct, sessions);
      expect(open.length).toBeGreaterThan(1);
      expect(open.filter(({ ssl }) => !ssl)).toEqual([]);
    });

    it('refuses PgBouncer without TLS or with a certificate of another authority', async () => {
      await expect(ask(pooler.url(direct, 'sslmode=disable'), 'SELECT 1')).rejects.toThrow('SSL required');
      await expect(ask(pooler.url(direct, 'sslmode=verify-full'), 'SELECT 1')).rejects.toThrow('certificate');
    });
  },
);
