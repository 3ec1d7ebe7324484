import { randomUUID } from 'node:crypto';
import type { Asset } from '@carbon/contracts';
import { eventMessage, hasNeverHadMessages, readTopic, SelfClockedProducer, topicEnds } from '@carbon/messaging';
import type { CommandContext } from '@carbon/terminal';
import { CommandKafka } from '../kafka.js';

const TOPIC = 'asset.published';
/** A restarted broker is back within this time; a message that waits longer fails. */
const PUBLISH_DEADLINE_MS = 15_000;
/** While Kafka confirms one window, the next is filled. The producer refuses more than 2,000 messages at a time. */
const WINDOW_MESSAGES = 1_000;
const WINDOW_CHARACTERS = 4 * 1024 * 1024;

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
    await this.kafka.run(() =>
      readTopic(
        this.kafka.handle,
        TOPIC,
        // readTopic has checked the value against the topic's schema; the type is lost on the way.
        ({ key: id, value, raw }) =>
          onMessage({ id, asset: (value as Asset | null) ?? undefined, value: raw.value, isValid: true }),
        {
          onInvalid: ({ raw }) =>
            onMessage({ id: String(raw.key), asset: undefined, value: raw.value, isValid: false }),
        },
      ),
    );
  }

  /**
   * Resolves when Kafka has confirmed all updates. In bounded memory: while it confirms one window, the next is filled.
   * @returns the number of updates
   */
  async publish(updates: Iterable<AssetUpdate>): Promise<number> {
    let window: AssetUpdate[] = [];
    let [count, characters] = [0, 0];
    let confirmed: Promise<void> = Promise.resolve();
    const sendWindow = async () => {
      await confirmed;
      confirmed = this.send(window);
      // It is awaited with the next window; until then a failure must not count as unhandled.
      confirmed.catch(() => {});
      [window, characters] = [[], 0];
    };
    for (const update of updates) {
      window.push(update);
      count += 1;
      characters += update.json?.length ?? 0;
      if (window.length >= WINDOW_MESSAGES || characters >= WINDOW_CHARACTERS) await sendWindow();
    }
    await sendWindow();
    await confirmed;
    return count;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.producer?.close();
  }

  private async send(updates: readonly AssetUpdate[]): Promise<void> {
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
}
