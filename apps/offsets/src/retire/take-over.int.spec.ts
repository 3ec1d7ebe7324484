import { Logger } from '@nestjs/common';
import { readDatabaseState } from '../persistence/fence.js';
import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { takeOver } from './take-over.js';

describe('taking offsets over', () => {
  const errors: unknown[][] = [];
  let test: TestDatabase;
  beforeAll(() => {
    Logger.overrideLogger({ log: () => {}, warn: () => {}, error: (...line: unknown[]) => void errors.push(line) });
  });
  afterAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    test = await TestDatabase.create();
    await test.bring([pool('a', { price: 5 })]);
  });
  afterEach(() => test.close());

  /** Offsets whose worker fell silent. */
  const left = async (...kilograms: number[]) => {
    const ids = await test.ask(...kilograms);
    await test.reserveCredits.run();
    await test.sql.query(`UPDATE offsets SET lease_until = now() - interval '1 s'`);
    return ids;
  };
  const taken = (longestAsideMs = 0) =>
    test.database.transaction((query) => takeOver(query, 500, true, longestAsideMs));

  it('takes fewer where they have very many lines, and the others the next time', async () => {
    await left(1, 2, 3);
    await test.sql.query(
      `INSERT INTO reservations (offset_id, asset_id, grams, price_micros)
       SELECT id, 'pool_' || n, 1, 1 FROM offsets, generate_series(1, 3000) AS n`,
    );
    expect((await taken()).orders.map(({ lines }) => lines.length)).toEqual([3_001, 3_001]);
    expect((await taken()).orders.map(({ lines }) => lines.length)).toEqual([3_001]);
  });

  it('takes what was held before the clock of PostgreSQL was set back, and leaves what was laid aside', async () => {
    const [held, aside] = await left(1, 2);
    const until = 'UPDATE offsets SET lease_until = now() + $2::interval WHERE id = $1';
    await test.sql.query(until, [held, '1 h']);
    await test.sql.query(until, [aside, '9 min']);
    expect((await taken(600_000)).orders.map(({ offset }) => offset)).toEqual([held]);
  });

  it('takes none on a server that was not verified: what it has forgotten would be asked for as if it was new', async () => {
    await left(1);
    test.database.fence.hold({ server: '1.5', epoch: '1' });
    expect((await taken()).orders).toEqual([]);
    test.database.fence.hold(await readDatabaseState(test.database.query));
    expect((await taken()).orders).toHaveLength(1);
  });

  it('says of which offset nothing is reserved, and takes the others', async () => {
    const [bare, whole] = await left(1, 2);
    await test.sql.query('DELETE FROM reservations WHERE offset_id = $1', [bare]);
    expect((await taken()).orders.map(({ offset }) => offset)).toEqual([whole]);
    expect(errors).toEqual([[expect.stringContaining('nothing is reserved for it'), { id: bare }, 'TakeOver']]);
  });
});
