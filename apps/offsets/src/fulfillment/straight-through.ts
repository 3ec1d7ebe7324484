import { setTimeout as sleep } from 'node:timers/promises';
import { TransientError } from '@carbon/http';
import type { Message } from '@carbon/messaging';
import { Injectable, Logger } from '@nestjs/common';
import { allocate, type Served } from '../domain/allocation.js';
import { Preference } from '../domain/preference.js';
import type { RequestedOffset } from '../domain/request.js';
import type { Move } from '../metrics/move.js';
import { ProgressNumbers } from '../metrics/progress-numbers.js';
import { BatchSize } from '../persistence/batch-size.js';
import { Database, type Query } from '../persistence/database.js';
import { type NewOffset, newOffset } from '../receive/new-offset.js';
import type { CompletedRow } from './completion.js';
import { SupplyGate } from './gate.js';
import { AlreadyRecorded, anyRecorded, insertCompleted, type NewlyCompleted } from './insert-completed.js';
import { lockSupply } from './lock-rows.js';
import { FIRST_WIDTH } from './preferred-supply.js';
import { RetireOffsets, type Settle } from './retire-offsets.js';

/** Requests by the positions they came at. */
type Arrivals = ReadonlyMap<bigint, NewOffset>;

interface Through {
  readonly served: readonly Served[];
  readonly moves: readonly Move[];
}

/** In one transaction; of what comes together beyond it, the rest is queued. */
const MOST = 1_000;
const NONE: ReadonlySet<bigint> = new Set();
/** A process that has just begun will soon know the supply, and would queue until then what it could complete a moment later. */
const BEGINNING_MS = 5_000;

/**
 * The short way of a request: received, given its credits, retired and its event written down in one transaction, so that it
 * is never seen queued. It is for those that nothing stands in the way of: nobody has recorded them, they name no estimate,
 * the registry is at hand, and the preferred assets hold enough.
 */
@Injectable()
export class StraightThrough {
  private readonly logger = new Logger(StraightThrough.name);
  private readonly size = new BatchSize(MOST);
  private readonly stopping = new AbortController();
  /** Resolves when the supply is known, or need not be waited for any more. */
  private readonly begun: Promise<unknown>;
  /** Those of one process take turns: in the database they would do nothing but wait for the supply, on a connection each. */
  private lastTurn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly gate: SupplyGate,
    private readonly preference: Preference,
    private readonly retireOffsets: RetireOffsets,
    private readonly numbers?: ProgressNumbers,
  ) {
    const { signal } = this.stopping;
    this.begun = Promise.race([gate.opened, sleep(BEGINNING_MS, undefined, { ref: false, signal }).catch(() => {})]);
  }

  /** The positions of those that are completed now. Of the others nothing is written: they are to be recorded. Never rejects. */
  async run(messages: readonly Message<RequestedOffset>[]): Promise<ReadonlySet<bigint>> {
    const arrivals = plainOnes(messages);
    if (arrivals.size === 0 || !this.retireOffsets.settlesAtOnce) return NONE;
    await this.begun;
    try {
      return await this.inTurn(() => this.pass(arrivals));
    } catch (error) {
      if (error instanceof TransientError) this.logger.warn('Requests are recorded first, if they can be.', error);
      else if (!(error instanceof AlreadyRecorded))
        this.logger.error('Requests cannot be completed as they come; they are recorded first.', error);
      return NONE;
    }
  }

  /** From here on all are recorded first; resolves when none is under way, so that the relay can announce what there is. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.lastTurn;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.lastTurn.then(work);
    this.lastTurn = turn.catch(() => {});
    return turn;
  }

  private async pass(arrivals: Arrivals): Promise<ReadonlySet<bigint>> {
    if (!this.gate.isOpen || this.stopping.signal.aborted) return NONE;
    const offsets = [...arrivals.values()];
    const through = await this.size.fitting((most) => this.completeSome(offsets.slice(0, most)));
    if (through === undefined) return NONE;
    const { served, moves } = through;
    this.numbers?.recorded(served.map(() => undefined));
    this.numbers?.decided(served.length);
    this.numbers?.moved(moves);
    const done = new Set(served.map(({ offset }) => offset));
    return new Set([...arrivals].flatMap(([position, { id }]) => (done.has(id) ? position : [])));
  }

  private completeSome(offsets: readonly NewOffset[]): Promise<Through | undefined> {
    return this.retireOffsets.atOnce(
      async (settle) => settle && this.database.transaction((query) => this.complete(query, offsets, settle)),
    );
  }

  /** Nothing is written where one is recorded already. One that would fail is left out: who fails is decided over all that is queued. */
  private async complete(query: Query, offsets: readonly NewOffset[], settle: Settle): Promise<Through | undefined> {
    // Asked before the supply is locked: a topic that is read again must hold nobody up, and who has such a row in hand may be
    // waiting for the supply.
    if (await anyRecorded(query, offsets)) return undefined;
    const supplies = await lockSupply(query, { preference: this.preference, width: FIRST_WIDTH, promised: [] });
    const demands = offsets.map(({ id, grams }) => ({ offset: id, grams }));
    const decisions = allocate(demands, supplies, this.preference);
    const served = decisions.filter((decision) => 'lines' in decision);
    if (served.length === 0) return undefined;
    const now = await timeOf(query);
    const byId = new Map(offsets.map((offset) => [offset.id, offset]));
    const moves = await settle(query, served, async () => {
      const completed = served.flatMap(({ offset, costMicros }) => atCost(costMicros, byId.get(offset)));
      await insertCompleted(query, completed);
      return completed.map((one) => rowOf(one, now));
    });
    return { served, moves };
  }
}

/** Each id once; one that names an estimate, or is to fail, takes the long way. */
function plainOnes(messages: readonly Message<RequestedOffset>[]): Arrivals {
  const arrivals = new Map<bigint, NewOffset>();
  const ids = new Set<string>();
  for (const message of messages) {
    const offset = newOffset(message);
    if (offset === undefined || ids.has(offset.id)) continue;
    ids.add(offset.id);
    if (offset.failure === undefined && offset.estimateId === undefined) arrivals.set(message.position, offset);
  }
  return arrivals;
}

/** The time of the transaction as a column would keep it. */
async function timeOf(query: Query): Promise<Date> {
  const [row] = await query<{ now: Date }>('SELECT now()::timestamptz(3) AS now');
  if (row === undefined) throw new Error('The database does not tell the time.');
  return row.now;
}

function atCost(costMicros: bigint, offset: NewOffset | undefined): NewlyCompleted[] {
  return offset === undefined ? [] : [{ ...offset, costMicros }];
}

/** The row as the database would give it. `now`: the transaction's. */
function rowOf(offset: NewlyCompleted, now: Date): CompletedRow {
  const { id, account, kgCO2e, customerRef, traceparent, appendedAt, grams, costMicros, fingerprint } = offset;
  return {
    ...{ id, account, traceparent, at: now, fingerprint },
    kg_co2e: kgCO2e,
    estimate_id: null,
    customer_ref: customerRef ?? null,
    created_at: appendedAt < now ? appendedAt : now,
    grams: String(grams),
    cost_micros: String(costMicros),
  };
}
