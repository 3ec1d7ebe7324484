import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { GC_DELETES_MS } from '../index/index-body.js';
import { OpenSearchUnavailableError } from '../open-search/open-search-errors.js';

const CHECK_EVERY_MS = 2_000;
/** Below the session timeout, after which the group assigns the partitions of a silent member to another. */
const MAX_SILENCE_MS = 8_000;
/** Above the first retry pause plus a heartbeat, so that every batch in progress contacts the group first. */
const HOLD_BACK_MS = 3_000;
const MARGIN_MS = 60_000;

/**
 * Detects that the process was suspended. Meanwhile another member may have got its partitions, and OpenSearch may have
 * forgotten deletions: it keeps their versions for an hour at most, and not when a shard reopens. A batch fetched
 * before the pause could then restore a deleted asset. So after a pause in which the partitions may have been lost,
 * writes are delayed until every batch has contacted the group, and after a pause of about an hour the process exits.
 * Uses wall-clock time, because the other clocks stop while a machine is suspended.
 */
export class StallGuard implements OnApplicationBootstrap, OnApplicationShutdown {
  private last: number;
  private stalledAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly onLongStall: (error: Error) => void = exitProcess,
    private readonly now: () => number = Date.now,
  ) {
    this.last = now();
  }

  /** Starts to check regularly, so that a time without writes does not count as a stall. */
  onApplicationBootstrap(everyMs = CHECK_EVERY_MS): void {
    this.last = this.now();
    this.timer = setInterval(() => this.measure(), everyMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Must be called before every write. @throws OpenSearchUnavailableError when the process may have lost its partitions */
  check(): void {
    this.measure();
    if (this.stalledAt === undefined) return;
    const since = this.now() - this.stalledAt;
    // A clock that was set back must not delay writes for long.
    if (since >= 0 && since < HOLD_BACK_MS) {
      throw new OpenSearchUnavailableError(true, new Error('The process was just suspended.'));
    }
    this.stalledAt = undefined;
  }

  private measure(): void {
    const now = this.now();
    const gap = now - this.last;
    this.last = now;
    if (gap > MAX_SILENCE_MS) this.stalledAt = now;
    if (gap > GC_DELETES_MS - MARGIN_MS) this.onLongStall(new Error(`The process was suspended for ${gap} ms.`));
  }
}

/** The supervisor starts a new process, which fetches its batches again. */
function exitProcess(error: Error): void {
  new Logger('catalog').fatal('This process cannot continue and exits', error);
  process.exit(1);
}
