import { TOPICS, type TopicName } from '@carbon/contracts';
import { Catch, type ExceptionFilter, type INestApplication } from '@nestjs/common';
import {
  type CustomTransportStrategy,
  type MessageHandler,
  type MicroserviceOptions,
  type NestMicroservice,
  Server,
} from '@nestjs/microservices';
import type { EachBatchPayload } from 'kafkajs';
import { type Observable, throwError } from 'rxjs';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { ConsumerMetrics } from '../metrics.js';
import { DeadLetterStore } from '../pipeline/dead-letter.js';
import type { Batch, RejectedMessage, Step, TopicTable } from '../pipeline/message.js';
import { createPipeline } from '../pipeline/pipeline.js';
import { RETRY_POLICY, type RetryPolicy } from '../pipeline/retry.js';
import { SelfClockedProducer } from '../publish/self-clocked-producer.js';
import { consumeBatch, type StorePosition } from './consume-batch.js';
import { GROUP_TIMES, GroupConsumer, type GroupTimes } from './group-consumer.js';
import { PositionCommits } from './position-commits.js';
import type { FindStartPositions } from './start-positions.js';

/** The limit of a dead-letter topic (see `createTopics`): a dead letter is its original with more headers. */
const MAX_DEAD_LETTER_BYTES = 2_000_000;

/** A dead letter that waits longer blocks its partition, and makes the consumer unhealthy. */
const MAX_DEAD_LETTER_WAIT_MS = 60_000;

const HEARTBEAT_MS = 1_000;
/** A handler that runs longer hangs, and ends the process. */
const HANDLER_LIMIT_MS = 300_000;

/** Options of a batch server; only the group and the topic are required. */
export interface KafkaBatchOptions {
  /** Plain name of the consumer group. */
  readonly groupId: string;
  /** Plain name. Handlers of other topics belong to other servers of the application. */
  readonly topic: string;
  /** Replaces committed positions as the start of an assignment. */
  readonly findStartPositions?: FindStartPositions;
  /** Stores each position before it is committed to Kafka. */
  readonly storePosition?: StorePosition;
  /** The most messages a handler receives at once. */
  readonly maxBatch?: number;
  readonly concurrentPartitions?: number;
  readonly retry?: Partial<RetryPolicy>;
  readonly times?: Partial<GroupTimes>;
  readonly topics?: TopicTable;
  /** Called when the consumer cannot continue; exits with 1 by default. */
  readonly onFatal?: (error: Error) => void;
}

/**
 * Nest's transport strategy for Kafka: `@EventPattern('<topic>')` handlers receive whole batches (`Batch`), and `createPipeline`
 * does everything around them. Connect it with `connectKafka`. `listen` returns at once; Kafka may be unreachable then.
 */
export class KafkaBatchServer extends Server implements CustomTransportStrategy {
  private readonly group: GroupConsumer;
  private readonly producer: SelfClockedProducer;
  private readonly deadLetters: DeadLetterStore;
  private readonly commits = new PositionCommits();
  private pipeline: readonly Step[] = [];
  private readonly metrics: ConsumerMetrics | undefined;

  constructor(
    private readonly kafka: KafkaHandle,
    private readonly options: KafkaBatchOptions,
  ) {
    super();
    const { groupId, topic, concurrentPartitions = 3, times, findStartPositions } = options;
    const { logger } = kafka;
    // Also before the server is started: alerts must see that its messages grow old.
    this.metrics =
      kafka.metrics &&
      new ConsumerMetrics(kafka.metrics, kafka, { group: groupId, topic }, () => ({
        consuming: this.consuming,
        deadLetterWaitMs: this.deadLetters.longestWaitMs,
      }));
    // Without metrics: dead letters are counted as such, not among the app's published messages.
    this.producer = new SelfClockedProducer({ ...kafka, metrics: undefined }, { messageBytes: MAX_DEAD_LETTER_BYTES });
    this.deadLetters = new DeadLetterStore({
      send: (message) => this.producer.forward(message),
      group: groupId,
      logger,
      onStored: (code) => this.metrics?.deadLettered(code),
    });
    this.group = new GroupConsumer(
      kafka,
      {
        groupId,
        topic,
        concurrentPartitions,
        findStartPositions,
        times: { ...GROUP_TIMES, ...times },
        onFatal: (error) => this.fatal(error),
      },
      (payload) => this.onBatch(payload),
    );
  }

  /** Whether the consumer is in its group and alive, and no dead letter blocks it for long; for health. */
  get consuming(): boolean {
    return this.group.consuming && this.deadLetters.longestWaitMs <= MAX_DEAD_LETTER_WAIT_MS;
  }

  override addHandler(pattern: unknown, callback: MessageHandler, isEventHandler = false, extras = {}): void {
    const topic = this.normalizePattern(pattern as string);
    if (topic !== this.options.topic) return;
    if (!isEventHandler) throw new Error(`The handler of ${topic} returns a response; use @EventPattern.`);
    if (!Object.hasOwn(this.topics, topic)) throw new Error(`There is no topic ${topic} in the table of topics.`);
    if (this.messageHandlers.has(topic)) throw new Error(`The topic ${topic} has two handlers; only one is allowed.`);
    super.addHandler(pattern, callback, isEventHandler, extras);
  }

  listen(callback: (error?: unknown) => void): void {
    const { topics, deadLetters } = this;
    const handler = this.messageHandlers.get(this.options.topic);
    if (handler === undefined) {
      callback(new Error(`No handler for ${this.options.topic}.`));
      return;
    }
    const policy = { ...RETRY_POLICY, ...this.options.retry };
    this.pipeline = createPipeline({ topics, handler, retry: policy, deadLetters, logger: this.kafka.logger });
    this.group.start();
    callback();
  }

  async close(): Promise<void> {
    this.metrics?.close();
    await this.group.close();
    await this.producer.close();
  }

  on(): never {
    throw new Error('KafkaBatchServer has no events; read `consuming`.');
  }

  unwrap<T>(): T {
    return this.kafka.client as T;
  }

  private get topics(): TopicTable {
    return this.options.topics ?? TOPICS;
  }

  private onBatch(payload: EachBatchPayload): Promise<void> {
    const { maxBatch = 500, storePosition } = this.options;
    return consumeBatch(payload, {
      kafka: this.kafka,
      maxBatch,
      storePosition,
      starts: this.group.starts,
      commits: this.commits,
      pipeline: this.pipeline,
      onDone: (messages, seconds) => this.metrics?.done(messages, seconds),
      ownership: {
        heartbeatMs: HEARTBEAT_MS,
        handlerLimitMs: HANDLER_LIMIT_MS,
        onHandlerLimit: (error) => this.fatal(error),
        stopping: this.group.stopping,
        assignment: () => this.group.assignment,
      },
    });
  }

  private fatal(error: Error): void {
    const { groupId, onFatal = () => process.exit(1) } = this.options;
    this.kafka.logger.error({ group: groupId, err: error }, 'the consumer cannot continue; the process exits');
    onFatal(error);
  }
}

/**
 * Passes errors of Kafka handlers on unchanged. Nest's default filter for messages would replace them with "Internal server
 * error", and an outage could not be told from a bad message.
 */
@Catch()
class RethrowErrors implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Connects a server to an application that also speaks HTTP. `app.startAllMicroservices()` starts it or, when that ran before,
 * `listen()` of the returned microservice. Filters and pipes of the application are not inherited, because they are made for HTTP;
 * the one filter that handlers need must be registered before Nest wraps them.
 */
export function connectKafka(app: INestApplication, server: KafkaBatchServer): NestMicroservice {
  const microservice = app.connectMicroservice<MicroserviceOptions>(
    { strategy: server },
    { inheritAppConfig: false, deferInitialization: true },
  ) as NestMicroservice;
  microservice.useGlobalFilters(new RethrowErrors());
  // The application runs the start-up hooks of the container.
  microservice.setIsInitHookCalled(true);
  return microservice;
}

/**
 * Starts a server without Nest that passes the batches of one topic to a function: for consumers that come and go while the
 * application runs. The caller closes it.
 */
export function startConsumer<T>(
  kafka: KafkaHandle,
  topic: TopicName,
  options: Omit<KafkaBatchOptions, 'topic'>,
  handle: (batch: Batch<T>) => Promise<readonly RejectedMessage[]>,
): KafkaBatchServer {
  const server = new KafkaBatchServer(kafka, { ...options, topic });
  server.addHandler(topic, handle, true);
  server.listen((error) => {
    if (error instanceof Error) throw error;
  });
  return server;
}
