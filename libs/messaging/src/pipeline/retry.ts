import { isNativeError } from 'node:util/types';
import { TransientError } from '@carbon/http';
import type { MessageHandler } from '@nestjs/microservices';
import { from, isObservable, lastValueFrom } from 'rxjs';
import { z } from 'zod';
import { type Backoff, backoffMs } from '../backoff.js';
import type { MessagingLogger } from '../kafka/log.js';
import { NotPublished, PublishOutcomeUnknown } from '../publish/publisher.js';
import type { Batch, DeadLetter, Message, PipelineRun, RejectedMessage, Step } from './message.js';

/** Handles a whole batch, best in one transaction. May be called again with any part of it. */
export type HandleBatch = (batch: Batch) => Promise<readonly RejectedMessage[]>;

/** How often and how soon a handler is called again. */
export interface RetryPolicy {
  /** How often one message alone may fail the handler before it is a dead letter. */
  readonly attempts: number;
  /** Between those attempts. */
  readonly between: Backoff;
  /** During an outage, which has no maximum number of attempts. */
  readonly outage: Backoff;
}

/** The default policy: three attempts within about a second for a bad message. Milliseconds. */
export const RETRY_POLICY: RetryPolicy = {
  attempts: 3,
  between: { initialMs: 100, maxMs: 1_000 },
  outage: { initialMs: 200, maxMs: 3_000 },
};

/** The failures so far of some messages. */
interface Failures {
  readonly failures: number;
  readonly since?: Date;
}

/**
 * Step 3: calls the handler until each message is done or a dead letter. During an outage it keeps its partition and retries
 * without end. Any other error belongs to one message: the batch is bisected until that message is alone, tried a few more
 * times, and becomes a dead letter.
 */
export function retry(handle: HandleBatch, policy: RetryPolicy, logger: MessagingLogger): Step {
  return async (run) => {
    if (run.messages.length === 0) return run;
    const deadLetters = await new Delivery(handle, policy, logger, run).deliver(run.messages, { failures: 0 });
    return { ...run, deadLetters: [...run.deadLetters, ...deadLetters] };
  };
}

class Delivery {
  constructor(
    private readonly handle: HandleBatch,
    private readonly policy: RetryPolicy,
    private readonly logger: MessagingLogger,
    private readonly run: PipelineRun,
  ) {}

  async deliver(messages: readonly Message[], before: Failures): Promise<DeadLetter[]> {
    let { failures, since } = before;
    for (let alone = 1; ; alone += 1) {
      try {
        return await this.retryDuringOutage(messages);
      } catch (error) {
        this.run.ownership.check();
        failures += 1;
        since ??= new Date();
        if (messages.length > 1) return this.bisect(messages, { failures, since });
        if (alone >= this.policy.attempts) return messages.map(({ raw }) => deadLetterOf(raw, error, failures, since));
        await this.run.ownership.sleep(backoffMs(alone, this.policy.between));
      }
    }
  }

  private async bisect(messages: readonly Message[], before: Failures): Promise<DeadLetter[]> {
    const middle = Math.ceil(messages.length / 2);
    const deadLetters = await this.deliver(messages.slice(0, middle), before);
    return [...deadLetters, ...(await this.deliver(messages.slice(middle), before))];
  }

  private async retryDuringOutage(messages: readonly Message[]): Promise<DeadLetter[]> {
    const { topic, partition, ownership } = this.run;
    for (let failures = 1; ; failures += 1) {
      try {
        await ownership.confirm();
        const batch = { topic, partition, messages } as Batch;
        return rejectedDeadLetters(messages, await ownership.withHeartbeats(() => this.handle(batch)));
      } catch (error) {
        ownership.check();
        if (!isTransient(error)) throw error;
        this.logger.warn(
          { topic, partition, attempts: failures, err: error },
          'the handler is retried until an outage ends',
        );
        await ownership.sleep(backoffMs(failures, this.policy.outage));
      }
    }
  }
}

function rejectedDeadLetters(messages: readonly Message[], rejected: readonly RejectedMessage[]): DeadLetter[] {
  const byPosition = new Map(messages.map((message) => [message.position, message]));
  return rejected.flatMap(({ position, code, detail }) => {
    const message = byPosition.get(position);
    return message === undefined ? [] : [{ raw: message.raw, code, detail, attempts: 1, firstFailedAt: new Date() }];
  });
}

function deadLetterOf(raw: Message['raw'], error: unknown, attempts: number, firstFailedAt = new Date()): DeadLetter {
  return { raw, code: 'handler_failed', detail: String(error), attempts, firstFailedAt };
}

/**
 * A handler failed, but Nest's default filter for messages replaced the error. An outage cannot be told
 * from a bad message then, so it counts as an outage.
 */
export class MaskedError extends Error {
  override readonly name = 'MaskedError';
  constructor(replacement: unknown) {
    super('A filter hid the error of a Kafka handler. Connect the server with connectKafka().', { cause: replacement });
  }
}

const rejections = z.array(
  z.object({ position: z.bigint(), code: z.string().regex(/^[a-z0-9_]{1,64}$/), detail: z.string() }),
);

/**
 * Calls a handler that Nest has wrapped in its guards, pipes and interceptors: it returns a promise of a value or of a stream.
 * Only a list has a meaning: the rejected messages. @throws the handler's error, or MaskedError
 */
export async function invokeHandler(handler: MessageHandler, batch: Batch): Promise<readonly RejectedMessage[]> {
  try {
    const returned: unknown = await handler(batch);
    const result = isObservable(returned) ? await lastValueFrom(from(returned), { defaultValue: undefined }) : returned;
    return Array.isArray(result) ? rejections.parse(result) : [];
  } catch (error) {
    throw isError(error) ? error : new MaskedError(error);
  }
}

const TRANSIENT_ERRORS = [TransientError, NotPublished, PublishOutcomeUnknown, MaskedError];

/** Codes of Node and undici for a connection that failed or was lost. */
const NETWORK_CODES = /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|UND_ERR_\w+)$/;

/**
 * SQLSTATEs that concern the server or the moment, not the data: connection (08), rollback (40), resources such as a full
 * disk (53), lock not available (55P03), statement cancelled or shutdown (57), I/O (58)
 * (https://www.postgresql.org/docs/18/errcodes-appendix.html).
 */
const SQLSTATES = /^(08\w{3}|40\w{3}|53\w{3}|55P03|57\w{3}|58\w{3})$/;

/** Timeouts and lost connections of the OpenSearch client and of fetch, and every error of kafkajs. */
const NAMES = /^(ConnectionError|TimeoutError|NoLivingConnectionsError|KafkaJS\w+)$/;

/** Errors of pg that have no code. */
const MESSAGES = /^(Connection terminated|timeout exceeded when trying to connect|Client was closed)/;

const MAX_CAUSES = 5;

/**
 * Returns whether an error says "not now" instead of "not this message". Handlers should throw a TransientError; the rest is
 * a safety net, because an outage taken for bad messages would move a whole topic to its dead letters.
 */
export function isTransient(error: unknown, depth = 0): boolean {
  if (depth > MAX_CAUSES || !isError(error)) return false;
  if (TRANSIENT_ERRORS.some((kind) => error instanceof kind)) return true;
  const { code, name, message, cause, driverError, errors } = error;
  if (typeof code === 'string' && (NETWORK_CODES.test(code) || SQLSTATES.test(code))) return true;
  if (NAMES.test(name) || MESSAGES.test(message)) return true;
  // TypeORM's driver error, and the attempts of a connection to several addresses.
  const inner = [cause, driverError, ...(Array.isArray(errors) ? errors : [])];
  return inner.some((one) => isTransient(one, depth + 1));
}

type AnyError = Error & { code?: unknown; driverError?: unknown; errors?: unknown };

function isError(error: unknown): error is AnyError {
  return isNativeError(error) || error instanceof Error;
}
