import { type DeadLetterHeader, deadLetterTopic } from '@carbon/contracts';
import type { IHeaders } from 'kafkajs';
import { type Backoff, backoffMs } from '../backoff.js';
import type { MessagingLogger } from '../kafka/log.js';
import { isMessageTooLarge, type WireMessage } from '../publish/publisher.js';
import { firstHeaderValues } from './decode.js';
import {
  APPENDED_AT_HEADER,
  appendTimeOf,
  type DeadLetter,
  firstAppendTime,
  type PipelineRun,
  type PipelineState,
  type Step,
} from './message.js';

const BACKOFF: Backoff = { initialMs: 200, maxMs: 3_000 };

/** How many bytes of the value were cut off. */
const CUT_BYTES_HEADER = 'x-cut-bytes';

/** A shorter value is left out entirely instead of being halved again. */
const MIN_VALUE_BYTES = 1024;

/** The headers that a dead letter has in addition to those of its original. */
export const DEAD_LETTER_HEADERS = {
  reason: 'x-reason-code',
  handler: 'x-handler',
  topic: 'x-topic',
  partition: 'x-partition',
  position: 'x-position',
  attempts: 'x-attempts',
  firstFailedAt: 'x-first-failed-at',
  /** Also on a replay, which keeps the time of its original. */
  appendedAt: APPENDED_AT_HEADER,
  /** Only when something was cut off. */
  cutBytes: CUT_BYTES_HEADER,
} as const satisfies Record<string, DeadLetterHeader>;

/** What a dead-letter store needs. */
export interface DeadLetterSettings {
  /** Resolves when Kafka has confirmed the message. */
  readonly send: (message: WireMessage) => Promise<unknown>;
  /** The consumer group, for `x-handler`. */
  readonly group: string;
  readonly logger: MessagingLogger;
  /** Called for each dead letter that Kafka has confirmed. */
  readonly onStored?: (code: string) => void;
  /** A monotonic clock. Milliseconds. */
  readonly now?: () => number;
}

/** Stores dead letters on the dead-letter topics of their topics. */
export class DeadLetterStore {
  /** When the storing of each unconfirmed dead letter began, oldest first. */
  private readonly unconfirmed = new Set<{ readonly startMs: number }>();

  private readonly now: () => number;

  constructor(private readonly settings: DeadLetterSettings) {
    this.now = settings.now ?? (() => performance.now());
  }

  /** How long the oldest dead letter has waited for Kafka; 0 when none does. Milliseconds. */
  get longestWaitMs(): number {
    const [oldest] = this.unconfirmed;
    return oldest === undefined ? 0 : this.now() - oldest.startMs;
  }

  /**
   * Step 4: stores the dead letters of a run and resolves when Kafka has confirmed each, because the position then moves past
   * them. Waits for Kafka without end; a dead letter that is too large is cut until it fits.
   */
  readonly store: Step = async (run) => {
    await Promise.all(run.deadLetters.map((deadLetter) => this.storeOne(run, deadLetter)));
    return run;
  };

  private async storeOne(run: PipelineRun, deadLetter: DeadLetter): Promise<void> {
    const entry = { startMs: this.now() };
    this.unconfirmed.add(entry);
    try {
      await this.sendUntilConfirmed(run, deadLetter);
    } finally {
      this.unconfirmed.delete(entry);
    }
  }

  private async sendUntilConfirmed({ ownership, ...run }: PipelineRun, deadLetter: DeadLetter): Promise<void> {
    const { topic, partition } = run;
    const { code, detail, raw } = deadLetter;
    const { send, group, logger, onStored } = this.settings;
    const where = { topic, partition, position: raw.offset };
    let message = deadLetterMessage(run, deadLetter, group);
    for (let failures = 1; ; failures += 1) {
      // Another member may own the partition by now. It decides about the message, and may process it.
      await ownership.confirm();
      if (failures === 1) logger.error({ ...where, code, reason: detail }, 'dead-lettering a message');
      try {
        await ownership.withHeartbeats(() => send(message));
        onStored?.(code);
        return;
      } catch (error) {
        const smaller = isMessageTooLarge(error) ? cut(message, raw, reasonHeaders(run, deadLetter, group)) : undefined;
        if (smaller !== undefined) {
          message = smaller;
          continue;
        }
        logger.error({ ...where, attempts: failures, err: error }, 'a dead letter waits for Kafka');
        await ownership.sleep(backoffMs(failures, BACKOFF));
      }
    }
  }
}

/** Where a dead letter's original is. */
type Origin = Pick<PipelineState, 'topic' | 'partition'>;

/** Returns the message with which a dead letter is stored: the original's key, value and headers, and the reason. */
export function deadLetterMessage(run: Origin, deadLetter: DeadLetter, group: string): WireMessage {
  const { key, value, headers } = deadLetter.raw;
  return {
    topic: deadLetterTopic(run.topic),
    key,
    value,
    headers: { ...writable(headers), ...reasonHeaders(run, deadLetter, group) },
  };
}

function reasonHeaders(
  { topic, partition }: Origin,
  { raw, code, attempts, firstFailedAt }: DeadLetter,
  group: string,
): Record<string, string> {
  const appendedAt = firstAppendTime(appendTimeOf(raw), firstHeaderValues(raw.headers));
  return {
    [DEAD_LETTER_HEADERS.reason]: code,
    [DEAD_LETTER_HEADERS.handler]: group,
    [DEAD_LETTER_HEADERS.topic]: topic,
    [DEAD_LETTER_HEADERS.partition]: String(partition),
    [DEAD_LETTER_HEADERS.position]: raw.offset,
    [DEAD_LETTER_HEADERS.attempts]: String(attempts),
    [DEAD_LETTER_HEADERS.firstFailedAt]: firstFailedAt.toISOString(),
    [DEAD_LETTER_HEADERS.appendedAt]: appendedAt.toISOString(),
  };
}

/** Kafka allows a header without a value, but kafkajs cannot write one: it becomes an empty one. */
function writable(headers: IHeaders = {}): IHeaders {
  const filled = (value: Buffer | string | undefined | null) => value ?? Buffer.alloc(0);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.map(filled) : filled(value)]),
  );
}

/**
 * Returns the message with half of its value, or without it when little is left; a message without a value keeps only the
 * reason, because its key or headers are too large. The original stays on its topic until retention ends.
 * @returns undefined when nothing is left to cut
 */
function cut(
  message: WireMessage,
  original: DeadLetter['raw'],
  reason: WireMessage['headers'],
): WireMessage | undefined {
  const { key, headers } = message;
  const value = Buffer.from(message.value ?? '');
  const left = value.length < MIN_VALUE_BYTES ? 0 : Math.floor(value.length / 2);
  const cutBytes = { [CUT_BYTES_HEADER]: String((original.value?.length ?? 0) - left) };
  if (value.length > 0) return { ...message, value: value.subarray(0, left), headers: { ...headers, ...cutBytes } };
  const hasOnlyReason = Object.keys(headers).every((name) => name === CUT_BYTES_HEADER || Object.hasOwn(reason, name));
  if (key === null && message.value === null && hasOnlyReason) return undefined;
  return { ...message, key: null, value: null, headers: { ...reason, ...cutBytes } };
}
