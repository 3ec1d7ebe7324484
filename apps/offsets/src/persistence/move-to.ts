import type { OffsetStatus } from '@carbon/contracts';
import { moveOf } from '../domain/offset-status.js';

/** When a row changes: never before its offset came to be, whatever the clocks say. The same throughout a transaction. */
const NOW = 'greatest(now(), created_at)';

/**
 * What an UPDATE of `offsets` sets to move its rows from one state to another: the state and its dates. The table of moves
 * and the database's trigger, which stands behind it, allow the same ones. @throws IllegalMove
 */
export function moveTo(from: OffsetStatus, to: OffsetStatus): string {
  const { date } = moveOf(from, to);
  return `status = '${to}', ${date} = ${NOW}, updated_at = ${NOW}`;
}
