import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { allocate } from '../domain/allocation.js';
import type { Claim } from '../domain/claim.js';
import { INSUFFICIENT_SUPPLY } from '../domain/failure.js';
import { Bells } from '../pace/bell.js';
import { Database, type Query } from '../persistence/database.js';
import { failOffsets } from './fail-offsets.js';
import { holdCredits } from './hold-credits.js';
import { lockDemands, lockSupply } from './lock-rows.js';

/** Assets locked at first, and how many times more whenever those do not hold enough. */
const FIRST_WIDTH = 16;
const WIDER = 8;

interface Outcome {
  readonly claim: Claim;
  readonly failed: number;
}

/** Takes queued offsets, oldest first, and gives each its credits or its failure: `queued → processing | failed`. */
@Injectable()
export class ReserveCredits {
  constructor(
    private readonly database: Database,
    private readonly bells: Bells,
  ) {}

  /** One batch, held under a lease for whoever retires it; undefined when nothing was queued. */
  async run(): Promise<Claim | undefined> {
    for (let width = FIRST_WIDTH; ; width *= WIDER) {
      const outcome = await this.database.transaction((query) => reserve(query, width));
      if (outcome === 'too narrow') continue;
      if (outcome?.failed) this.bells.decided.ring();
      return outcome?.claim;
    }
  }
}

/**
 * Locks, decides and writes in one transaction. `too narrow`: nothing was written, since an offset came out short while
 * assets beyond the `width` preferred ones were not looked at.
 */
async function reserve(query: Query, width: number): Promise<Outcome | 'too narrow' | undefined> {
  const demands = await lockDemands(query);
  if (demands.length === 0) return undefined;
  const { supplies, isEverything } = await lockSupply(query, width);
  const decisions = allocate(demands, supplies);
  const failures = decisions.filter((decision) => 'failure' in decision);
  if (!isEverything && failures.some(({ failure }) => failure === INSUFFICIENT_SUPPLY)) return 'too narrow';
  const orders = decisions.filter((decision) => 'lines' in decision);
  const token = randomUUID();
  await holdCredits(query, token, orders);
  await failOffsets(query, failures);
  return { claim: { token, orders }, failed: failures.length };
}
