import { deadLetterTopic } from '@carbon/contracts';
import type { IHeaders } from 'kafkajs';
import { pauseAfter } from '../back-off.js';
import type { MessagingLogger } from '../kafka/messaging-logger.js';
import type { WireMessage } from '../publish/outgoing-message.js';
import type { Letter, Run, Step } from './run.js';

const AGAIN = { firstMs: 200, lastMs: 3_000 };

/** Who puts letters on dead-letter topics, and how. */
export interface DeadLetterOffice {
  /** Resolves when Kafka has confirmed the message. */
  readonly send: (message: WireMessage) => Promise<void>;
  /** Who gave up: the group. */
  readonly handler: string;
  readonly logger: MessagingLogger;
}

/**
 * Puts the letters on the topic's dead-letter topic and goes on only when Kafka has confirmed each: the position then
 * moves past them, so a letter that is not there would be a message lost. Waits for Kafka without end.
 */
export function deadLetter(office: DeadLetterOffice): Step {
  return async (run) => {
    await Promise.all(run.letters.map((letter) => post(office, run, letter)));
    return run;
  };
}

async function post({ send, handler, logger }: DeadLetterOffice, run: Run, letter: Letter): Promise<void> {
  const { topic, partition, hold } = run;
  const { code, detail, raw } = letter;
  logger.error(
    { topic, partition, position: raw.offset, code, reason: detail },
    'a message is given up as a dead letter',
  );
  for (let failures = 1; ; failures += 1) {
    try {
      await hold.during(() => send(envelope(run, letter, handler)));
      return;
    } catch (error) {
      logger.warn({ topic, partition, attempts: failures, err: error }, 'a dead letter waits for Kafka');
      await hold.pause(pauseAfter(failures, AGAIN));
    }
  }
}

/** Key, value and headers as they came, and why it is here. */
export function envelope({ topic, partition }: Run, letter: Letter, handler: string): WireMessage {
  const { key, value, headers, offset } = letter.raw;
  return {
    topic: deadLetterTopic(topic),
    key,
    value,
    headers: {
      ...writable(headers),
      'x-reason-code': letter.code,
      'x-handler': handler,
      'x-topic': topic,
      'x-partition': String(partition),
      'x-position': offset,
      'x-attempts': String(letter.attempts),
      'x-first-failed-at': letter.firstFailedAt.toISOString(),
    },
  };
}

/** A null header value may come from Kafka, but kafkajs cannot write one: it becomes an empty one. */
function writable(headers: IHeaders = {}): IHeaders {
  const filled = (value: Buffer | string | undefined | null) => value ?? Buffer.alloc(0);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.map(filled) : filled(value)]),
  );
}
