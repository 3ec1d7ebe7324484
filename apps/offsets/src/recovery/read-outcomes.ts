import { TransientError } from '@carbon/http';
import { type KafkaHandle, readMessages } from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import { type Outcome, readOutcome } from './outcome.js';
import type { OutcomeRange } from './outcome-ranges.js';

/** Outcomes handed over at once, and their bytes: one may be as large as Kafka takes. */
const MOST_OUTCOMES = 500;
const MOST_BYTES = 4_000_000;

const logger = new Logger('ReadOutcomes');

/** What is called with outcomes in the order of their partitions; `'enough'` ends the reading. */
export type OnOutcomes = (outcomes: readonly Outcome[]) => Promise<'enough' | undefined>;

/**
 * Reads the outcomes of these ranges, a bounded number at a time, and keeps none. Their topics are not compacted, so what is not
 * read to its end is not known. @throws TransientError where a partition was not
 */
export async function readOutcomes(
  kafka: KafkaHandle,
  ranges: readonly OutcomeRange[],
  onOutcomes: OnOutcomes,
): Promise<void> {
  let isEnough = false;
  for (const { topic, partitions } of ranges) {
    if (isEnough) return;
    const chunk = new Chunk(onOutcomes);
    const isWhole = await readMessages(kafka, topic, partitions, async (partition, message) => {
      const outcome = readOutcome(message);
      if (outcome === undefined) {
        const place = { topic, partition, position: message.offset };
        logger.warn('A message is no outcome that this service announced; it is passed over.', place);
        return undefined;
      }
      const answer = await chunk.add(outcome);
      isEnough = answer === 'enough';
      return answer;
    });
    if (!isEnough && !isWhole)
      throw new TransientError(
        'service_unavailable',
        `Kafka did not give all outcomes of ${topic}; they are read again.`,
      );
    if (!isEnough) isEnough = (await chunk.flush()) === 'enough';
  }
}

class Chunk {
  private outcomes: Outcome[] = [];
  private bytes = 0;

  constructor(private readonly onOutcomes: OnOutcomes) {}

  async add(outcome: Outcome): Promise<'enough' | undefined> {
    this.outcomes.push(outcome);
    this.bytes += outcome.payload.length;
    return this.outcomes.length < MOST_OUTCOMES && this.bytes < MOST_BYTES ? undefined : this.flush();
  }

  async flush(): Promise<'enough' | undefined> {
    const { outcomes } = this;
    this.outcomes = [];
    this.bytes = 0;
    return outcomes.length === 0 ? undefined : this.onOutcomes(outcomes);
  }
}
