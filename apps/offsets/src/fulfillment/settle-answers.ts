import { TransientError } from '@carbon/http';
import { Injectable, Logger } from '@nestjs/common';
import type { StatusChange } from '../metrics/offset-metrics.js';
import { OffsetMetrics } from '../metrics/offset-metrics.js';
import { Database, type Query } from '../persistence/database.js';
import { isTooMuch } from '../persistence/database-errors.js';
import type { RegistryAnswer } from '../registry/registry.js';
import { Bells } from './bell.js';
import { completeOffsets, type RetiredOffset } from './complete-offsets.js';
import { type LaidAside, layAside } from './lay-aside.js';
import { lotsOf } from './lots.js';
import { type RefusedOffset, refuseOffsets } from './refuse-offsets.js';

/** What a registry answered about an offset that is held under `token`. */
export interface Settlement {
  readonly offset: string;
  readonly token: string;
  readonly answer: RegistryAnswer;
  /** How many lines are reserved for it. */
  readonly lines: number;
}

/** Puts what is known into the tables, each change in one transaction that asks for the token. */
@Injectable()
export class SettleAnswers {
  private readonly logger = new Logger(SettleAnswers.name);

  constructor(
    private readonly database: Database,
    private readonly bells: Bells,
    private readonly numbers?: OffsetMetrics,
  ) {}

  /** `processing → completed | failed`; where nothing is known, still `processing`, and due again. */
  async run(settlements: readonly Settlement[]): Promise<void> {
    for (const lot of lotsOf(settlements)) await this.settle(lot);
  }

  private async settle(settlements: readonly Settlement[]): Promise<void> {
    const retired: RetiredOffset[] = [];
    const refused: RefusedOffset[] = [];
    const aside: LaidAside[] = [];
    for (const { offset, token, answer } of settlements) {
      if (answer.outcome === 'retired') {
        if (answer.lines !== undefined)
          this.logger.warn('The lines that the registry had retired are adopted.', { id: offset });
        retired.push({ offset, token, reference: answer.reference, lines: answer.lines });
      } else if (answer.outcome === 'refused') refused.push({ offset, token, detail: answer.detail });
      else if (answer.waitMs !== undefined) aside.push({ offset, token, waitMs: answer.waitMs });
    }
    await this.inHalves(retired, completeOffsets);
    await this.inHalves(refused, refuseOffsets);
    await this.inHalves(aside, layAside);
    if (retired.length + refused.length > 0) this.bells.decided.ring();
  }

  /**
   * All in one transaction. When that fails for a reason of its own (no outage), or is too much at once, the offsets are halved
   * until the one that fails is alone: it stays held, to be tried again, and the others are settled.
   */
  private async inHalves<T extends { readonly offset: string }>(
    offsets: readonly T[],
    settle: (query: Query, offsets: readonly T[]) => Promise<readonly StatusChange[] | number>,
  ): Promise<void> {
    if (offsets.length === 0) return;
    try {
      const outcome = await this.database.transaction((query) => settle(query, offsets));
      const held = this.counted(outcome);
      if (held < offsets.length) this.tooLate(offsets.length - held);
    } catch (error) {
      if (error instanceof TransientError && !(isTooMuch(error) && offsets.length > 1)) throw error;
      if (offsets.length === 1) {
        this.logger.error('An offset cannot be settled; it is tried again.', error, { id: offsets[0]?.offset });
        return;
      }
      const middle = offsets.length >> 1;
      await this.inHalves(offsets.slice(0, middle), settle);
      await this.inHalves(offsets.slice(middle), settle);
    }
  }

  /** How many were held: where something has become of them, that is counted. */
  private counted(outcome: readonly StatusChange[] | number): number {
    if (typeof outcome === 'number') return outcome;
    this.numbers?.moved(outcome);
    return outcome.length;
  }

  private tooLate(count: number): void {
    this.logger.warn('Answers came too late: their offsets are not held any more.', { count });
  }
}
