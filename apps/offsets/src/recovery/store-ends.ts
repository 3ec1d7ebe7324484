import { Logger } from '@nestjs/common';
import type { Query } from '../persistence/database.js';
import { type Fence, fenceHolds } from '../persistence/fence.js';
import { type OutcomePosition, positionParameters, storePositions } from '../persistence/outcome-positions.js';
import { endPositions, type OutcomeRange } from './outcome-ranges.js';

const logger = new Logger('StoreEnds');

/**
 * Stores that everything in these ranges is known, in a transaction. Where a log was truncated the position goes back: what is
 * written there since would never be compared else. @throws FenceLost where the database is not the one that was compared
 */
export async function storeEnds(
  query: Query,
  { server, epoch }: Fence,
  ranges: readonly OutcomeRange[],
): Promise<readonly OutcomePosition[]> {
  for (const { topic, topicId, truncated } of ranges) {
    if (truncated.length === 0) continue;
    logger.error('Kafka has lost the end of a topic of outcomes; it was compared from its beginning.', {
      topic,
      truncated,
    });
    await query('DELETE FROM outcome_positions WHERE topic_id = $1 AND partition = ANY ($2)', [topicId, truncated]);
  }
  const positions = endPositions(ranges);
  const held = await query(
    `WITH fence AS MATERIALIZED (SELECT FROM database_state WHERE ${fenceHolds(1)}), stored AS (${storePositions(3)})
     SELECT true AS held FROM fence`,
    [server, epoch, ...positionParameters(positions)],
  );
  if (held.length === 0) throw query.fence.lose();
  return positions;
}
