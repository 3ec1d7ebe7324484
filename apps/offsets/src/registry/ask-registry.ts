import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Bells } from '../fulfillment/bell.js';
import { Gathering } from '../fulfillment/gathering.js';
import { holding, isStale } from '../fulfillment/lease.js';
import { SettleAnswers, type Settlement } from '../fulfillment/settle-answers.js';
import { type AttemptedClaim, takeOver } from '../fulfillment/take-over.js';
import { Database } from '../persistence/database.js';
import { type BackOff, pauseAfter } from './back-off.js';
import { type AttemptedOrder, Registry, type RegistryAnswer } from './registry.js';

/** How long calls under way may go on once we are to stop. */
const GRACE_MS = 1_000;
/** Offsets are taken up when at least the so-manieth part of all calls is free. */
const LEAST_PART = 4;
/** Answers that may wait to be written down. */
const MOST_SETTLING = 500;
/** How often an answer is written down before it is forgotten; a process that sleeps locks rows for up to 5 s. */
const WRITES = 10;
const WRITE_AGAIN_MS = 500;
const NOTHING_KNOWN: RegistryAnswer = { outcome: 'unknown', reason: 'nothing was said about it' };

/** The pauses between attempts at one offset, and after how many vain ones each somebody should look. */
export abstract class AskSettings implements BackOff {
  abstract readonly firstMs: number;
  abstract readonly lastMs: number;
  abstract readonly alarmAttempts: number;
}

/**
 * Asks a registry that is elsewhere, about as many offsets at a time as it bears, whoever reserved them and whichever
 * process did. Each is settled as soon as its answer is there; one about which nothing is known is laid aside, for longer
 * each time and without end.
 */
@Injectable()
export class AskRegistry {
  private readonly logger = new Logger(AskRegistry.name);
  private readonly stopping = new AbortController();
  private readonly claims = new Set<Promise<void>>();
  private readonly settlements: Gathering<Settlement>;
  private calling = 0;
  private settling = 0;
  private isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    settleAnswers: SettleAnswers,
    private readonly bells: Bells,
    private readonly config: AskSettings,
  ) {
    this.settlements = new Gathering((settlements) => settleAnswers.run(settlements));
  }

  /** Takes up as many due offsets as there is room for, without waiting for the answers; says whether there may be more. */
  async run(): Promise<boolean> {
    const room = this.room();
    if (room === 0) return false;
    const { isAtHand } = this.registry;
    const sentAt = performance.now();
    const claim = await this.database.transaction((query) => takeOver(query, room, isAtHand, this.config.lastMs));
    if (claim.orders.length === 0 || isStale(sentAt)) return false;
    this.calling += claim.orders.length;
    const asked = this.ask(claim);
    this.claims.add(asked);
    void asked.finally(() => this.claims.delete(asked));
    return claim.orders.length === room;
  }

  /** Begins nothing more, and gives up soon what is under way: its outcome is unknown, for another to find out. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const done = Promise.all(this.claims);
    await Promise.race([done, sleep(GRACE_MS, undefined, { ref: false })]);
    this.stopping.abort(new Error('we are stopping'));
    await done;
  }

  /**
   * The registry is asked on while answers are written down, as long as those do not pile up. A little room is left to grow,
   * for to take up one offset costs as much as to take up several.
   */
  private room(): number {
    if (this.isStopped || this.settling >= MOST_SETTLING) return 0;
    const room = this.registry.room(this.calling);
    return room * LEAST_PART < room + this.calling ? 0 : room;
  }

  private async ask({ token, orders }: AttemptedClaim): Promise<void> {
    const offsets = orders.map(({ offset }) => offset);
    await holding(this.database.urgent, 'offsets', token, offsets, async () => {
      await Promise.all(orders.map((order) => this.askAbout(order, token)));
    });
  }

  private async askAbout(order: AttemptedOrder, token: string): Promise<void> {
    const { offset } = order;
    const answer = await this.answerAbout(order);
    this.settling += 1;
    this.bells.reserved.ring();
    try {
      await this.writeDown({ offset, token, answer, lines: linesOf(order, answer) });
    } catch (error) {
      // The lease runs out by itself, and then it is asked about again, by whoever comes first.
      this.logger.warn('An answer was not written down; the registry will be asked again.', error, { id: offset });
    } finally {
      this.settling -= 1;
      this.bells.reserved.ring();
    }
  }

  /** Tries again while the offset is held: the answer is known only here, and to let the lease run out costs 8 s more. */
  private async writeDown(settlement: Settlement): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.settlements.add(settlement);
      } catch (error) {
        if (failures === WRITES || this.isStopped) throw error;
        await sleep(WRITE_AGAIN_MS);
      }
    }
  }

  private async answerAbout(order: AttemptedOrder): Promise<RegistryAnswer> {
    try {
      const answers = await this.registry.retire([order], this.stopping.signal);
      return this.timed(order, answers.get(order.offset) ?? NOTHING_KNOWN);
    } catch (error) {
      this.logger.error('The registry could not be asked: a fault of ours.', error, { id: order.offset });
      return this.timed(order, NOTHING_KNOWN);
    } finally {
      this.calling -= 1;
    }
  }

  /** With the time after which it is asked again, where nothing is known. */
  private timed({ offset, attempt = 1 }: AttemptedOrder, answer: RegistryAnswer): RegistryAnswer {
    if (answer.outcome !== 'unknown') return answer;
    if (this.stopping.signal.aborted) return { ...answer, waitMs: 0 };
    const facts = { id: offset, attempts: attempt, reason: answer.reason };
    if (attempt % this.config.alarmAttempts === 0) {
      this.logger.error('The registry still does not say what became of an offset.', facts);
    } else this.logger.warn('The registry did not say what became of an offset; it is asked again.', facts);
    const waitMs = Math.max(pauseAfter(attempt, this.config), answer.waitMs ?? 0);
    return { ...answer, waitMs };
  }
}

/** How much its settlement writes. */
function linesOf({ lines }: AttemptedOrder, answer: RegistryAnswer): number {
  return Math.max(lines.length, (answer.outcome === 'retired' && answer.lines?.length) || 0);
}
