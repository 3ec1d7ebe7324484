import type { Batch, Message, RejectedMessage } from '@carbon/messaging';
import { Injectable } from '@nestjs/common';
import { failedEvent } from '../domain/outcome.js';
import type { RequestedOffset } from '../domain/request.js';
import { Bells } from '../fulfillment/bell.js';
import { ProgressNumbers } from '../metrics/progress-numbers.js';
import { addToOutbox } from '../outbox/outbox.js';
import { inHalves } from '../persistence/batch-size.js';
import { Database, type Query } from '../persistence/database.js';
import { type Inserted, insertOffsets } from './insert-offsets.js';
import { type NewOffset, newOffset } from './new-offset.js';

/** A request and the message it came in. */
interface Arrival {
  readonly position: bigint;
  readonly offset: NewOffset;
}

type Known = Pick<RequestedOffset, 'id' | 'account' | 'fingerprint'>;

/** Records requested offsets: one row each, whatever is delivered twice. */
@Injectable()
export class RecordOffsets {
  constructor(
    private readonly database: Database,
    private readonly bells: Bells,
    private readonly numbers?: ProgressNumbers,
  ) {}

  /** Gives the requests that conflict with what is recorded: another wish under the same id. */
  async run({ messages }: Batch<RequestedOffset>): Promise<RejectedMessage[]> {
    const arrivals = messages.flatMap(arrival);
    if (arrivals.length === 0) return [];
    return (await inHalves(arrivals, (some) => this.record(some))).flat();
  }

  private async record(arrivals: readonly Arrival[]): Promise<RejectedMessage[]> {
    const { known, inserted } = await this.database.transaction((query) => record(query, arrivals));
    this.numbers?.recorded(inserted.map(({ offset }) => offset.failure?.code));
    this.bells.queued.ring();
    if (arrivals.some(({ offset }) => offset.failure)) this.bells.decided.ring();
    return arrivals.filter(({ offset }) => !agree(offset, known.get(offset.id))).map(conflict);
  }
}

/** One transaction; gives what is recorded under each of the ids afterwards, and what of it is new. */
async function record(
  query: Query,
  arrivals: readonly Arrival[],
): Promise<{ known: Map<string, Known>; inserted: readonly Inserted[] }> {
  const firsts = new Map<string, NewOffset>();
  for (const { offset } of arrivals) if (!firsts.has(offset.id)) firsts.set(offset.id, offset);
  const inserted = await insertOffsets(query, [...firsts.values()]);
  await addToOutbox(query, inserted.flatMap(failedOutcome));
  const known = new Map<string, Known>(inserted.map(({ offset }) => [offset.id, offset]));
  const others = [...firsts.keys()].filter((id) => !known.has(id));
  if (others.length === 0) return { known, inserted };
  const rows = await query<Known>('SELECT id, account, fingerprint FROM offsets WHERE id = ANY ($1)', [others]);
  for (const row of rows) known.set(row.id, row);
  return { known, inserted };
}

function arrival(message: Message<RequestedOffset>): Arrival[] {
  const offset = newOffset(message);
  return offset === undefined ? [] : [{ position: message.position, offset }];
}

function failedOutcome({ offset, createdAt, at }: Inserted) {
  if (offset.failure === undefined) return [];
  const data = failedEvent({ ...offset, createdAt }, offset.failure, at);
  return [{ type: 'offset.failed.v1', data, traceparent: offset.traceparent } as const];
}

function agree(one: Known, other: Known | undefined): boolean {
  return one.fingerprint === other?.fingerprint && one.account === other.account;
}

function conflict({ position }: Arrival): RejectedMessage {
  return { position, code: 'idempotency_conflict', detail: 'Another request is recorded under this id.' };
}
