import { countLost, type LostRequests } from '../domain/request-start.js';

/** Kafka has deleted requests that the database may lack. Nothing is consumed until a person accepts that. */
export class RequestsLost extends Error {
  override readonly name = 'RequestsLost';
  constructor(readonly lost: readonly LostRequests[]) {
    super(
      `${countLost(lost)} messages of offset.requested are gone from Kafka that PostgreSQL may lack: ${placesOf(lost)}. ` +
        'Restore a newer backup of PostgreSQL, or go on without them: npm run ledger -- accept-loss.',
    );
  }
}

/** Where they were, as a text. */
export function placesOf(lost: readonly LostRequests[]): string {
  return lost
    .map(({ partition, from, before }) => `partition ${partition} from position ${from} up to ${before - 1n}`)
    .join(', ');
}
