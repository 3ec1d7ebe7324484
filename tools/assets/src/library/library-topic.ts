import { randomUUID } from 'node:crypto';
import type { Asset } from '@carbon/contracts';
import {
  createKafka,
  eventMessage,
  type KafkaHandle,
  type KafkaSettings,
  type OutgoingMessage,
  readTopic,
  SelfClockedProducer,
  waitForKafka,
  withIdleTimeout,
} from '@carbon/messaging';
import { kafkaFailure } from './kafka-failure.js';

const TOPIC = 'asset.published';
/** A restarted broker is back within this; a message that waits longer is given up. */
const PUBLISH_DEADLINE_MS = 15_000;
/** Reading is given up when nothing has come for so long. */
const READ_PATIENCE_MS = 30_000;

/** What the topic says about one id; the last one counts. */
export interface LibraryMessage {
  readonly id: string;
  /** Undefined when the id is withdrawn, or when the message is no asset. */
  readonly asset: Asset | undefined;
  /** Byte for byte; null withdraws. */
  readonly value: Buffer | null;
  readonly fit: boolean;
}

/** The asset library as it is: the compacted topic. Throws `CannotDo` where Kafka does not play along. */
export class LibraryTopic implements AsyncDisposable {
  private readonly kafka: KafkaHandle;
  private producer: SelfClockedProducer | undefined;
  private reached: Promise<void> | undefined;

  /** @param wait how long a Kafka that does not answer yet is waited for, and who hears of it */
  constructor(
    private readonly settings: Pick<KafkaSettings, 'brokers' | 'topicPrefix' | 'ssl' | 'sasl'>,
    private readonly wait: { readonly withinMs: number; say(sentence: string): void },
  ) {
    this.kafka = createKafka({ ...settings, clientId: 'assets' });
  }

  /** Hands over every message from the beginning to the end as it is now, those of one id in their order. */
  async read(onMessage: (message: LibraryMessage) => void | Promise<void>): Promise<void> {
    await this.orFailure('read', () =>
      withIdleTimeout(READ_PATIENCE_MS, (heard) => {
        const hand = (message: LibraryMessage) => {
          heard();
          return onMessage(message);
        };
        return readTopic(
          this.kafka,
          TOPIC,
          ({ key: id, value, raw }) =>
            // Checked against the topic's schema by readTopic; the type is lost on the way.
            hand({ id, asset: (value as Asset | null) ?? undefined, value: raw.value, fit: true }),
          {
            onInvalid: ({ raw }) =>
              void hand({ id: raw.key?.toString() ?? '', asset: undefined, value: raw.value, fit: false }),
          },
        );
      }),
    );
  }

  /** Resolves when Kafka has confirmed all of them. At most some two thousand may be under way. */
  async publish(assets: readonly { readonly id: string; readonly json: string | null }[]): Promise<void> {
    const time = new Date().toISOString();
    const messages = assets.map(({ id, json }) => assetMessage(id, json, time));
    // Made only now: a publisher that has not reached Kafka for a while, as during a long check, takes nothing.
    // One request at a time: positions are versions, so a line sent again must not land behind a later one of its asset.
    this.producer ??= new SelfClockedProducer(this.kafka, { deadlineMs: PUBLISH_DEADLINE_MS, requests: 1 });
    const { producer } = this;
    await this.orFailure('publish', () => Promise.all(messages.map((message) => producer.publish(message))));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.producer?.close();
  }

  private async orFailure(doing: 'read' | 'publish', work: () => Promise<unknown>): Promise<void> {
    try {
      this.reached ??= waitForKafka(this.kafka, this.wait.withinMs, this.wait.say);
      await this.reached;
      await work();
    } catch (error) {
      throw kafkaFailure(error, doing, this.settings.brokers);
    }
  }
}

function assetMessage(id: string, json: string | null, time: string): OutgoingMessage {
  const facts = { id: randomUUID(), source: '/assets', subject: id, time } as const;
  return { ...eventMessage('asset.published.v1', null, facts), value: json };
}
