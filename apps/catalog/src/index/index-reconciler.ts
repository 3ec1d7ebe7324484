import { setTimeout as sleep } from 'node:timers/promises';
import { type KafkaHandle, settledWithin, type TopicProgress, topicProgress } from '@carbon/messaging';
import type { Health } from '@carbon/observability';
import { type BeforeApplicationShutdown, Logger, type OnModuleInit } from '@nestjs/common';
import { CutOver, GenerationRemover } from './cut-over.js';
import { GenerationConsumers, type WriteBatch } from './generation-consumers.js';
import { GenerationStarter } from './generation-starter.js';
import type { LibraryIndex } from './library-index.js';
import type { LibraryState, StoredGeneration } from './library-state.js';
import { mappingHash } from './mapping.js';
import { canBeSearched, candidateOf, highestLive, isComplete, isFullyLive } from './precedence.js';
import { LIBRARY_TOPIC } from './topic-progress.js';

/** The interval while a step is expected; it grows, because building a large library takes minutes. */
const BUSY_MS = 250;
const SLOWER = 1.1;
/** The interval otherwise, plus as much again at random, so that instances do not read at the same time. */
const IDLE_MS = 1_000;
/** How long a shutdown waits for a pass in progress. */
const PASS_TIMEOUT_MS = 1_500;
const MIN_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 3_000;

/**
 * Reconciles the index with the state document, in the background. Every second or two, and more often while a step is expected, it
 * reads the state and does the next step: it starts a generation, fills every generation of its own mapping, swaps the aliases to the
 * newest once that has caught up, and removes old ones. It has no state of its own outside of OpenSearch and Kafka, so any instance
 * continues where another stopped.
 */
export class IndexReconciler implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('indexing');
  private readonly stop = new AbortController();
  private readonly consumers: GenerationConsumers;
  private readonly starts: GenerationStarter;
  private readonly cutOver: CutOver;
  private readonly removals: GenerationRemover;
  private running: Promise<void> | undefined;
  private openGate: (() => void) | undefined;
  private beforeReady: (() => Promise<void>) | undefined;
  private ownGeneration: StoredGeneration | undefined;
  private reachesKafka = false;
  private busyMs = BUSY_MS;
  /** Whether this version could not create its first generation. */
  private fillsNothing = false;
  private state: LibraryState | undefined;
  private passedAt = performance.now();

  /** @param retentionMs how long a superseded generation is kept */
  constructor(
    private readonly library: LibraryIndex,
    private readonly kafka: KafkaHandle,
    private readonly health: Health,
    write: WriteBatch,
    retentionMs: number,
  ) {
    this.consumers = new GenerationConsumers(kafka, write);
    this.starts = new GenerationStarter(library);
    this.cutOver = new CutOver(library, kafka);
    this.removals = new GenerationRemover(library, retentionMs);
  }

  /** Whether this instance is in the group of its own generation, or, without one, reaches Kafka. */
  get consuming(): boolean {
    return this.consumers.of(this.ownGeneration)?.consuming ?? this.reachesKafka;
  }

  /** The state as it was last read. */
  get lastState(): LibraryState | undefined {
    return this.state;
  }

  /** When a pass last ended without an error, or when this instance started, by `performance.now()`. */
  get lastPassAt(): number {
    return this.passedAt;
  }

  onModuleInit(): void {
    this.openGate = this.health.gate('library');
  }

  /**
   * Starts reconciling. Call it once the app listens.
   * @param beforeReady delays the readiness once the library can be searched; never rejects
   */
  start(beforeReady: () => Promise<void>): void {
    this.beforeReady = beforeReady;
    this.running ??= this.run().catch((error: unknown) => {
      if (!this.stop.signal.aborted) throw error;
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await Promise.all([this.consumers.close(), settledWithin(PASS_TIMEOUT_MS, this.running)]);
  }

  /** Reconciles until the shutdown; backs off after failures, because OpenSearch and Kafka may come up later. */
  private async run(): Promise<void> {
    const { signal } = this.stop;
    for (let failures = 0; ; ) {
      let pauseMs: number;
      try {
        pauseMs = await this.reconcile();
        this.reachesKafka = true;
        this.passedAt = performance.now();
        failures = 0;
      } catch (error) {
        signal.throwIfAborted();
        this.reachesKafka = false;
        pauseMs = Math.min(MIN_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS);
        failures += 1;
        const cause = error instanceof Error ? error : new Error(String(error));
        this.logger.warn('The index could not be reconciled', cause, { attempts: failures });
      }
      await sleep(pauseMs, undefined, { signal });
    }
  }

  /** @returns the time until the next pass, in ms */
  private async reconcile(): Promise<number> {
    const state = await this.library.readState();
    this.state = state;
    const own = state.generations.filter(({ hash }) => hash === mappingHash());
    const topic = await this.progress(state, own);
    let failure: unknown;
    try {
      if (await this.starts.run(state, topic)) return BUSY_MS;
    } catch (error) {
      // As when no index can be created: meanwhile the present generations are filled and searched.
      failure = error;
    }
    const complete = own.filter(isComplete);
    if (!(await this.addWriteAliases(complete))) return BUSY_MS;
    await this.consumers.follow(complete, topic.ends);
    this.ownGeneration = ownGenerationOf(state);
    // Not of a version that could not create its first generation: it would replace the instances that fill the live one.
    const isFilled = this.ownGeneration !== undefined && isFullyLive(this.ownGeneration, state);
    this.fillsNothing = failure !== undefined && !isFilled;
    if (!this.fillsNothing) this.checkReadiness(state, topic);
    if (failure !== undefined) {
      await this.removals.run(state);
      throw failure;
    }
    if (await this.cutOver.run(state, topic, (one) => this.consumers.of(one))) return BUSY_MS;
    if (await this.removals.run(state)) return BUSY_MS;
    const candidate = candidateOf(state, mappingHash());
    const isIdle = this.openGate === undefined && candidate !== undefined && isFullyLive(candidate, state);
    this.busyMs = isIdle ? BUSY_MS : Math.min(this.busyMs * SLOWER, IDLE_MS);
    return isIdle ? IDLE_MS * (1 + Math.random()) : this.busyMs;
  }

  /** @returns false if an index is gone */
  private async addWriteAliases(generations: readonly StoredGeneration[]): Promise<boolean> {
    for (const one of generations) {
      if (this.consumers.of(one) === undefined && !(await this.library.addWriteAliases(one))) return false;
    }
    return true;
  }

  /** Searches need OpenSearch only, so readiness does not wait for an unreachable Kafka. */
  private async progress(state: LibraryState, own: readonly StoredGeneration[]): Promise<TopicProgress> {
    try {
      return await topicProgress(this.kafka, LIBRARY_TOPIC, groupsOf(state, own));
    } catch (error) {
      if (canBeSearched(state) && !this.fillsNothing) this.becomeReady(state);
      throw error;
    }
  }

  private checkReadiness(state: LibraryState, { committed }: TopicProgress): void {
    if (!canBeSearched(state)) return;
    const consumer = this.consumers.of(this.ownGeneration);
    if (consumer && !consumer.hasCaughtUp(committed.get(consumer.generation.group) ?? [])) return;
    this.becomeReady(state);
  }

  private becomeReady(state: LibraryState): void {
    if (this.openGate === undefined) return;
    void this.beforeReady?.().then(this.openGate);
    this.openGate = undefined;
    this.logger.log('The library can be searched', { generation: highestLive(state)?.name });
  }
}

/** The live generation's group first: its positions must not be newer than those of its successor. */
function groupsOf(state: LibraryState, own: readonly StoredGeneration[]): string[] {
  const live = highestLive(state);
  return [...new Set([...(live ? [live] : []), ...own].map(({ group }) => group))];
}

/** The generation on which this instance's readiness depends: its own live one, or else its newest. */
function ownGenerationOf(state: LibraryState): StoredGeneration | undefined {
  const live = highestLive(state);
  return live?.hash === mappingHash() && isFullyLive(live, state) ? live : candidateOf(state, mappingHash());
}
