import type { Database, Query } from '../persistence/database.js';
import type { Reading } from './reading.js';

/** Assets looked at in one transaction, whatever is in the library. */
const BATCH = 10_000;

/**
 * Once a reading has brought the whole library: what it did not bring is not in the library any more. Its withdrawal may
 * be too old to be on the topic. An earlier reading that is being continued has nothing left to withdraw.
 */
export async function withdrawUnbrought(database: Database, reading: Reading): Promise<void> {
  let last: string | null = '';
  while (last !== null) {
    const after: string = last;
    last = await database.transaction((query) => withdrawNext(query, reading, after));
  }
}

/** The last asset that was looked at; null when there was none. */
async function withdrawNext(query: Query, { number }: Reading, after: string): Promise<string | null> {
  const [part] = await query<{ last: string | null }>(
    `SELECT max(asset_id) AS last FROM (
       SELECT asset_id FROM supply WHERE asset_id > $1 ORDER BY asset_id LIMIT ${BATCH}
     ) AS part`,
    [after],
  );
  const last = part?.last ?? null;
  const unbrought = 'asset_id > $1 AND asset_id <= $2 AND brought_in < $3 AND active';
  await query(`SELECT FROM supply WHERE ${unbrought} ORDER BY asset_id FOR UPDATE`, [after, last, number]);
  await query(`UPDATE supply SET active = false WHERE ${unbrought}`, [after, last, number]);
  return last;
}
