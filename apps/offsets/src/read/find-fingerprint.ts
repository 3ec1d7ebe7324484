import { UserFault } from '@carbon/faults';
import { Injectable } from '@nestjs/common';
import { Database } from '../persistence/database.js';

/** Which wish is recorded under an id. */
export interface RecordedFingerprint {
  readonly id: string;
  readonly fingerprint: string;
}

/** Tells the gateway which wish an Idempotency-Key stands for. */
@Injectable()
export class FindFingerprint {
  constructor(private readonly database: Database) {}

  /** Waits for nothing, since a new offset waits for the answer; UserFault `not_found` when nothing is recorded. */
  async run(account: string, id: string): Promise<RecordedFingerprint> {
    const [recorded] = await this.database.query<RecordedFingerprint>(
      'SELECT id, fingerprint FROM offsets WHERE id = $1 AND account = $2',
      [id, account],
    );
    if (recorded === undefined) throw new UserFault('not_found', 'No offset is recorded under this id.');
    return recorded;
  }
}
