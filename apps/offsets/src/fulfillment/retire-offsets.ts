import { Injectable } from '@nestjs/common';
import type { Served } from '../domain/allocation.js';
import type { Claim } from '../domain/claim.js';
import type { StatusChange } from '../metrics/offset-metrics.js';
import { OffsetMetrics } from '../metrics/offset-metrics.js';
import { RelayQueue } from '../outbox/outbox-relay.js';
import type { OutboxRow } from '../outbox/outbox-rows.js';
import { BatchSize } from '../persistence/batch-size.js';
import { Database, type Query } from '../persistence/database.js';
import { AskRegistry } from '../registry/ask-registry.js';
import { Registry } from '../registry/registry.js';
import { Bells } from './bell.js';
import { layAside } from './lay-aside.js';
import { holding } from './lease.js';
import { type Complete, retireAtOnce } from './retire-at-once.js';
import { SettleAnswers } from './settle-answers.js';
import { takeOver } from './take-over.js';

/** What becomes of offsets that are given their credits, in the same transaction; queued ones unless it is told how to complete them. */
export type Settle = (query: Query, served: readonly Served[], complete?: Complete) => Promise<readonly StatusChange[]>;

/** Offsets taken over at once. */
const BATCH = 500;

/** Has the credits of held offsets retired and settles them: `processing → completed | failed`. */
@Injectable()
export class RetireOffsets {
  private readonly size = new BatchSize(BATCH);

  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    private readonly settleAnswers: SettleAnswers,
    private readonly askRegistry: AskRegistry,
    private readonly bells: Bells,
    private readonly numbers?: OffsetMetrics,
    private readonly fresh: RelayQueue = new RelayQueue(),
  ) {}

  /** Whether credits are retired in the transaction that gives them. */
  get settlesAtOnce(): boolean {
    return this.registry.isAtHand;
  }

  /**
   * Retires what this worker holds, where the registry is at hand; else gives it to those who ask the registry, so that
   * nothing else waits for that. What it does not hold any more it leaves alone.
   */
  async run(claim: Claim): Promise<void> {
    if (claim.orders.length === 0) return;
    if (this.registry.isAtHand) await this.retire(claim);
    else await this.handOver(claim);
  }

  /**
   * Lets `reserve` retire what it gives credits to in its own transaction, where the registry is at hand. Their events go to
   * the relay of this process once that is committed.
   */
  async atOnce<T>(reserve: (settle?: Settle) => Promise<T>): Promise<T> {
    if (!this.settlesAtOnce) return reserve();
    const fence = this.database.fence.required();
    const token = this.fresh.leaseToken();
    let since = 0;
    let events: readonly OutboxRow[] = [];
    const outcome = await reserve(async (query, served, complete) => {
      const retired = await retireAtOnce(query, served, { token, complete });
      events = retired.events;
      since = performance.now();
      return retired.moves;
    });
    if (token !== undefined) this.fresh.push({ fence, token, since, rows: events });
    this.bells.decided.ring();
    return outcome;
  }

  /** Takes over offsets that nobody holds, as many as there is room for; says whether there may be more. */
  async sweep(): Promise<boolean> {
    if (!this.registry.isAtHand) return this.askRegistry.run();
    const claim = await this.size.fitting((most) =>
      this.database.transaction((query) => takeOver(query, most, true, 0)),
    );
    this.numbers?.tookOver('offsets', claim.orders.length);
    await this.run(claim);
    return claim.orders.length > 0;
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    await this.askRegistry.stop();
  }

  private async retire({ token, orders }: Claim): Promise<void> {
    const offsets = orders.map(({ offset }) => offset);
    await holding(this.database.urgent, 'offsets', token, offsets, () => this.settle({ token, orders }));
  }

  private async settle({ token, orders }: Claim): Promise<void> {
    const answers = await this.registry.retire(orders);
    const lines = new Map(orders.map((order) => [order.offset, order.lines.length]));
    const settlements = [...answers].map(([offset, answer]) => ({
      offset,
      token,
      answer,
      lines: lines.get(offset) ?? 0,
    }));
    await this.settleAnswers.run(settlements);
  }

  private async handOver({ token, orders }: Claim): Promise<void> {
    const offsets = orders.map(({ offset }) => ({ offset, token, waitMs: 0 }));
    await this.database.transaction((query) => layAside(query, offsets));
    this.bells.reserved.ring();
  }
}
