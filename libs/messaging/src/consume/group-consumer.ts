import { SHUTDOWN_PHASES } from '@carbon/observability';
import type { Consumer, ConsumerConfig, ConsumerCrashEvent, ConsumerGroupJoinEvent, EachBatchPayload } from 'kafkajs';
import { isKafkaReachable, NO_COORDINATOR } from '../admin/admin.js';
import { type Backoff, backoffMs, settledWithin, sleep } from '../backoff.js';
import { type KafkaHandle, METADATA_MAX_AGE_MS } from '../kafka/create-kafka.js';
import { hasErrorType, kafkaHint } from '../kafka/log.js';
import type { Assignment } from './partition-ownership.js';
import { type FindStartPositions, StartPositions } from './start-positions.js';
import { Watchdog } from './watchdog.js';

const CONNECT_BACKOFF: Backoff = { initialMs: 200, maxMs: 3_000 };
const TICK_MS = 1_000;

/** Times of group membership. Milliseconds. */
export interface GroupTimes {
  /** How long a member may be silent before the group removes it: the time to recover after a kill; the broker's minimum is 6 s. */
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  /** How long a rebalance waits for members that are processing a batch. */
  readonly rebalanceMs: number;
}

/**
 * The default times. A killed member is removed after ten seconds, and the others learn of it with their next heartbeat: they take
 * over within twelve seconds. Milliseconds.
 */
export const GROUP_TIMES: GroupTimes = { sessionMs: 10_000, heartbeatMs: 1_500, rebalanceMs: 15_000 };

/** Returns a kafkajs configuration without its defaults (30 s session, 60 s rebalance, 5 s wait, 5 retries of up to 30 s). */
export function consumerConfig(groupId: string, times: GroupTimes, isStopping: () => boolean): ConsumerConfig {
  return {
    groupId,
    sessionTimeout: times.sessionMs,
    heartbeatInterval: times.heartbeatMs,
    rebalanceTimeout: times.rebalanceMs,
    // The broker responds as soon as it has one byte. The wait is how long it holds an empty fetch; it bounds the load of
    // idling and the time to stop.
    minBytes: 1,
    maxWaitTimeInMs: 300,
    maxBytesPerPartition: 1_048_576,
    maxBytes: 10_485_760,
    allowAutoTopicCreation: false,
    metadataMaxAge: METADATA_MAX_AGE_MS,
    retry: {
      initialRetryTime: 100,
      maxRetryTime: 1_000,
      multiplier: 2,
      factor: 0.2,
      retries: 50,
      restartOnFailure: async () => !isStopping(),
    },
  };
}

/** The group of a member, and how it takes part. */
export interface GroupSettings {
  /** Plain name. */
  readonly groupId: string;
  /** Plain name. */
  readonly topic: string;
  readonly times: GroupTimes;
  readonly concurrentPartitions: number;
  readonly findStartPositions: FindStartPositions | undefined;
  /** The process must exit so that its supervisor starts a new one. */
  readonly onFatal: (error: Error) => void;
}

/**
 * One member of a consumer group, from the first attempt to connect until it has left. Waits while Kafka is unreachable. A
 * kafkajs consumer that stopped because it found no coordinator, or was refused, is replaced by a new one. Any other that
 * stopped, or is silent although Kafka answers, is fatal: restarting it within the process does not work
 * (https://github.com/tulios/kafkajs/issues/558).
 */
export class GroupConsumer {
  /** The start positions of the assigned partitions. */
  readonly starts: StartPositions;
  private consumer: Consumer | undefined;
  private current: Assignment = {};
  private phase: 'idle' | 'joining' | 'joined' = 'idle';
  private onSettled: (() => void) | undefined;
  private starting: Promise<void> | undefined;
  private ticks: NodeJS.Timeout | undefined;
  private readonly stop = new AbortController();
  private readonly watchdog: Watchdog;

  constructor(
    private readonly kafka: KafkaHandle,
    private readonly settings: GroupSettings,
    private readonly onBatch: (payload: EachBatchPayload) => Promise<void>,
  ) {
    this.starts = new StartPositions(kafka, settings.findStartPositions, this.stopping);
    this.watchdog = new Watchdog({
      ticks: Math.ceil((2 * settings.times.sessionMs) / TICK_MS),
      probe: () => isKafkaReachable(this.kafka),
      // A probe may end after `close`.
      onStall: () =>
        this.stopping.aborted || settings.onFatal(new Error(`The consumer of ${settings.groupId} has stalled.`)),
    });
  }

  /** Aborted when the consumer starts to stop. */
  get stopping(): AbortSignal {
    return this.stop.signal;
  }

  /** The partitions of this member; another object after each join. */
  get assignment(): Assignment {
    return this.current;
  }

  /** Whether it is in its group, knows its start positions and is alive; for health. */
  get consuming(): boolean {
    const isReady = this.phase === 'joined' && this.starts.known;
    return isReady && this.watchdog.silentTicks * TICK_MS <= this.settings.times.sessionMs;
  }

  /** Connects and joins in the background, retrying without end. */
  start(): void {
    this.starting ??= this.connect();
  }

  /** Leaves the group when the current batch is done, in bounded time. */
  async close(): Promise<void> {
    this.stop.abort();
    clearInterval(this.ticks);
    // A start in progress must end first: kafkajs continues it even when it is told to disconnect.
    await settledWithin(SHUTDOWN_PHASES.joinMs, this.startSettled());
    await settledWithin(SHUTDOWN_PHASES.leaveMs, this.consumer?.disconnect());
    this.phase = 'idle';
  }

  private async startSettled(): Promise<void> {
    await this.starting;
    if (this.phase !== 'joining') return;
    await new Promise<void>((resolve) => {
      this.onSettled = resolve;
    });
  }

  private async connect(): Promise<void> {
    const { groupId, topic, concurrentPartitions, times } = this.settings;
    const config = {
      ...consumerConfig(this.kafka.names.group(groupId), times, () => this.stopping.aborted),
      metadataMaxAge: this.kafka.metadataMaxAgeMs,
    };
    for (let failures = 1; !this.stopping.aborted; failures += 1) {
      const consumer = this.kafka.client.consumer(config);
      this.consumer = consumer;
      try {
        await consumer.connect();
        await consumer.subscribe({ topics: [this.kafka.names.topic(topic)], fromBeginning: true });
        if (this.stopping.aborted) return void (await consumer.disconnect().catch(() => {}));
        this.watch(consumer);
        this.phase = 'joining';
        await consumer.run({
          autoCommit: false,
          eachBatchAutoResolve: false,
          partitionsConsumedConcurrently: concurrentPartitions,
          eachBatch: this.onBatch,
        });
        return;
      } catch (error) {
        this.kafka.logger.warn({ group: groupId, attempts: failures, err: error }, 'the consumer cannot start');
        clearInterval(this.ticks);
        await consumer.disconnect().catch(() => {});
        await sleep(backoffMs(failures, CONNECT_BACKOFF), this.stopping);
      }
    }
  }

  private watch(consumer: Consumer): void {
    const { HEARTBEAT, END_BATCH_PROCESS, GROUP_JOIN, CRASH } = consumer.events;
    // Not FETCH: a member that has lost its coordinator can still fetch, but handles nothing.
    for (const event of [HEARTBEAT, END_BATCH_PROCESS] as const) consumer.on(event, () => this.watchdog.alive());
    consumer.on(GROUP_JOIN, (event) => this.onJoin(consumer, event));
    consumer.on(CRASH, (event) => this.onCrash(event));
    // Another attempt may have set one: left over, it would report a stall after the consumer is closed.
    clearInterval(this.ticks);
    this.watchdog.alive();
    this.ticks = setInterval(() => void this.watchdog.tick(), TICK_MS);
  }

  private onJoin(consumer: Consumer, { payload }: ConsumerGroupJoinEvent): void {
    this.current = payload.memberAssignment;
    this.starts.assigned(this.current, (to) => consumer.seek(to));
    this.watchdog.alive();
    this.phase = 'joined';
    this.onSettled?.();
  }

  private onCrash({ payload: { error, restart } }: ConsumerCrashEvent): void {
    this.phase = restart ? 'joining' : 'idle';
    if (!restart) this.onSettled?.();
    const { groupId } = this.settings;
    if (this.stopping.aborted) return;
    this.kafka.logger.warn({ group: groupId, err: error }, 'the consumer crashed');
    if (restart) return;
    clearInterval(this.ticks);
    if (isWithoutCoordinator(error)) this.starting = this.connect();
    else if (isAccessError(error))
      this.starting = sleep(CONNECT_BACKOFF.maxMs, this.stopping).then(() => this.connect());
    else this.settings.onFatal(new Error(`The consumer of ${groupId} cannot continue.`, { cause: error }));
  }
}

/** Returns whether this is kafkajs' error when it finds no coordinator; an error of a later join is wrapped. */
function isWithoutCoordinator(error: unknown): boolean {
  return error instanceof Error && (error.name === NO_COORDINATOR || isWithoutCoordinator(error.cause));
}

const AUTHORIZATION_ERRORS = ['GROUP_AUTHORIZATION_FAILED', 'TOPIC_AUTHORIZATION_FAILED'];

/** Returns whether an operator must act: Kafka would refuse a new process too, and reads of the app need no Kafka. */
function isAccessError(error: Error): boolean {
  return kafkaHint(error) !== undefined || AUTHORIZATION_ERRORS.some((type) => hasErrorType(error, type));
}
