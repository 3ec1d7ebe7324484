/** When a silent consumer is called stalled, and who hears of it. */
export interface WatchdogSettings {
  /** How many ticks without a sign of life are too many. */
  readonly ticks: number;
  /** Whether Kafka answers anybody. */
  readonly probe: () => Promise<boolean>;
  readonly onStall: () => void;
}

/**
 * Notices a consumer that has stopped without a word (https://github.com/tulios/kafkajs/issues/1163,
 * https://github.com/tulios/kafkajs/issues/659). Silence alone is no proof: Kafka may be away, and that is no reason to
 * exit. So once the consumer has been silent for too long, Kafka itself is asked, and only when it has answered as long
 * again is the consumer called stalled. Ticks are counted, not time, so that a process that was suspended does not
 * condemn itself on waking.
 */
export class Watchdog {
  private silent = 0;
  private answered = 0;

  constructor(private readonly settings: WatchdogSettings) {}

  /** A heartbeat, a fetch, a batch. */
  alive(): void {
    this.silent = 0;
    this.answered = 0;
  }

  /** How many ticks it has been silent. */
  get silence(): number {
    return this.silent;
  }

  async tick(): Promise<void> {
    const { ticks, probe, onStall } = this.settings;
    this.silent += 1;
    if (this.silent <= ticks) return;
    const answers = await probe();
    if (this.silent === 0) return;
    this.answered = answers ? this.answered + 1 : 0;
    if (this.answered > ticks) onStall();
  }
}
