import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { allocate, type Demand } from '../domain/allocation.js';
import type { Claim } from '../domain/claim.js';
import { INSUFFICIENT_SUPPLY } from '../domain/failure.js';
import { Preference } from '../domain/preference.js';
import type { Move } from '../metrics/move.js';
import { ProgressNumbers } from '../metrics/progress-numbers.js';
import { Bells } from '../pace/bell.js';
import { Database, type Query } from '../persistence/database.js';
import { widening } from '../persistence/preferred-supply.js';
import { cutBatch } from './cut-batch.js';
import { failOffsets } from './fail-offsets.js';
import { holdCredits } from './hold-credits.js';
import { lockQueued, lockSupply } from './lock-rows.js';
import { lockTerms } from './lock-terms.js';

interface Outcome {
  readonly claim: Claim;
  readonly failed: number;
  readonly moves: readonly Move[];
}

/** Takes queued offsets, oldest first, and gives each its credits or its failure: `queued → processing | failed`. */
@Injectable()
export class ReserveCredits {
  constructor(
    private readonly database: Database,
    private readonly bells: Bells,
    private readonly preference: Preference,
    private readonly numbers?: ProgressNumbers,
  ) {}

  /** One batch, held under a lease for whoever retires it; undefined when nothing was queued. */
  async run(): Promise<Claim | undefined> {
    const outcome = await widening((width) =>
      this.database.transaction((query) => reserve(query, this.preference, width)),
    );
    if (outcome?.failed) this.bells.decided.ring();
    if (outcome) this.count(outcome);
    return outcome?.claim;
  }

  private count({ moves }: Outcome): void {
    this.numbers?.decided(moves.length);
    this.numbers?.moved(moves);
  }
}

/**
 * Locks, decides and writes in one transaction; what `cutBatch` leaves out or `allocate` leaves undecided stays queued.
 * `too narrow`: nothing was written, since an offset came out short while assets beyond the `width` preferred ones were not
 * looked at.
 */
async function reserve(
  query: Query,
  preference: Preference,
  width: number,
): Promise<Outcome | 'too narrow' | undefined> {
  const queued = await lockQueued(query);
  if (queued.length === 0) return undefined;
  const demands = await lockTerms(query, await cutBatch(query, queued));
  const { supplies, isEverything } = await lockSupply(query, { preference, width, promised: promisedTo(demands) });
  const decisions = allocate(demands, supplies, preference);
  const failures = decisions.filter((decision) => 'failure' in decision);
  if (!isEverything && failures.some(({ failure }) => failure === INSUFFICIENT_SUPPLY)) return 'too narrow';
  const orders = decisions.filter((decision) => 'lines' in decision);
  const token = randomUUID();
  const held = await holdCredits(query, token, orders);
  const failed = await failOffsets(query, failures);
  return { claim: { token, orders }, failed: failures.length, moves: [...held, ...failed] };
}

/** The assets that estimates hold for these demands. */
function promisedTo(demands: readonly Demand[]): string[] {
  return demands.flatMap(({ terms }) => (terms && 'lines' in terms ? terms.lines.map(({ asset }) => asset) : []));
}
