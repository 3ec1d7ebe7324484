import type { OffsetView } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { WakeSignals } from '../fulfillment/wake-signal.js';
import { OFFSET_BY_ID, OwnRows } from '../persistence/own-rows.js';
import { awaitRecorded, isFinalStatus, requireCurrent } from './await-recorded.js';
import { OFFSET_RECORD, offsetRecord, offsetView } from './offset-view.js';

/** The statement of {@link OffsetReader.find}. */
export const OFFSET_SQL = `SELECT row_to_json(one) AS record
  FROM (SELECT ${OFFSET_RECORD} FROM ${OFFSET_BY_ID} WHERE account = $1) AS one` as const;

/** Reads one offset of an account. */
@Injectable()
export class OffsetReader {
  constructor(
    private readonly rows: OwnRows,
    private readonly signals: WakeSignals,
  ) {}

  /** Returns the view of an offset; waits up to 1 s for a new one. @throws RequestError `not_found`; FenceLost */
  async find(account: string, id: string): Promise<OffsetView> {
    const view = await awaitRecorded(this.signals.recorded, id, async () => {
      const [row] = await this.rows.query<{ record: unknown }>(account, OFFSET_SQL, [id]);
      return row && offsetView(offsetRecord.parse(row.record));
    });
    return requireCurrent(this.rows, view, ({ status }) => isFinalStatus(status));
  }
}
