import { setTimeout as sleep } from 'node:timers/promises';
import { TransientError } from '@carbon/http';
import { SharedBatches } from '@carbon/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { type Allocated, allocateCredits } from '../domain/allocation.js';
import type { OffsetRow } from '../domain/offset-row.js';
import { Preference } from '../domain/preference.js';
import { OffsetMetrics, type StatusChange } from '../metrics/offset-metrics.js';
import { RelayQueue } from '../outbox/outbox-relay.js';
import type { OutboxRow } from '../outbox/outbox-rows.js';
import { BatchSize } from '../persistence/batch-size.js';
import { Database, type Query } from '../persistence/database.js';
import { insertOffsets, notCreatedAfter, updateOffsets, type WrittenRows } from '../persistence/offset-rows.js';
import { Registry } from '../registry/registry.js';
import type { Retirements } from './ledger.js';
import { MAX_BATCH_SIZE, QueuedOffsets } from './queued-offsets.js';
import { ReadinessGate } from './readiness-gate.js';
import { type LockedSupply, lockPreferred } from './supply-rows.js';
import { WakeSignals } from './wake-signal.js';
import { finalStatusChange, writeCompletion } from './write-outcomes.js';

/** Rows that are written as completed, and what is known about the locked assets. */
interface RowsBeingWritten extends WrittenRows, Pick<Retirements, 'heads'> {
  /** Until it resolves, the rows are still being written. */
  readonly written?: Promise<unknown>;
}
/** Writes rows as completed, with the dates of both status changes. */
type WriteRows = (query: Query, rows: readonly OffsetRow[]) => Promise<RowsBeingWritten>;
/** Completes allocated offsets in the transaction that allocated their credits. */
type Complete = (
  query: Query,
  allocated: readonly Allocated<OffsetRow>[],
  write: WriteRows,
) => Promise<readonly StatusChange[]>;

const NONE: ReadonlySet<OffsetRow> = new Set();
/** Until this long after the start, batches wait for the supply instead of being queued. */
const READINESS_WAIT_MS = 5_000;

/** Another delivery has recorded an offset of the batch meanwhile: the transaction must write nothing. */
class AlreadyRecorded extends Error {
  override readonly name = 'AlreadyRecorded';
}

/**
 * The single-transaction path: decides offsets and writes supply, ledger, rows and outbox in one transaction. No reservation and no
 * lease of the offsets is needed, because the rows stay locked until the commit. Used unless an external registry retires the credits.
 */
@Injectable()
export class SingleTransactionPath {
  private readonly logger = new Logger(SingleTransactionPath.name);
  private readonly size = new BatchSize(MAX_BATCH_SIZE);
  private readonly stopping = new AbortController();
  /** Resolves when the supply is known or READINESS_WAIT_MS have passed. */
  private readonly readiness: Promise<unknown>;
  /** Concurrent batches of one process would only contend for the supply rows, on a connection each. */
  private readonly batches = new SharedBatches(MAX_BATCH_SIZE, (offsets: readonly OffsetRow[]) =>
    this.completeBatch(eligibleOf(offsets)),
  );

  constructor(
    private readonly database: Database,
    private readonly gate: ReadinessGate,
    private readonly preference: Preference,
    private readonly registry: Registry,
    private readonly queued: QueuedOffsets,
    private readonly signals: WakeSignals,
    private readonly relayQueue: RelayQueue = new RelayQueue(),
    private readonly metrics?: OffsetMetrics,
  ) {
    const { signal } = this.stopping;
    const timeout = sleep(READINESS_WAIT_MS, undefined, { ref: false, signal }).catch(() => {});
    this.readiness = Promise.race([gate.opened, timeout]);
  }

  /**
   * Records and completes the new offsets that name no estimate and find enough credits in the preferred assets, in one transaction
   * with those of other calls that wait. Returns all offsets that the transaction completed; of the caller's others nothing is written, so
   * it must record them. Never rejects.
   */
  async completeNew(offsets: readonly OffsetRow[]): Promise<ReadonlySet<OffsetRow>> {
    const eligible = eligibleOf(offsets);
    if (eligible.length === 0 || this.registry.isExternal) return NONE;
    await this.readiness;
    try {
      return await this.batches.submit(eligible);
    } catch (error) {
      if (error instanceof TransientError)
        this.logger.warn(
          'A batch of requests was not completed in one transaction, because of a temporary failure; they are queued.',
          error,
        );
      else if (!(error instanceof AlreadyRecorded))
        this.logger.error('A batch of requests cannot be completed in one transaction; they are queued.', error);
      return NONE;
    }
  }

  /** Completes or fails one batch of queued offsets. Returns whether there was any. */
  completeQueued(): Promise<boolean> {
    return this.withRelayedEvents((complete) =>
      this.queued.decide((query, allocated) => complete(query, allocated, updateQueued)),
    );
  }

  /** Completes no new offsets from now on; resolves when none is in progress, so that the relay can publish the last events. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.batches.idle();
  }

  private async completeBatch(offsets: readonly OffsetRow[]): Promise<ReadonlySet<OffsetRow>> {
    if (!this.gate.isOpen || this.stopping.signal.aborted) return NONE;
    const { allocated, statusChanges } = await this.size.withCurrentSize((limit) =>
      this.withRelayedEvents((complete) =>
        this.database.transaction((query) => this.allocateNew(query, offsets.slice(0, limit), complete), {
          beginsWithRead: true,
        }),
      ),
    );
    if (allocated.length === 0) return NONE;
    this.signals.recorded.notify(allocated.map(({ offset }) => offset.id));
    this.metrics?.countRecorded(allocated.map(() => undefined));
    this.metrics?.observeBatch(allocated.length);
    this.metrics?.countStatusChanges(statusChanges);
    return new Set(allocated.map(({ offset }) => offset));
  }

  /** Leaves out an offset without enough credits: which offset fails is decided among all queued offsets. */
  private async allocateNew(query: Query, offsets: readonly OffsetRow[], complete: Complete) {
    // Locks nothing if one of these is already recorded: a redelivered batch must not delay others, and a worker that has locked
    // the row of such an offset may be waiting for the supply.
    const ids = offsets.map(({ id }) => id);
    const locked = await lockPreferred(query, this.preference, ids);
    if (locked === undefined) return { allocated: [], statusChanges: [] };
    const allocated = allocateCredits(offsets, locked.supplies, this.preference).filter((one) => 'lines' in one);
    return { allocated, statusChanges: await complete(query, allocated, insertNew(locked)) };
  }

  /** Leases the events of a transaction to the relay of this process, and hands them to it after the commit. */
  private async withRelayedEvents<T>(transact: (complete: Complete) => Promise<T>): Promise<T> {
    const fence = this.database.fence.required();
    const token = this.relayQueue.leaseToken();
    let since = 0;
    let events: readonly OutboxRow[] = [];
    const outcome = await transact(async (query, allocated, write) => {
      // Before the statement that begins the lease: its response may arrive much later, as after a pause of the process.
      since = performance.now();
      const completed = await completeAllocated(query, allocated, write, token);
      events = completed.events;
      return completed.statusChanges;
    });
    if (events.length === 0) return outcome;
    if (token !== undefined) this.relayQueue.push({ fence, token, since, rows: events });
    this.signals.decided.notify();
    return outcome;
  }
}

/** The first row of each id, unless it is rejected or names an estimate. */
function eligibleOf(offsets: readonly OffsetRow[]): OffsetRow[] {
  const firsts = new Map<string, OffsetRow>();
  for (const offset of offsets) if (!firsts.has(offset.id)) firsts.set(offset.id, offset);
  return [...firsts.values()].filter(({ failure, estimateId }) => failure === null && estimateId === null);
}

/** The rows of the assets must be locked. @param token leases the events to the relay that knows it */
async function completeAllocated(
  query: Query,
  allocated: readonly Allocated<OffsetRow>[],
  write: WriteRows,
  token: string | undefined,
): Promise<{ statusChanges: readonly StatusChange[]; events: readonly OutboxRow[] }> {
  if (allocated.length === 0) return { statusChanges: [], events: [] };
  const decided = allocated.map(({ offset, costMicros }) => ({ ...offset, costMicros }));
  const { rows, at, heads, written } = await write(query, decided);
  const lines = allocated.flatMap((one) => one.lines.map((line) => ({ ...line, offset: one.offset.id })));
  const completing = writeCompletion(query, { rows, at, lines, areReserved: false, token, heads });
  const [events] = await Promise.all([completing, written]);
  const statusChanges = rows.flatMap((row): StatusChange[] => {
    const completed = finalStatusChange(row, 'processing', 'completed', at);
    return [
      { from: 'queued', to: 'processing', seconds: completed.seconds },
      { ...completed, seconds: 0 },
    ];
  });
  return { statusChanges, events };
}

/** The ledger and the events are built while the server writes the rows. `written` rejects with AlreadyRecorded. */
function insertNew({ at, heads }: LockedSupply): WriteRows {
  return async (query, rows) => {
    const insert = async () => {
      if ((await insertOffsets(query, rows)).rows.length < rows.length) throw new AlreadyRecorded();
    };
    return { rows: notCreatedAfter(at, rows), at, heads, written: insert() };
  };
}

async function updateQueued(query: Query, rows: readonly OffsetRow[]): Promise<WrittenRows> {
  return { rows, at: await updateOffsets(query, ['queued', 'processing', 'completed'], rows) };
}
