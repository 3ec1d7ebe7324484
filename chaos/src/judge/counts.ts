/** The counts of a run, in the order of the report. All but the first four must be 0. */
export const COUNTS = {
  attempted: 'offsets that clients requested',
  accepted: 'of these, answered with 202',
  unknown: 'never answered with 202, but perhaps accepted',
  recovered: 'of these, recorded',
  lost: 'accepted, and not recorded, or ended without an event on Kafka',
  doubled: 'with two ids, two outcomes, or retired or priced twice',
  changed:
    'recorded differently than requested, published differently than shown, or with another outcome than was seen before',
  stuck: 'recorded, and without an outcome or its event marked as published at the end',
  refused: 'failed although there is enough supply',
  notFound: 'accepted, and answered with 404',
  missing: 'searches that did not find a published asset',
  unexpected: 'recorded offsets that no client requested, and responses outside the contract',
  deadLetters: 'messages in dead-letter topics',
  conservation: 'checks of the ledger that do not hold, entries that were not published',
  fromTheFuture: 'ledger entries later than the clock of PostgreSQL',
  late: 'POSTs that were answered too late',
  unserved: 'faults after which the system did not serve again in time',
} as const;

export type Count = keyof typeof COUNTS;

/** These count the work; every other count is a failure if it is not 0. */
export const INFORMATION: readonly string[] = ['attempted', 'accepted', 'unknown', 'recovered'];

/** The counts of a run, with a few examples of each failure. */
export class Findings {
  private readonly counts = new Map<Count, number>();
  readonly examples = new Map<Count, string[]>();

  set(count: Count, value: number): void {
    this.counts.set(count, value);
  }

  /** Adds a failure of a kind. */
  add(count: Count, example: string): void {
    this.counts.set(count, this.of(count) + 1);
    const examples = this.examples.get(count) ?? [];
    if (examples.length < EXAMPLES) this.examples.set(count, [...examples, example]);
  }

  of(count: Count): number {
    return this.counts.get(count) ?? 0;
  }

  /** The counts that should be 0 and are not. */
  get failures(): readonly Count[] {
    return (Object.keys(COUNTS) as Count[]).filter((count) => !INFORMATION.includes(count) && this.of(count) > 0);
  }

  /** Every count by name. */
  toJSON(): Record<Count, number> {
    const entries = (Object.keys(COUNTS) as Count[]).map((count) => [count, this.of(count)]);
    return Object.fromEntries(entries) as Record<Count, number>;
  }
}

const EXAMPLES = 5;
