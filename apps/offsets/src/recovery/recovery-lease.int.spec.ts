import { readDatabaseState } from '../persistence/fence.js';
import { TestDatabase } from '../test-database.js';
import { takeLease } from './recovery-lease.js';

describe('the beginning of a recovery', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await TestDatabase.create();
  });
  afterEach(() => test.close());

  /** Whether it is that of the one before, for a process that goes on. */
  const isKept = async (before: string) => {
    await test.sql.query(`UPDATE database_state SET recovering = true, recovering_since = ${before}`);
    expect(await takeLease(test.database.query, await readDatabaseState(test.database.query))).toBeDefined();
    const [row] = await test.rows<{ kept: boolean }>(`SELECT recovering_since = ${before} AS kept FROM database_state`);
    return row?.kept;
  };

  it('is kept by a process that goes on with it', async () => {
    expect(await isKept(`pg_postmaster_start_time() + interval '1 ms'`)).toBe(true);
  });

  it('is another one in a backup that was taken during it: what was sent since is waited for', async () => {
    expect(await isKept(`pg_postmaster_start_time() - interval '1 h'`)).toBe(false);
  });

  it('does not happen where another process has recovered since the database was looked at', async () => {
    const seen = await readDatabaseState(test.database.query);
    await test.sql.query('UPDATE database_state SET epoch = epoch + 1, recovered_at = now()');
    expect(await takeLease(test.database.query, seen)).toBeUndefined();
    expect(await readDatabaseState(test.database.query)).toMatchObject({ recovering: false });
  });
});
