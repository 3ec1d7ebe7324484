import type { LookedUpOffset, RecordedFingerprints } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { FenceLost } from '../persistence/fence.js';
import { OwnRows } from '../persistence/own-rows.js';
import { requireCurrent } from './await-recorded.js';

/** Which request is recorded under an id. */
export interface RecordedFingerprint {
  readonly id: string;
  readonly fingerprint: string;
}

/** Reads the fingerprints of recorded requests. Never waits for an offset, because a POST waits for the answer. */
@Injectable()
export class FingerprintReader {
  constructor(private readonly rows: OwnRows) {}

  /** Returns the fingerprint of one offset. @throws RequestError `not_found`; FenceLost */
  async find(account: string, id: string): Promise<RecordedFingerprint> {
    const [recorded] = await this.rows.query<RecordedFingerprint>(
      account,
      'SELECT id, fingerprint FROM offsets WHERE account = $1 AND id = $2',
      [id],
    );
    return requireCurrent(this.rows, recorded, () => true);
  }

  /**
   * Returns the fingerprints of the offsets that are recorded for their accounts. A recorded request is true of any state of the
   * database. That the others are not recorded may be wrong on an older database; then `isComplete` is false.
   */
  async findMany(offsets: readonly LookedUpOffset[]): Promise<RecordedFingerprints> {
    const recorded = await this.rows.queryByPair<RecordedFingerprints['recorded'][number]>(
      offsets,
      `SELECT account, id, fingerprint FROM unnest($1::text[], $2::text[]) AS own (account, id)
       JOIN offsets USING (account, id)`,
    );
    return { recorded, isComplete: recorded.length === offsets.length || (await this.isCurrent()) };
  }

  private async isCurrent(): Promise<boolean> {
    try {
      await this.rows.mustBeCurrent();
      return true;
    } catch (error) {
      if (error instanceof FenceLost) return false;
      throw error;
    }
  }
}
