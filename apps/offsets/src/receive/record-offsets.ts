import type { Message, RejectedMessage } from '@carbon/messaging';
import { Injectable } from '@nestjs/common';
import type { OffsetRow } from '../domain/offset-row.js';
import { WakeSignals } from '../fulfillment/wake-signal.js';
import { failedOutcomes } from '../fulfillment/write-outcomes.js';
import { OffsetMetrics } from '../metrics/offset-metrics.js';
import { addToOutbox } from '../outbox/outbox-rows.js';
import { splitIfTooLarge } from '../persistence/batch-size.js';
import { Database, type Query } from '../persistence/database.js';
import { insertOffsets } from '../persistence/offset-rows.js';
import { type RequestedRow, rowOf } from './requests.js';

/** A message's position and the row that it requests. */
export interface ReceivedRequest {
  readonly position: bigint;
  readonly row: OffsetRow;
}

/** Concurrent transactions. */
const LANES = 3;

type Identity = Pick<OffsetRow, 'id' | 'account' | 'fingerprint'>;

/** The arrivals in messages, without those that have no value. */
export function receivedRequests(messages: readonly Message<RequestedRow>[]): ReceivedRequest[] {
  return messages.flatMap((message) => {
    const row = rowOf(message);
    return row === undefined ? [] : [{ position: message.position, row }];
  });
}

/** Records requests as `queued`, or as `failed` if they are rejected: one row for each id, however often it is delivered. */
@Injectable()
export class OffsetRecorder {
  /** The last transaction of each lane: the calls of several partitions must leave connections of the pool to others. */
  private readonly lanes: Promise<unknown>[] = [];
  private calls = 0;

  constructor(
    private readonly database: Database,
    private readonly signals: WakeSignals,
    private readonly metrics?: OffsetMetrics,
  ) {}

  /** Returns the requests that conflict with another request recorded under their id. */
  async run(arrivals: readonly ReceivedRequest[]): Promise<RejectedMessage[]> {
    if (arrivals.length === 0) return [];
    const lane = this.calls++ % LANES;
    const turn = (this.lanes[lane] ?? Promise.resolve()).then(() =>
      splitIfTooLarge(arrivals, (some) => this.record(some)),
    );
    this.lanes[lane] = turn.catch(() => {});
    return (await turn).flat();
  }

  private async record(arrivals: readonly ReceivedRequest[]): Promise<RejectedMessage[]> {
    const { recorded, added } = await this.database.transaction((query) => record(query, arrivals));
    this.metrics?.countRecorded(added.map(({ failure }) => failure?.code));
    this.signals.queued.notify();
    this.signals.recorded.notify(recorded.keys());
    if (added.some(({ failure }) => failure !== null)) this.signals.decided.notify();
    return arrivals.filter(({ row }) => !isReplay(row, recorded.get(row.id))).map(conflict);
  }
}

/** One transaction. Returns what is recorded under each id afterwards, and the rows that are new. */
async function record(
  query: Query,
  arrivals: readonly ReceivedRequest[],
): Promise<{ recorded: ReadonlyMap<string, Identity>; added: readonly OffsetRow[] }> {
  const firsts = new Map<string, OffsetRow>();
  for (const { row } of arrivals) if (!firsts.has(row.id)) firsts.set(row.id, row);
  const { rows: added, at } = await insertOffsets(query, [...firsts.values()]);
  await addToOutbox(query, failedOutcomes(added, at));
  const recorded = new Map<string, Identity>(added.map((row) => [row.id, row]));
  const others = [...firsts.keys()].filter((id) => !recorded.has(id));
  if (others.length === 0) return { recorded, added };
  const rows = await query<Identity>('SELECT id, account, fingerprint FROM offsets WHERE id = ANY ($1)', [others]);
  for (const row of rows) recorded.set(row.id, row);
  return { recorded, added };
}

function isReplay(one: Identity, other: Identity | undefined): boolean {
  return one.fingerprint === other?.fingerprint && one.account === other.account;
}

function conflict({ position }: ReceivedRequest): RejectedMessage {
  return { position, code: 'idempotency_conflict', detail: 'Another request is recorded under this id.' };
}
