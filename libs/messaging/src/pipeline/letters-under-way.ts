/** Which dead letters are not confirmed yet, and for how long; for health. */
export class LettersUnderWay {
  private readonly since = new Set<{ readonly startMs: number }>();

  /** @param now a clock that never goes back; milliseconds */
  constructor(private readonly now = () => performance.now()) {}

  /** How long the oldest has waited; 0 when none does. Milliseconds. */
  get longestMs(): number {
    const [oldest] = this.since;
    return oldest === undefined ? 0 : this.now() - oldest.startMs;
  }

  /** Counts a letter for as long as this posting of it takes, whatever comes of it. */
  async during(posting: () => Promise<void>): Promise<void> {
    const entry = { startMs: this.now() };
    this.since.add(entry);
    try {
      await posting();
    } finally {
      this.since.delete(entry);
    }
  }
}
