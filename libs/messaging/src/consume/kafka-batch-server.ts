import { TOPICS } from '@carbon/contracts';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { EachBatchPayload } from 'kafkajs';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { ConsumingNumbers } from '../metrics/consuming-numbers.js';
import { deadLetter } from '../pipeline/dead-letter.js';
import { decode } from '../pipeline/decode.js';
import { LettersUnderWay } from '../pipeline/letters-under-way.js';
import { RETRY_POLICY, type RetryPolicy, retry } from '../pipeline/retry.js';
import type { Step } from '../pipeline/run.js';
import { inContext, trace } from '../pipeline/trace.js';
import { type TopicTable, validate } from '../pipeline/validate.js';
import { SelfClockedProducer } from '../publish/self-clocked-producer.js';
import type { StartsOf } from './assigned-starts.js';
import { consumeBatch } from './consume-batch.js';
import { GROUP_TIMES, type GroupTimes } from './consumer-settings.js';
import { GroupConsumer } from './group-consumer.js';
import { invokeHandler } from './invoke-handler.js';
import type { OnProgress } from './report-progress.js';

/** As large as a dead-letter topic takes (see `createTopics`): a dead letter is its original and seven headers. */
const LARGEST_LETTER_BYTES = 2_000_000;

/** What waits longer for its dead-letter topic holds its partition up: somebody must look. */
const LONGEST_LETTER_MS = 60_000;

/** What a batch server may be told; only the group must be. */
export interface KafkaBatchOptions {
  /** Plain name of the consumer group. */
  readonly groupId: string;
  /** Which topics this server takes, when several servers share one application; all that have a handler by default. */
  readonly handles?: readonly string[];
  /** Where a group that has no position yet begins: at the beginning (the default) or with what comes next. */
  readonly fromBeginning?: boolean;
  /** Where the partitions of an assignment are consumed from, where that is not the committed position. */
  readonly startsOf?: StartsOf;
  /** Stores how far a partition was consumed, before Kafka is told. */
  readonly onProgress?: OnProgress;
  /** The most messages a handler gets at once. */
  readonly maxBatch?: number;
  readonly partitionsAtOnce?: number;
  readonly retry?: Partial<RetryPolicy>;
  readonly times?: Partial<GroupTimes>;
  /** A handler that runs longer hangs, and ends the process. Milliseconds. */
  readonly handlerLimitMs?: number;
  readonly topics?: TopicTable;
  /** Called when the process cannot go on; exits with 1 by default. */
  readonly onFatal?: (error: Error) => void;
}

/**
 * Nest's way to Kafka: `@EventPattern('<topic>')` handlers get whole batches (`ReceivedBatch`), everything around them is
 * the pipeline below. Connect it with `connectKafka`. `listen` returns at once; Kafka may come later.
 */
export class KafkaBatchServer extends Server implements CustomTransportStrategy {
  private readonly group: GroupConsumer;
  private readonly letters: SelfClockedProducer;
  private readonly underWay = new LettersUnderWay();
  private readonly pipelines = new Map<string, readonly Step[]>();
  private readonly numbers: ConsumingNumbers | undefined;
  private errorsArrive = false;

  constructor(
    private readonly kafka: KafkaHandle,
    private readonly options: KafkaBatchOptions,
  ) {
    super();
    const { groupId, handles, fromBeginning = true, partitionsAtOnce = 3, times, startsOf } = options;
    this.numbers = kafka.metrics && new ConsumingNumbers(kafka.metrics, groupId);
    // Letters are counted as what they are, not among what the app publishes.
    this.letters = new SelfClockedProducer({ ...kafka, metrics: undefined }, { messageBytes: LARGEST_LETTER_BYTES });
    this.group = new GroupConsumer(
      kafka,
      {
        groupId,
        fromBeginning,
        partitionsAtOnce,
        startsOf,
        times: { ...GROUP_TIMES, ...times },
        onFatal: (error) => this.fatal(error),
      },
      (payload) => this.onBatch(payload),
    );
    // One that waits to be started does not consume, and what lies on its topics grows old: alarms must see it.
    if (handles !== undefined) this.show(handles);
  }

  /** Whether the consumer is in its group and alive, and no dead letter holds it up for long; for health. */
  get consuming(): boolean {
    return this.group.consuming && this.underWay.longestMs <= LONGEST_LETTER_MS;
  }

  /** For `connectKafka`, which sees to it that what a handler throws comes here as it is. */
  trustErrors(): void {
    this.errorsArrive = true;
  }

  override addHandler(pattern: unknown, callback: MessageHandler, isEventHandler = false, extras = {}): void {
    const topic = this.normalizePattern(pattern as string);
    const { handles } = this.options;
    if (handles !== undefined && !handles.includes(topic)) return;
    if (!isEventHandler) throw new Error(`The handler of ${topic} answers; use @EventPattern.`);
    if (!Object.hasOwn(this.topics, topic)) throw new Error(`There is no topic ${topic} in the table of topics.`);
    if (this.messageHandlers.has(topic)) throw new Error(`The topic ${topic} has two handlers; one must do.`);
    super.addHandler(pattern, callback, isEventHandler, extras);
  }

  listen(callback: (error?: unknown) => void): void {
    const mistake = this.mistake();
    if (mistake !== undefined) {
      callback(new Error(mistake));
      return;
    }
    for (const [topic, handler] of this.messageHandlers) this.pipelines.set(topic, this.pipeline(handler));
    const topics = [...this.messageHandlers.keys()];
    if (this.options.handles === undefined) this.show(topics);
    this.group.start(topics);
    callback();
  }

  async close(): Promise<void> {
    this.numbers?.close();
    await this.group.close();
    await this.letters.close();
  }

  on(): never {
    throw new Error('KafkaBatchServer has no events; ask `consuming`.');
  }

  unwrap<T>(): T {
    return this.kafka.client as T;
  }

  private show(topics: readonly string[]): void {
    this.numbers?.open(this.kafka, topics, () => ({
      consuming: this.consuming,
      letterWaitMs: this.underWay.longestMs,
    }));
  }

  private mistake(): string | undefined {
    if (!this.errorsArrive)
      return 'Connect a KafkaBatchServer with connectKafka(); Nest hides the errors of its handlers else.';
    const missing = (this.options.handles ?? []).filter((topic) => !this.messageHandlers.has(topic));
    if (missing.length > 0) return `No handler for ${missing.join(', ')}.`;
    return this.messageHandlers.size === 0 ? 'No handler for any topic.' : undefined;
  }

  private get topics(): TopicTable {
    return this.options.topics ?? TOPICS;
  }

  /** What happens to a message, in order. */
  private pipeline(handler: MessageHandler): readonly Step[] {
    const { groupId, retry: policy } = this.options;
    const { logger } = this.kafka;
    return [
      decode,
      validate(this.topics),
      trace,
      retry(
        inContext((batch) => invokeHandler(handler, batch)),
        { ...RETRY_POLICY, ...policy },
        logger,
      ),
      deadLetter({
        send: (message) => this.letters.forward(message),
        handler: groupId,
        logger,
        underWay: this.underWay,
        onPosted: (topic, code) => this.numbers?.givenUp(topic, code),
      }),
    ];
  }

  private onBatch(payload: EachBatchPayload): Promise<void> {
    const { maxBatch = 500, handlerLimitMs = 300_000, onProgress } = this.options;
    return consumeBatch(payload, {
      maxBatch,
      onProgress,
      starts: this.group.starts,
      logger: this.kafka.logger,
      names: this.kafka.names,
      pipelineOf: (topic) => this.pipelines.get(topic) ?? [],
      onDone: (topic, messages, seconds) => this.numbers?.done(topic, messages, seconds),
      hold: {
        beatMs: 1_000,
        overrunMs: handlerLimitMs,
        onOverrun: (error) => this.fatal(error),
        stopping: this.group.stopping,
        assignment: () => this.group.assignment,
      },
    });
  }

  private fatal(error: Error): void {
    const { groupId, onFatal = () => process.exit(1) } = this.options;
    this.kafka.logger.error({ group: groupId, err: error }, 'the consumer cannot go on; the process ends');
    onFatal(error);
  }
}
