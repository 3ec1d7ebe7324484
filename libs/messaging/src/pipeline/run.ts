import type { KafkaMessage } from 'kafkajs';
import type { Hold } from '../consume/hold.js';
import type { Received } from './received.js';

/** A message that is given up, and why. */
export interface Letter {
  readonly raw: KafkaMessage;
  readonly code: string;
  /** For the log: what is wrong, without the data. */
  readonly detail: string;
  /** How often the handler failed with it. */
  readonly attempts: number;
  readonly firstFailedAt: Date;
}

/** Consecutive messages of one partition and what has become of them so far. */
export interface Sorting {
  /** Plain name. */
  readonly topic: string;
  readonly partition: number;
  /** What Kafka gave. */
  readonly raw: readonly KafkaMessage[];
  /** What is fit for the handler. */
  readonly messages: readonly Received[];
  /** What is not. */
  readonly letters: readonly Letter[];
}

/** The same on its way through the pipeline, with the hold on its partition. */
export interface Run extends Sorting {
  readonly hold: Hold;
}

/** One concern. Takes a run as the step before left it; when the last step is through, the position moves past it. */
export type Step = (run: Run) => Run | Promise<Run>;

/** A letter for a message that never reached the handler. */
export function unfit(raw: KafkaMessage, code: string, detail: string): Letter {
  return { raw, code, detail, attempts: 0, firstFailedAt: new Date() };
}

/**
 * Splits messages into those for which `check` gives a message and those for which it gives a letter. When it throws,
 * that is a letter too: an exception would end the consumer, and come again with the message, for ever.
 */
export function sift<T extends KafkaMessage | Received>(
  messages: readonly T[],
  check: (message: T) => Received | Letter,
): Pick<Run, 'messages' | 'letters'> {
  const good: Received[] = [];
  const letters: Letter[] = [];
  for (const message of messages) {
    const outcome = checked(message, check);
    if ('code' in outcome) letters.push(outcome);
    else good.push(outcome);
  }
  return { messages: good, letters };
}

function checked<T extends KafkaMessage | Received>(
  message: T,
  check: (message: T) => Received | Letter,
): Received | Letter {
  try {
    return check(message);
  } catch (error) {
    return unfit(
      rawOf(message),
      'unreadable',
      `Reading it failed: ${error instanceof Error ? error.name : typeof error}.`,
    );
  }
}

function rawOf(message: KafkaMessage | Received): KafkaMessage {
  return 'raw' in message ? message.raw : message;
}
