import { freshPrefix } from '@carbon/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { pool, request } from '../testing/events.js';
import { TestService } from '../testing/service.js';

/** A role that owns nothing and may only read and write rows, which docs and SECURITY.md say is sufficient. */
const role = `${freshPrefix()}runtime`;
const PASSWORD = 'hunter2';

let service: TestService;
let app: NestFastifyApplication;
let asRole: string;

beforeAll(async () => {
  service = await TestService.create();
  // Before the app starts, so that it knows the supply when it consumes the first request.
  await service.publishAssets([pool('only')]);
  await service.rows(`CREATE ROLE "${role}" LOGIN PASSWORD '${PASSWORD}'`);
  await service.rows(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO "${role}"`);
  const url = new URL(service.databaseUrl);
  url.username = role;
  url.password = PASSWORD;
  asRole = url.href;
  app = await service.launch({ DATABASE_URL: asRole });
});

afterAll(async () => {
  await app.close();
  await service.rows(`DROP OWNED BY "${role}"`);
  await service.rows(`DROP ROLE "${role}"`);
  await service.close();
});

describe('a role that may only read and write rows', () => {
  it('is sufficient for the service: an offset is recorded, retired and published', async () => {
    const one = request({ kgCO2e: 1 });
    await service.publishRequests([one]);
    expect(await service.settled(app, one.id)).toMatchObject({ status: 'completed' });
  });

  it('can empty a slot of the outbox, unless it may not delete events', async () => {
    const session = new pg.Client({ connectionString: asRole });
    await session.connect();
    const empty = () => session.query('SELECT empty_outbox_slot(5::smallint) AS emptied');
    expect((await empty()).rows).toEqual([{ emptied: true }]);
    await service.rows(`REVOKE DELETE ON outbox FROM "${role}"`);
    await expect(empty()).rejects.toThrow('permission denied to delete from the outbox');
    await service.rows(`GRANT DELETE ON outbox TO "${role}"`);
    await session.end();
  });

  it('cannot create, alter or empty a table, nor change the ledger', async () => {
    const session = new pg.Client({ connectionString: asRole });
    await session.connect();
    for (const statement of [
      'CREATE TABLE mine (a integer)',
      'ALTER TABLE offsets ADD COLUMN mine integer',
      'ALTER TABLE ledger DISABLE TRIGGER ALL',
      'TRUNCATE offsets CASCADE',
      'TRUNCATE outbox',
      'DROP TABLE offsets CASCADE',
    ]) {
      await expect(session.query(statement)).rejects.toThrow(/permission denied|must be owner/);
    }
    await expect(session.query('DELETE FROM ledger')).rejects.toThrow('append-only');
    await session.end();
  });
});
