import { SHUTDOWN_PHASES } from '@carbon/observability';
import type { Consumer, ConsumerCrashEvent, ConsumerGroupJoinEvent, EachBatchPayload } from 'kafkajs';
import { kafkaAnswers } from '../admin/kafka-answers.js';
import { type BackOff, pause, pauseAfter, within } from '../back-off.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import { AssignedStarts, type StartsOf } from './assigned-starts.js';
import { consumerConfig, type GroupTimes } from './consumer-settings.js';
import type { Assignment } from './hold.js';
import { Watchdog } from './watchdog.js';

const CONNECT: BackOff = { firstMs: 200, lastMs: 3_000 };
const TICK_MS = 1_000;
/** kafkajs gives up when no broker can say who coordinates the group, as in the moment in which the only broker stops. */
const NO_COORDINATOR = 'KafkaJSGroupCoordinatorNotFound';

/** Which group a member is of, and how it takes part. */
export interface GroupSettings {
  /** Plain name. */
  readonly groupId: string;
  readonly times: GroupTimes;
  readonly fromBeginning: boolean;
  readonly partitionsAtOnce: number;
  readonly startsOf: StartsOf | undefined;
  /** The process cannot go on: log and exit, so that a supervisor starts a fresh one. */
  readonly onFatal: (error: Error) => void;
}

/**
 * One member of a consumer group, from the first try to connect to the last good-bye. Kafka being away is never an error
 * here: it waits. Another consumer takes the place of one that kafkajs has given up on because it found no coordinator. Any
 * other that kafkajs has given up on, or that has fallen silent though Kafka answers, is fatal; it is never started anew within the
 * process (https://github.com/tulios/kafkajs/issues/558).
 */
export class GroupConsumer {
  /** From where the partitions of the assignment are consumed. */
  readonly starts: AssignedStarts;
  private consumer: Consumer | undefined;
  private given: Assignment = {};
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
    this.starts = new AssignedStarts(kafka, settings.startsOf, this.stopping);
    this.watchdog = new Watchdog({
      ticks: Math.ceil((2 * settings.times.sessionMs) / TICK_MS),
      probe: () => kafkaAnswers(this.kafka),
      onStall: () => settings.onFatal(new Error(`The consumer of ${settings.groupId} has stalled.`)),
    });
  }

  /** Given when the consumer is to stop. */
  get stopping(): AbortSignal {
    return this.stop.signal;
  }

  /** What the group has given to this member; another object after each join. */
  get assignment(): Assignment {
    return this.given;
  }

  /** Whether it is in its group, knows from where to consume and shows life; for health. */
  get consuming(): boolean {
    const isAtWork = this.phase === 'joined' && this.starts.known;
    return isAtWork && this.watchdog.silence * TICK_MS <= this.settings.times.sessionMs;
  }

  /** Connects and joins in the background, without end. Topics by plain name. */
  start(topics: readonly string[]): void {
    this.starting ??= this.connect(topics.map((topic) => this.kafka.names.topic(topic)));
  }

  /** Leaves the group when the batch at hand is through, in bounded time. */
  async close(): Promise<void> {
    this.stop.abort();
    clearInterval(this.ticks);
    // First let a start that is under way come to its end: kafkajs goes on with it whatever it is told meanwhile.
    await within(SHUTDOWN_PHASES.joinMs, this.startSettled()).catch(() => {});
    await within(SHUTDOWN_PHASES.leaveMs, this.consumer?.disconnect() ?? Promise.resolve()).catch(() => {});
    this.phase = 'idle';
  }

  private async startSettled(): Promise<void> {
    await this.starting;
    if (this.phase !== 'joining') return;
    await new Promise<void>((resolve) => {
      this.onSettled = resolve;
    });
  }

  private async connect(topics: string[]): Promise<void> {
    const { groupId, fromBeginning, partitionsAtOnce } = this.settings;
    clearInterval(this.ticks);
    for (let failures = 1; !this.stopping.aborted; failures += 1) {
      const consumer = this.create();
      this.consumer = consumer;
      try {
        await consumer.connect();
        await consumer.subscribe({ topics, fromBeginning });
        if (this.stopping.aborted) return;
        this.watch(consumer, topics);
        this.phase = 'joining';
        await consumer.run({
          autoCommit: false,
          eachBatchAutoResolve: false,
          partitionsConsumedConcurrently: partitionsAtOnce,
          eachBatch: this.onBatch,
        });
        return;
      } catch (error) {
        this.kafka.logger.warn(
          { group: groupId, attempts: failures, err: error },
          'Kafka is out of reach for consuming',
        );
        await consumer.disconnect().catch(() => {});
        await pause(pauseAfter(failures, CONNECT), this.stopping);
      }
    }
  }

  private create(): Consumer {
    const { groupId, times } = this.settings;
    return this.kafka.client.consumer(
      consumerConfig(this.kafka.names.group(groupId), times, () => this.stopping.aborted),
    );
  }

  private watch(consumer: Consumer, topics: string[]): void {
    const { HEARTBEAT, FETCH, END_BATCH_PROCESS, GROUP_JOIN, CRASH } = consumer.events;
    for (const event of [HEARTBEAT, FETCH, END_BATCH_PROCESS] as const) consumer.on(event, () => this.watchdog.alive());
    consumer.on(GROUP_JOIN, (event) => this.onJoin(consumer, event));
    consumer.on(CRASH, (event) => this.onCrash(event, topics));
    this.ticks = setInterval(() => void this.watchdog.tick(), TICK_MS);
  }

  private onJoin(consumer: Consumer, { payload }: ConsumerGroupJoinEvent): void {
    this.given = payload.memberAssignment;
    this.starts.assigned(this.given, (place) => consumer.seek(place));
    this.watchdog.alive();
    this.phase = 'joined';
    this.onSettled?.();
  }

  private onCrash({ payload: { error, restart } }: ConsumerCrashEvent, topics: string[]): void {
    this.phase = restart ? 'joining' : 'idle';
    if (!restart) this.onSettled?.();
    const { groupId } = this.settings;
    if (this.stopping.aborted) return;
    this.kafka.logger.warn({ group: groupId, err: error }, 'the consumer crashed');
    if (restart) return;
    if (error.name === NO_COORDINATOR) this.starting = this.connect(topics);
    else this.settings.onFatal(new Error(`The consumer of ${groupId} cannot go on.`, { cause: error }));
  }
}
