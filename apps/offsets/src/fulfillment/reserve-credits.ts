import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { allocate, type Decision, type Demand, type Served } from '../domain/allocation.js';
import type { Claim } from '../domain/claim.js';
import { INSUFFICIENT_SUPPLY } from '../domain/failure.js';
import { Preference } from '../domain/preference.js';
import type { StatusChange } from '../metrics/offset-metrics.js';
import { OffsetMetrics } from '../metrics/offset-metrics.js';
import { BatchSize } from '../persistence/batch-size.js';
import { Database, type Query } from '../persistence/database.js';
import { Bells } from './bell.js';
import { cutBatch } from './cut-batch.js';
import { failOffsets } from './fail-offsets.js';
import { holdCredits } from './hold-credits.js';
import { BATCH, lockQueued, lockSupply } from './lock-rows.js';
import { lockTerms } from './lock-terms.js';
import { hasOtherSupply, widening } from './preferred-supply.js';

/** What becomes of offsets at once that are given their credits, in the same transaction. */
export type Settle = (query: Query, served: readonly Served[]) => Promise<readonly StatusChange[]>;

interface Outcome {
  readonly claim: Claim;
  readonly decided: number;
  readonly hasFailed: boolean;
  readonly moves: readonly StatusChange[];
}

interface BatchTerms {
  readonly preference: Preference;
  /** How many of the preferred assets are looked at. */
  readonly width: number;
  /** How many offsets are decided at most. */
  readonly most: number;
  readonly settle: Settle | undefined;
}

/** Takes queued offsets, oldest first, and gives each its credits or its failure: `queued → processing | failed`. */
@Injectable()
export class ReserveCredits {
  private readonly size = new BatchSize(BATCH);

  constructor(
    private readonly database: Database,
    private readonly bells: Bells,
    private readonly preference: Preference,
    private readonly numbers?: OffsetMetrics,
  ) {}

  /**
   * One batch; undefined when nothing was queued. What gets its credits is held under a lease for whoever retires it, or, with
   * `settle`, settled there and then, and the claim is empty.
   */
  async run(settle?: Settle): Promise<Claim | undefined> {
    const outcome = await this.size.fitting((most) =>
      widening((width) =>
        this.database.transaction((query) => reserve(query, { preference: this.preference, width, most, settle })),
      ),
    );
    if (outcome?.hasFailed) this.bells.decided.ring();
    if (outcome) this.count(outcome);
    return outcome?.claim;
  }

  private count({ decided, moves }: Outcome): void {
    this.numbers?.decided(decided);
    this.numbers?.moved(moves);
  }
}

/**
 * Locks, decides and writes in one transaction. What `cutBatch` leaves out or `allocate` leaves undecided stays queued, and so
 * does what comes out short while assets come or go that could serve it: it is looked at again a little later. `too narrow`:
 * nothing was written, since one came out short among the `width` preferred assets, and there are more.
 */
async function reserve(
  query: Query,
  { preference, width, most, settle }: BatchTerms,
): Promise<Outcome | 'too narrow' | undefined> {
  const queued = await lockQueued(query, most);
  if (queued.length === 0) return undefined;
  const demands = await lockTerms(query, await cutBatch(query, queued, most));
  const supplies = await lockSupply(query, { preference, width, promised: promisedTo(demands) });
  const decisions = allocate(demands, supplies, preference);
  const open = supplies.filter(({ onlyOnTerms }) => onlyOnTerms !== true).map(({ asset }) => asset);
  const maySoonBeServed = decisions.some(isShort) && (await hasOtherSupply(query, open));
  if (maySoonBeServed && open.length >= width) return 'too narrow';
  const final = maySoonBeServed ? decisions.filter((decision) => !isShort(decision)) : decisions;
  const served = final.filter((decision) => 'lines' in decision);
  const failures = final.filter((decision) => 'failure' in decision);
  if (served.length + failures.length === 0) return undefined;
  const token = randomUUID();
  const given = settle ? await settle(query, served) : await holdCredits(query, token, served);
  const failed = await failOffsets(query, failures);
  return {
    claim: { token, orders: settle ? [] : served },
    decided: served.length + failures.length,
    hasFailed: failures.length > 0,
    moves: [...given, ...failed],
  };
}

function isShort(decision: Decision): boolean {
  return 'failure' in decision && decision.failure === INSUFFICIENT_SUPPLY;
}

/** The assets that estimates hold for these demands. */
function promisedTo(demands: readonly Demand[]): string[] {
  return demands.flatMap(({ terms }) => (terms && 'lines' in terms ? terms.lines.map(({ asset }) => asset) : []));
}
