import { TestDatabase } from '../testing/database.js';
import { OffsetEntity } from './offset.entity.js';
import { OwnRows } from './own-rows.js';

let test: TestDatabase;
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

  it('cannot be read without an account: that does not compile', () => {
    // If a line below compiled, its directive would be an error, and so would the type check.
    const unasked = (rows: OwnRows, anyText: string) => {
      // @ts-expect-error the statement names no account
      void rows.query('one', 'SELECT * FROM offsets');
      // @ts-expect-error a text that is put together may name none
      void rows.query('one', anyText);
      // @ts-expect-error the account is missing
      void rows.one(OffsetEntity, 'one_0000000001');
      // @ts-expect-error an entity that belongs to nobody
      void rows.entities(Date, 'one', { sql: anyText, parameters: [] });
    };
    expect(unasked).toHaveLength(2);
  });

  it('are none where a statement reads rows of another account', async () => {
    const statement = { sql: 'SELECT * FROM offsets ORDER BY id', parameters: [] };
    await expect(test.ownRows.entities(OffsetEntity, 'one', statement)).rejects.toThrow('has read rows of another');
  });
});
