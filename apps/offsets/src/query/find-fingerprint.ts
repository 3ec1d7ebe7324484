import { RequestError } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import { OwnRows } from '../persistence/own-rows.js';

/** Which wish is recorded under an id. */
export interface RecordedFingerprint {
  readonly id: string;
  readonly fingerprint: string;
}

/** Tells the gateway which wish an Idempotency-Key stands for. */
@Injectable()
export class FindFingerprint {
  constructor(private readonly rows: OwnRows) {}

  /** Waits for nothing, since a new offset waits for the answer; RequestError `not_found` when nothing is recorded. */
  async run(account: string, id: string): Promise<RecordedFingerprint> {
    const [recorded] = await this.rows.query<RecordedFingerprint>(
      account,
      'SELECT id, fingerprint FROM offsets WHERE account = $1 AND id = $2',
      [id],
    );
    if (recorded === undefined) await this.rows.mustBeCurrent();
    if (recorded === undefined) throw new RequestError('not_found', 'No offset is recorded under this id.');
    return recorded;
  }
}
