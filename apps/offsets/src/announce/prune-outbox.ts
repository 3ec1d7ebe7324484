import { Injectable } from '@nestjs/common';
import { Database } from '../persistence/database.js';

/** Rows deleted at once: a small transaction, whatever has gathered. */
const BATCH = 5_000;

/** Forgets events that were published more than 14 days ago, as long as Kafka keeps them. Offsets keep their mark. */
@Injectable()
export class PruneOutbox {
  constructor(private readonly database: Database) {}

  /** One batch; says whether there may be more. `created_at` is asked as well, for its small index finds old rows. */
  async run(): Promise<boolean> {
    const gone = await this.database.query(
      `DELETE FROM outbox WHERE event_id = ANY (ARRAY(
         SELECT event_id FROM outbox
         WHERE created_at < now() - interval '14 days' AND published_at < now() - interval '14 days'
         LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
       )) RETURNING event_id`,
    );
    return gone.length === BATCH;
  }
}
