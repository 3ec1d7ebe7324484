import { Logger } from '@nestjs/common';
import { GC_DELETES_MS } from '../index/index-body.js';
import { Outage } from '../open-search/refusal.js';

/** Ends this process because it cannot go on and a fresh one can. Its supervisor starts that one. */
export class ProcessEnd {
  private readonly logger = new Logger('catalog');

  constructor(private readonly exit: (code: number) => void = process.exit) {}

  because(error: Error): void {
    this.logger.fatal('This process cannot go on; a fresh one can', error);
    this.exit(1);
  }
}

const LOOK_EVERY_MS = 2_000;
/** Somewhat below the time after which the group gives the partitions of a silent member to another. */
const LONGEST_SILENCE_MS = 8_000;
/** Above the pause after a first outage and one heartbeat, so that every batch at hand has asked for its place. */
const HOLD_BACK_MS = 3_000;
const MARGIN_MS = 60_000;

/**
 * Notices that the process stood still. Meanwhile another may have taken its partitions, and OpenSearch may have forgotten
 * a deletion: it remembers them for an hour at most, and not beyond the reopening of a shard, as a restart brings it. A
 * batch that was fetched before could so bring an asset back. After a pause in which the place in the group may have been
 * lost, writes are held back, so that every batch first asks for its place: one that has lost it ends there, and is fetched
 * anew by whoever has the place now. After one of about an hour the process ends. Wall-clock time counts: a suspended
 * machine's other clocks stand still.
 */
export class StallGuard {
  private last: number;
  private stalledAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly onStall: (error: Error) => void,
    private readonly now: () => number = Date.now,
  ) {
    this.last = now();
  }

  /** Looks by itself from now on, so that no long time without a write is taken for a stall. */
  start(everyMs = LOOK_EVERY_MS): void {
    this.last = this.now();
    this.timer = setInterval(() => this.notice(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** To be called right before every write. @throws Outage when the process may have lost its place in the group */
  look(): void {
    this.notice();
    if (this.stalledAt === undefined) return;
    const since = this.now() - this.stalledAt;
    // A clock that was set back must not hold writes up until it has caught up.
    if (since >= 0 && since < HOLD_BACK_MS) throw new Outage(true, new Error('The process stood still a moment ago.'));
    this.stalledAt = undefined;
  }

  private notice(): void {
    const now = this.now();
    const gap = now - this.last;
    this.last = now;
    if (gap > LONGEST_SILENCE_MS) this.stalledAt = now;
    if (gap > GC_DELETES_MS - MARGIN_MS) this.onStall(new Error(`The process stood still for ${gap} ms.`));
  }
}
