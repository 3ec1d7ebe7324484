import { type BackOff, pauseAfter } from '../back-off.js';
import type { MessagingLogger } from '../kafka/messaging-logger.js';
import { isPassing } from './passing-error.js';
import type { Received, ReceivedBatch, Rejected } from './received.js';
import type { Letter, Run, Step } from './run.js';

/** Does a whole batch, best in one transaction. May be called again with any part of it. */
export type HandleBatch = (batch: ReceivedBatch) => Promise<readonly Rejected[]>;

/** How often and how soon a handler is asked again. */
export interface RetryPolicy {
  /** How often one message alone may fail the handler before it is given up. */
  readonly attempts: number;
  /** Between those. */
  readonly between: BackOff;
  /** While something the handler needs is out of reach; without end. */
  readonly outage: BackOff;
}

/** The policy unless told: three tries within about a second for a bad message, and no end to an outage. Milliseconds. */
export const RETRY_POLICY: RetryPolicy = {
  attempts: 3,
  between: { firstMs: 100, lastMs: 1_000 },
  outage: { firstMs: 200, lastMs: 3_000 },
};

/** What is known of the failures of some messages so far. */
interface History {
  readonly failures: number;
  readonly since?: Date;
}

/**
 * Gives the messages to the handler until each is done or given up. In an outage it waits where it is, keeping its place in
 * the group. An error that is not an outage is one message's: the batch is halved until that message is alone, tried a few
 * times more, and becomes a letter; the others are done.
 */
export function retry(handle: HandleBatch, policy: RetryPolicy, logger: MessagingLogger): Step {
  return async (run) => {
    if (run.messages.length === 0) return run;
    const letters = await new Delivery(handle, policy, logger, run).of(run.messages, { failures: 0 });
    return { ...run, letters: [...run.letters, ...letters] };
  };
}

class Delivery {
  constructor(
    private readonly handle: HandleBatch,
    private readonly policy: RetryPolicy,
    private readonly logger: MessagingLogger,
    private readonly run: Run,
  ) {}

  async of(messages: readonly Received[], history: History): Promise<Letter[]> {
    let { failures, since } = history;
    for (let alone = 1; ; alone += 1) {
      try {
        return await this.throughOutages(messages);
      } catch (error) {
        this.run.hold.check();
        failures += 1;
        since ??= new Date();
        if (messages.length > 1) return this.halved(messages, { failures, since });
        if (alone >= this.policy.attempts) return messages.map(({ raw }) => givenUp(raw, error, failures, since));
        await this.run.hold.pause(pauseAfter(alone, this.policy.between));
      }
    }
  }

  private async halved(messages: readonly Received[], history: History): Promise<Letter[]> {
    const middle = Math.ceil(messages.length / 2);
    const left = await this.of(messages.slice(0, middle), history);
    return [...left, ...(await this.of(messages.slice(middle), history))];
  }

  private async throughOutages(messages: readonly Received[]): Promise<Letter[]> {
    const { topic, partition, hold } = this.run;
    for (let failures = 1; ; failures += 1) {
      try {
        await hold.confirm();
        const batch = { topic, partition, messages } as ReceivedBatch;
        return rejectedOf(messages, await hold.during(() => this.handle(batch)));
      } catch (error) {
        hold.check();
        if (!isPassing(error)) throw error;
        this.logger.warn({ topic, partition, attempts: failures, err: error }, 'a handler waits for an outage to pass');
        await hold.pause(pauseAfter(failures, this.policy.outage));
      }
    }
  }
}

function rejectedOf(messages: readonly Received[], rejected: readonly Rejected[]): Letter[] {
  const byPosition = new Map(messages.map((message) => [message.position, message]));
  return rejected.flatMap(({ position, code, detail }) => {
    const message = byPosition.get(position);
    return message === undefined ? [] : [{ raw: message.raw, code, detail, attempts: 1, firstFailedAt: new Date() }];
  });
}

function givenUp(raw: Received['raw'], error: unknown, attempts: number, firstFailedAt = new Date()): Letter {
  return { raw, code: 'handler_failed', detail: String(error), attempts, firstFailedAt };
}
