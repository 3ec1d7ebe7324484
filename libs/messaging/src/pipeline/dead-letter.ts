import { deadLetterTopic } from '@carbon/contracts';
import type { IHeaders } from 'kafkajs';
import { pauseAfter } from '../back-off.js';
import type { MessagingLogger } from '../kafka/messaging-logger.js';
import type { WireMessage } from '../publish/outgoing-message.js';
import { saysTooLarge } from '../publish/publish-errors.js';
import { appendTimeOf, firstAppendedAt } from './append-time.js';
import { cut } from './cut.js';
import { DEAD_LETTER_HEADERS as HEADERS } from './dead-letter-headers.js';
import { firstValues } from './decode.js';
import type { LettersUnderWay } from './letters-under-way.js';
import type { Letter, Run, Step } from './run.js';

const AGAIN = { firstMs: 200, lastMs: 3_000 };

/** Who puts letters on dead-letter topics, and how. */
export interface DeadLetterOffice {
  /** Resolves when Kafka has confirmed the message. */
  readonly send: (message: WireMessage) => Promise<unknown>;
  /** Who gave up: the group. */
  readonly handler: string;
  readonly logger: MessagingLogger;
  readonly underWay: LettersUnderWay;
  /** Told of each letter that Kafka has confirmed. */
  readonly onPosted?: (topic: string, code: string) => void;
}

/**
 * Puts the letters on the topic's dead-letter topic and goes on only when Kafka has confirmed each: the position then
 * moves past them, so a letter that is not there would be a message lost. Waits for Kafka without end, and says so each time;
 * a letter that is too large never waits, but is cut until it fits.
 */
export function deadLetter(office: DeadLetterOffice): Step {
  return async (run) => {
    await Promise.all(run.letters.map((letter) => office.underWay.during(() => post(office, run, letter))));
    return run;
  };
}

async function post(office: DeadLetterOffice, run: Run, letter: Letter): Promise<void> {
  const { topic, partition, hold } = run;
  const { code, detail, raw } = letter;
  const { handler, logger } = office;
  const where = { topic, partition, position: raw.offset };
  const facts = factsOf(run, letter, handler);
  let message = envelope(run, letter, handler);
  for (let failures = 1; ; failures += 1) {
    // Others may have taken the message over meanwhile. Then they decide about it, and may succeed.
    await hold.confirm();
    if (failures === 1) logger.error({ ...where, code, reason: detail }, 'a message is given up as a dead letter');
    try {
      await hold.during(() => office.send(message));
      office.onPosted?.(topic, code);
      return;
    } catch (error) {
      const smaller = saysTooLarge(error) ? cut(message, raw.value?.length ?? 0, facts) : undefined;
      if (smaller !== undefined) {
        message = smaller;
        continue;
      }
      logger.error({ ...where, attempts: failures, err: error }, 'a dead letter waits for Kafka');
      await hold.pause(pauseAfter(failures, AGAIN));
    }
  }
}

/** Key, value and headers as they came, and why it is here. */
export function envelope(run: Run, letter: Letter, handler: string): WireMessage {
  const { key, value, headers } = letter.raw;
  return {
    topic: deadLetterTopic(run.topic),
    key,
    value,
    headers: { ...writable(headers), ...factsOf(run, letter, handler) },
  };
}

/** Why a letter is there, and where its original lies. */
function factsOf({ topic, partition }: Run, letter: Letter, handler: string): Record<string, string> {
  const appendedAt = firstAppendedAt(appendTimeOf(letter.raw), firstValues(letter.raw.headers));
  return {
    [HEADERS.reason]: letter.code,
    [HEADERS.handler]: handler,
    [HEADERS.topic]: topic,
    [HEADERS.partition]: String(partition),
    [HEADERS.position]: letter.raw.offset,
    [HEADERS.attempts]: String(letter.attempts),
    [HEADERS.firstFailedAt]: letter.firstFailedAt.toISOString(),
    [HEADERS.appendedAt]: appendedAt.toISOString(),
  };
}

/** A null header value may come from Kafka, but kafkajs cannot write one: it becomes an empty one. */
function writable(headers: IHeaders = {}): IHeaders {
  const filled = (value: Buffer | string | undefined | null) => value ?? Buffer.alloc(0);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.map(filled) : filled(value)]),
  );
}
