import { randomUUID } from 'node:crypto';
import type { Asset } from '@carbon/contracts';
import {
  eventMessage,
  hasNeverHadMessages,
  readTopic,
  SelfClockedProducer,
  topicEnds,
  withIdleTimeout,
} from '@carbon/messaging';
import type { CommandContext } from '@carbon/terminal';
import { CommandKafka } from '../kafka.js';

const TOPIC = 'asset.published';
/** A restarted broker is back within this time; a message that waits longer fails. */
const PUBLISH_DEADLINE_MS = 15_000;
const READ_TIMEOUT_MS = 30_000;

/** What the topic says about one id; the last message counts. */
export interface AssetMessage {
  readonly id: string;
  /** Undefined when the asset is withdrawn, or the message is invalid. */
  readonly asset: Asset | undefined;
  /** The bytes; null withdraws. */
  readonly value: Buffer | null;
  readonly isValid: boolean;
}

/** An asset to publish: its canonical JSON, or null to withdraw it. */
export interface AssetUpdate {
  readonly id: string;
  readonly json: string | null;
}

/** The asset library: a compacted topic. Methods throw `CommandError` when Kafka fails. */
export class AssetTopic implements AsyncDisposable {
  private readonly kafka: CommandKafka;
  private producer: SelfClockedProducer | undefined;

  /**
   * @param say receives a sentence to print while Kafka does not answer
   * @param repeat how the command is repeated when it was interrupted
   */
  constructor(context: CommandContext, say: (sentence: string) => void, repeat = 'run the command again') {
    const failures = {
      missingTopic: 'Kafka has no topic asset.published. Check TOPIC_PREFIX; `npm start` creates the topics.',
      afterSending: `Some of the changes may have been published; ${repeat}: it sends only the rest.`,
    };
    this.kafka = new CommandKafka(context, 'assets', failures, say);
  }

  /** Returns whether the topic has or had any message. */
  async hasEverHadMessages(): Promise<boolean> {
    return !hasNeverHadMessages(await this.kafka.run(() => topicEnds(this.kafka.handle, TOPIC)));
  }

  /** Hands over every message from the beginning to the end as it is now, those of one id in their order. */
  async read(onMessage: (message: AssetMessage) => void): Promise<void> {
    const { handle } = this.kafka;
    await this.kafka.run(() =>
      withIdleTimeout(READ_TIMEOUT_MS, async (onActivity) => {
        const hand = (message: AssetMessage) => {
          onActivity();
          onMessage(message);
        };
        // readTopic has checked the value against the topic's schema; the type is lost on the way.
        await readTopic(
          handle,
          TOPIC,
          ({ key: id, value, raw }) => {
            const asset = (value as Asset | null) ?? undefined;
            // Consumers dead-letter an asset under the key of another.
            const isValid = asset === undefined || asset.id === id;
            hand({ id, asset: isValid ? asset : undefined, value: raw.value, isValid });
          },
          { onInvalid: ({ raw }) => hand({ id: String(raw.key), asset: undefined, value: raw.value, isValid: false }) },
        );
      }),
    );
  }

  /** Resolves when Kafka has confirmed all updates: at most some 2,000. */
  async publish(updates: readonly AssetUpdate[]): Promise<void> {
    const time = new Date().toISOString();
    // Created only now: a producer that has not reached Kafka for a while, as during a long check, accepts nothing.
    // One request at a time: positions are versions, so a retried message must not land behind a later one of its asset.
    this.producer ??= new SelfClockedProducer(this.kafka.handle, { deadlineMs: PUBLISH_DEADLINE_MS, requests: 1 });
    const { producer } = this;
    const messages = updates.map(({ id, json }) => {
      const event = { id: randomUUID(), source: '/assets', subject: id, time } as const;
      return { ...eventMessage('asset.published.v1', null, event), value: json };
    });
    await this.kafka.run(() => Promise.all(messages.map((message) => producer.publish(message))), true);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.producer?.close();
  }
}
