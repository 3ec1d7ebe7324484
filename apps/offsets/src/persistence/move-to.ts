import type { OffsetStatus } from '@carbon/contracts';
import { movesAlong } from '../domain/offset-status.js';

/** When a row changes: by the database's clock alone. The same throughout a transaction. */
const NOW = 'now()';

/**
 * What an UPDATE of `offsets` sets to move its rows from one state to another, or through several: the last state and the
 * date of each. The table of moves and the database's trigger, which stands behind it, allow the same ones.
 * @throws IllegalMove
 */
export function moveTo(from: OffsetStatus, ...through: readonly OffsetStatus[]): string {
  const moves = movesAlong(from, ...through);
  const dates = moves.map(({ date }) => `${date} = ${NOW}`);
  return [`status = '${moves.at(-1)?.to ?? from}'`, ...dates, `updated_at = ${NOW}`].join(', ');
}
