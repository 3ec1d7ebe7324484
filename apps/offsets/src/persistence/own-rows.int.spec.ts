import { z } from 'zod';
import { TestDatabase } from '../testing/database.js';
import { FenceLost } from './fence.js';
import { OffsetEntity } from './offset.entity.js';
import { OwnRows } from './own-rows.js';

let test: TestDatabase;
const PAIR = z.object({ account: z.string(), id: z.string() });
const BY_PAIR =
  'SELECT account, id FROM unnest($1::text[], $2::text[]) AS own (account, id) JOIN offsets USING (account, id)';
const idOf = (account: string, n: number) => `off_${account}_${n}`;
beforeAll(async () => {
  test = await TestDatabase.create();
  for (const account of ['one', 'two'])
    for (const n of [1, 2]) await test.queueOne({ kgCO2e: 1 }, { account, id: idOf(account, n) });
});
afterAll(() => test.close());

describe('the rows that clients may read', () => {
  it('are those of the account', async () => {
    const sql = 'SELECT account FROM offsets WHERE account = $1';
    expect(await test.ownRows.query('one', sql)).toEqual([{ account: 'one' }, { account: 'one' }]);
    expect(await test.ownRows.query('three', sql)).toEqual([]);
    expect((await test.ownRows.one(OffsetEntity, 'one', idOf('one', 1)))?.id).toBe(idOf('one', 1));
    expect(await test.ownRows.one(OffsetEntity, 'two', idOf('one', 1))).toBeUndefined();
  });

  it('are for each pair those of its own account', async () => {
    const pairs = [
      { account: 'one', id: idOf('one', 1) },
      { account: 'two', id: idOf('one', 2) },
      { account: 'two', id: idOf('two', 2) },
      { account: 'three', id: 'off_unknown' },
    ];
    const { rows: found } = await test.ownRows.queryByPair(pairs, PAIR, BY_PAIR);
    expect(new Set(found)).toEqual(new Set([pairs[0], pairs[2]]));
  });

  it('cannot be read without an account: that does not compile', () => {
    // If a line below compiled, its directive would be an error, and so would the type check.
    const unasked = (rows: OwnRows, anyText: string) => {
      // @ts-expect-error the statement names no account
      void rows.query('one', 'SELECT * FROM offsets');
      // @ts-expect-error a text that is put together may name none
      void rows.query('one', anyText);
      // @ts-expect-error the account is missing
      void rows.one(OffsetEntity, 'one_0000000001');
      // @ts-expect-error the accounts of the pairs are not compared
      void rows.queryByPair([], PAIR, 'SELECT FROM unnest($1::text[]) AS own (id) JOIN offsets USING (id)');
      // @ts-expect-error a row that belongs to nobody
      void rows.list('one', z.object({ id: z.string() }), { sql: anyText, parameters: [], order: 'id' });
    };
    expect(unasked).toHaveLength(2);
  });

  it('are none where a statement reads rows of another account', async () => {
    const statement = { sql: 'SELECT * FROM offsets', parameters: [], order: 'id' };
    const schema = z.object({ account: z.string() });
    await expect(test.ownRows.list('one', schema, statement)).rejects.toThrow('has read rows of another');
  });

  it('are not listed while outcomes are recovered', async () => {
    const list = () =>
      test.ownRows.list('one', z.object({ account: z.string() }), {
        sql: 'SELECT account FROM offsets WHERE account = $1',
        parameters: ['one'],
        order: 'account',
      });
    const recovering = (since: string) =>
      test.sql.query(`UPDATE database_state SET recovering = NOT recovering, recovering_since = ${since}`);
    await recovering('now()');
    await expect(list()).rejects.toBeInstanceOf(FenceLost);
    await recovering('NULL');
    expect(await list()).toHaveLength(2);
  });
});
