import { type LookedUpOffset, type RecordedFingerprints, recordedFingerprints } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { OFFSET_BY_ID, OFFSET_OF_PAIR, OwnRows } from '../persistence/own-rows.js';
import { requireCurrent } from './await-recorded.js';

/** Which request is recorded under an id. */
export interface RecordedFingerprint {
  readonly id: string;
  readonly fingerprint: string;
}

/** The statement of {@link FingerprintReader.find}. */
export const FINGERPRINT_SQL = `SELECT id, fingerprint FROM ${OFFSET_BY_ID} WHERE account = $1` as const;

/** The statement of {@link FingerprintReader.findMany}. */
export const FINGERPRINTS_SQL = `SELECT account, id, fingerprint
  FROM unnest($1::text[], $2::text[]) AS own (account, id) ${OFFSET_OF_PAIR}` as const;

const recordedRow = recordedFingerprints.shape.recorded.element;

/** Reads the fingerprints of recorded requests. Never waits for an offset, because a POST waits for the answer. */
@Injectable()
export class FingerprintReader {
  constructor(private readonly rows: OwnRows) {}

  /** Returns the fingerprint of one offset. @throws RequestError `not_found`; FenceLost */
  async find(account: string, id: string): Promise<RecordedFingerprint> {
    const [recorded] = await this.rows.query<RecordedFingerprint>(account, FINGERPRINT_SQL, [id]);
    return requireCurrent(this.rows, recorded, () => true);
  }

  /**
   * Returns the fingerprints of the offsets that are recorded for their accounts. A request that is recorded is so in any
   * restored database. One that is not recorded may be missing only there; then `isComplete` is false.
   */
  async findMany(offsets: readonly LookedUpOffset[]): Promise<RecordedFingerprints> {
    const { rows: recorded, isCurrent } = await this.rows.queryByPair(offsets, recordedRow, FINGERPRINTS_SQL);
    return { recorded, isComplete: isCurrent || recorded.length === offsets.length };
  }
}
