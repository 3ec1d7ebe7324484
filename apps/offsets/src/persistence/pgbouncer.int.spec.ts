import { type RunningPgbouncer, startPgbouncer, temporaryDir } from '@carbon/local';
import { describeWithPgbouncer } from '@carbon/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { acceptLoss } from '../cli/accept-loss.js';
import { audit } from '../cli/audit.js';
import { inSnapshot } from '../cli/snapshot.js';
import { Consumers } from '../consumers.js';
import { pool, request } from '../testing/events.js';
import { callerHeaders, TestService } from '../testing/service.js';
import { dataSourceOptions } from './data-source.js';
import { databaseHint } from './database-errors.js';

const describeBehindPgbouncer = await describeWithPgbouncer(describe);

let folder: Awaited<ReturnType<typeof temporaryDir>>;
let pooler: RunningPgbouncer;
let service: TestService;
let app: NestFastifyApplication;
let pooled: string;

beforeAll(async () => {
  folder = await temporaryDir();
  service = await TestService.create();
  // Before the app starts, so that it knows the supply when it consumes the first request.
  await service.publishAssets([pool('only')]);
  pooler = await startPgbouncer(folder.dir, service.databaseUrl);
  pooled = pooler.url(service.databaseUrl);
  app = await service.launch({ DATABASE_URL: pooled, DATABASE_POOLER: 'transaction' });
  await app.get(Consumers).joined();
});

afterAll(async () => {
  await app?.close();
  await pooler?.stop();
  await service?.close();
  folder?.remove();
});

const use = { applicationName: 'test', poolSize: 2, statementTimeoutMs: 5_000, onIdleError: () => {} };

describeBehindPgbouncer('through PgBouncer in transaction mode', () => {
  it('offsets are recorded, retired, published and listed', async () => {
    const requests = Array.from({ length: 200 }, () => request({ kgCO2e: 1 }));
    await service.publishRequests(requests);
    for (const { id } of requests) expect(await service.settled(app, id)).toMatchObject({ status: 'completed' });
    const list = await app.inject({ url: '/v1/offsets?limit=10', headers: callerHeaders('default') });
    expect(list.json()).toHaveLength(10);
    expect(await inSnapshot(pooled, audit)).toMatchObject({ violations: [] });
    expect(await acceptLoss(service.kafka(), pooled, undefined)).toEqual({ lost: [], isAccepted: false });
  });

  it('no statement is prepared by name, because an old PgBouncer would not know it in the next transaction', async () => {
    const session = new pg.Client({ connectionString: pooled });
    await session.connect();
    for (let look = 0; look < 20; look += 1) {
      const { rows } = await session.query('SELECT count(*)::integer AS n FROM pg_prepared_statements');
      expect(rows).toEqual([{ n: 0 }]);
    }
    await session.end();
  });

  it('every statement has the settings of the service, but the next transaction of another client does not', async () => {
    const source = await new DataSource(dataSourceOptions({ ...use, url: pooled, session: 'pooled' })).initialize();
    const shown = `SELECT current_setting('enable_seqscan') AS plan, current_setting('statement_timeout') AS time`;
    expect(await source.query(shown)).toEqual([{ plan: 'off', time: '5s' }]);
    expect(await source.transaction((manager) => manager.query(shown))).toEqual([{ plan: 'off', time: '5s' }]);
    await expect(source.query('SELECT 1/0')).rejects.toThrow('division by zero');
    expect(await source.query(shown)).toEqual([{ plan: 'off', time: '5s' }]);
    await source.destroy();
    const other = new pg.Client({ connectionString: pooled });
    await other.connect();
    for (let look = 0; look < 20; look += 1)
      expect((await other.query(shown)).rows).toEqual([{ plan: 'on', time: '0' }]);
    await other.end();
  });

  it('a missing setting is reported', async () => {
    const source = new DataSource(dataSourceOptions({ ...use, url: pooled, session: 'direct' }));
    const failure: unknown = await source.initialize().catch((error: unknown) => error);
    expect(databaseHint(failure)).toMatch(/DATABASE_POOLER=transaction/);
  });
});
