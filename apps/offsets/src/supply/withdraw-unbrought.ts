import type { Query } from '../persistence/database.js';
import type { Reading } from './reading.js';

/**
 * Once a reading has brought the whole library: what it did not bring is not in the library any more. Its withdrawal may
 * be too old to be on the topic. An earlier reading that is being continued has nothing left to withdraw.
 */
export async function withdrawUnbrought(query: Query, { number }: Reading): Promise<void> {
  await query('SELECT FROM supply WHERE brought_in < $1 AND active ORDER BY asset_id FOR UPDATE', [number]);
  await query('UPDATE supply SET active = false WHERE brought_in < $1 AND active', [number]);
}
