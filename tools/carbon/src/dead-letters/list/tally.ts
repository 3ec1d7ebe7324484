import type { TopicName } from '@carbon/contracts';

/** Reasons told apart; a stranger who writes headers of his own must not fill the memory. */
const MOST_REASONS = 100;
const OTHERS = 'other reasons';

/** How many letters of each reason lie on each topic. */
export class Tally {
  private readonly topics = new Map<TopicName, Map<string, number>>();

  /** A topic that was looked at, whether or not a letter is found on it. */
  open(topic: TopicName): void {
    if (!this.topics.has(topic)) this.topics.set(topic, new Map());
  }

  add(topic: TopicName, reason: string): void {
    this.open(topic);
    const reasons = this.topics.get(topic) ?? new Map<string, number>();
    const name = reasons.has(reason) || reasons.size < MOST_REASONS ? reason : OTHERS;
    reasons.set(name, (reasons.get(name) ?? 0) + 1);
  }

  /** A line for each topic, commonest reason first. */
  lines(): string[] {
    return [...this.topics].map(([topic, reasons]) => {
      const sorted = [...reasons].sort(([one, n], [other, m]) => m - n || (one < other ? -1 : 1));
      const count = sorted.reduce((sum, [, n]) => sum + n, 0);
      const details = sorted.map(([reason, n]) => `${reason} ${n}`).join(', ');
      return count === 0 ? `${topic}: no letters` : `${topic}: ${count} (${details})`;
    });
  }
}
