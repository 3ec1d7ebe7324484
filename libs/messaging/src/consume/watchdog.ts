/** When a silent consumer counts as stalled, and what happens then. */
export interface WatchdogSettings {
  /** The number of ticks without a sign of life that is tolerated. */
  readonly ticks: number;
  /** Returns whether Kafka answers. */
  readonly probe: () => Promise<boolean>;
  readonly onStall: () => void;
}

/**
 * Detects a consumer that stopped without an error (https://github.com/tulios/kafkajs/issues/1163,
 * https://github.com/tulios/kafkajs/issues/659). Silence alone proves nothing, because Kafka may be unreachable: a consumer
 * counts as stalled only when it stays silent while Kafka answers for as long again. Counts ticks instead of time, so that a
 * process that was suspended does not report itself when it continues.
 */
export class Watchdog {
  private silent = 0;
  private answered = 0;

  constructor(private readonly settings: WatchdogSettings) {}

  /** Records a sign of life: a heartbeat or a batch. */
  alive(): void {
    this.silent = 0;
    this.answered = 0;
  }

  /** Ticks since the last sign of life. */
  get silentTicks(): number {
    return this.silent;
  }

  /** Counts one tick of silence, and probes Kafka after more than the tolerated number. */
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
