import { TransientError } from '@carbon/http';
import pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { TestDatabase } from '../testing/database.js';
import { inTransaction, type Statement } from './transaction.js';

const STATEMENT_MS = 1_000;
const PIPELINED: object = { pipeline: true };

describe('statements of one transaction that are sent without awaiting each other', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.create({ statementMs: STATEMENT_MS });
    await test.sql.query('CREATE TABLE written (part text)');
  });
  afterAll(() => test.close());

  it.each([false, true])(
    'write nothing once one of them has failed, nor does what follows (%s)',
    async (beginsWithRead) => {
      let slowPart: Promise<unknown> | undefined;
      const transaction = test.database.transaction(
        async (query) => {
          const reading = query('SELECT 1');
          const failing = query("INSERT INTO written VALUES ('before')").then(() => Promise.reject('failed'));
          slowPart = query('SELECT pg_sleep(0.3)').then(() =>
            query("INSERT INTO written VALUES ('after the failure')"),
          );
          await Promise.all([reading, failing, slowPart]);
        },
        { beginsWithRead },
      );
      await expect(transaction).rejects.toBe('failed');
      await expect(slowPart).rejects.toThrow('has ended');
      expect(await test.rows('SELECT part FROM written')).toEqual([]);
      const [open] = await test.rows(
        `SELECT count(*)::integer AS sessions FROM pg_stat_activity
       WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      expect(open).toEqual({ sessions: 0 });
    },
  );

  it('are all or none when the first shares the round trip of the start', async () => {
    const write = (part: string, last: string) =>
      test.database.transaction(
        async (query) => {
          await query('SELECT 1');
          await query('INSERT INTO written VALUES ($1)', [part]);
          await query(last);
        },
        { beginsWithRead: true },
      );
    await write('committed', 'SELECT 1');
    await expect(write('rolled back', 'SELECT 1 / 0')).rejects.toThrow('division by zero');
    expect(await test.rows('DELETE FROM written RETURNING part')).toEqual([{ part: 'committed' }]);
  });

  it('have the statement timeout each', async () => {
    const sleeps = test.database.transaction((query) =>
      Promise.all([1, 2, 3].map(() => query<{ done: number }>('SELECT 1 AS done FROM pg_sleep(0.8)'))),
    );
    expect(await sleeps).toEqual([[{ done: 1 }], [{ done: 1 }], [{ done: 1 }]]);
  });

  it('fail together with the start that they share a round trip with', async () => {
    const pool = new pg.Pool({ connectionString: test.url, max: 1, ...PIPELINED });
    const session = await pool.connect();
    const query = (text: string | pg.QueryConfig) =>
      session.query(text === 'START TRANSACTION' ? 'SELECT 1 / 0' : text);
    const cannotStart = Object.assign(Object.create(session), { query, release: () => session.release() });
    const configOf = (text: string, values: readonly unknown[]) => ({ text, values: [...values] });
    const work = async (statement: Statement) => {
      await statement('SELECT 1');
      await statement("INSERT INTO written VALUES ('without a transaction')");
    };
    await expect(inTransaction(cannotStart, configOf, work, { beginsWithRead: true })).rejects.toThrow(
      'division by zero',
    );
    expect(await test.rows('SELECT part FROM written')).toEqual([]);
    await pool.end();
  });
});

describe('a prepared statement of a transaction', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.create();
    await test.sql.query('CREATE TABLE migrated (n) AS SELECT 1');
  });
  afterAll(() => test.close());

  it('fails with a QueryFailedError, whatever the error', async () => {
    const failing = test.database.transaction((query) => query('SELECT 1 / $1::integer', [0]));
    await expect(failing).rejects.toThrow(QueryFailedError);
  });

  it('fails once after a migration that changes the type of its rows', async () => {
    const read = () => test.database.transaction((query) => query('SELECT n FROM migrated'));
    expect(await read()).toEqual([{ n: 1 }]);
    await test.sql.query('ALTER TABLE migrated ALTER n TYPE text');
    await expect(read()).rejects.toBeInstanceOf(TransientError);
    expect(await read()).toEqual([{ n: '1' }]);
  });
});
