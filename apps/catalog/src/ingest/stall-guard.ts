import { GC_DELETES_MS } from '../indexing/index-body.js';

const LOOK_EVERY_MS = 5_000;
const MARGIN_MS = 60_000;

/**
 * Notices that the process has been stopped for about as long as OpenSearch remembers deletions. What it still wants to
 * write may then be older than a deletion that is forgotten, and would bring the asset back; so it must end, and a fresh
 * process goes on from the group's position. Wall-clock time counts: a suspended machine's other clocks stand still.
 */
export class StallGuard {
  private last: number;
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
    this.timer = setInterval(() => this.look(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** To be called before every write. Ends the process when it has been stalled. */
  look(): void {
    const gap = this.now() - this.last;
    this.last = this.now();
    if (gap > GC_DELETES_MS - MARGIN_MS) this.onStall(new Error(`The process stood still for ${gap} ms.`));
  }
}
