import type { LookedUpOffset, LookedUpViews, OffsetView } from '@carbon/contracts';
import { Injectable } from '@nestjs/common';
import { WakeSignals } from '../fulfillment/wake-signal.js';
import { OFFSET_BY_ID, OFFSET_OF_PAIR, OwnRows } from '../persistence/own-rows.js';
import { awaitRecorded, isFinalStatus, requireCurrent } from './await-recorded.js';
import {
  OFFSET_LINES,
  type OffsetViewRow,
  offsetView,
  offsetViewRow,
  rowsByOffset,
  VIEW_COLUMNS,
} from './offset-view.js';
import { MAX_ROWS } from './page-statement.js';

/** The statement of {@link OffsetReader.find}. */
export const OFFSET_SQL = `SELECT ${VIEW_COLUMNS} FROM ${OFFSET_BY_ID} ${OFFSET_LINES} WHERE account = $1` as const;

/** The statement of {@link OffsetReader.findMany}. */
export const OFFSETS_SQL = `SELECT ${VIEW_COLUMNS}
  FROM unnest($1::text[], $2::text[]) AS own (account, id) ${OFFSET_OF_PAIR} ${OFFSET_LINES}
  ORDER BY offsets.id LIMIT ${MAX_ROWS}` as const;

/** Characters of the views in one response, give or take a view. The gateway refuses a response of more than 8 MiB. */
const MAX_VIEWS_LENGTH = 1_000_000;

/** Reads offsets by id. */
@Injectable()
export class OffsetReader {
  constructor(
    private readonly rows: OwnRows,
    private readonly signals: WakeSignals,
  ) {}

  /** Returns the view of an offset; waits up to 1 s for a new one. @throws RequestError `not_found`; FenceLost */
  async find(account: string, id: string): Promise<OffsetView> {
    const view = await awaitRecorded(this.signals.recorded, id, async () => {
      const rows = await this.rows.query<OffsetViewRow>(account, OFFSET_SQL, [id]);
      const [offset] = rowsByOffset(rows.map((row) => offsetViewRow.parse(row)));
      return offset && offsetView(offset);
    });
    return requireCurrent(this.rows, view, ({ status }) => isFinalStatus(status));
  }

  /**
   * Returns the views of offsets of any accounts, without waiting for new ones. A final view is true of any state of the database;
   * every other one is returned only if the same snapshot shows that the database is the verified one. Offsets beyond a number
   * of rows or a size are null: the gateway reads them alone.
   */
  async findMany(offsets: readonly LookedUpOffset[]): Promise<LookedUpViews> {
    const { rows, isCurrent } = await this.rows.queryByPair(offsets, offsetViewRow, OFFSETS_SQL);
    // Where rows were left out, some may be of the last offset.
    const last = rows.length === MAX_ROWS ? rows.at(-1)?.id : undefined;
    const found = rowsByOffset(rows.filter(({ id }) => id !== last));
    let length = 0;
    const views = offsets.map(({ account, id }) => {
      const own = found.find(([row]) => row.id === id && row.account === account);
      if (own === undefined || length > MAX_VIEWS_LENGTH || !(isCurrent || isFinalStatus(own[0].status))) return null;
      const view = JSON.stringify(offsetView(own));
      length += view.length;
      return view;
    });
    return { views };
  }
}
