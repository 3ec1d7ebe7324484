import { setTimeout as sleep } from 'node:timers/promises';
import { type KafkaHandle, type TopicProgress, topicProgress } from '@carbon/messaging';
import type { Health } from '@carbon/observability';
import { type BeforeApplicationShutdown, Logger, type OnModuleInit } from '@nestjs/common';
import { BeginGenerations } from './begin-generations.js';
import { Feeds, type Ingest, LIBRARY_TOPIC } from './feed.js';
import type { LibraryIndex } from './library-index.js';
import type { LibraryState, StoredGeneration } from './library-state.js';
import { mappingHash } from './mapping.js';
import { canBeSearched, candidateOf, frontOf, isComplete, isWhollyLive } from './precedence.js';
import { RetireGenerations, SwapGenerations } from './swap-generations.js';
import { tryUntilDone } from './try-until-done.js';

/** While something is to happen; longer each time, for building a large library takes minutes. */
const SOON_MS = 250;
const SLOWER = 1.1;
/** Otherwise; with as much again at random, so that many instances do not ask at the same time. */
const LATER_MS = 1_000;
/** How long a stop waits for a look that is under way. */
const LAST_LOOK_MS = 1_500;

/** How the library stood, and when, by the process's own clock in ms. */
export interface LastLook {
  readonly state: LibraryState;
  readonly at: number;
}

/**
 * Keeps the library in OpenSearch fed, in the background while the catalog answers. Every second or two it looks at how
 * the generations stand and does what is next: begins one, feeds all of its own mapping, lets searches go to the newest
 * once that has caught up, and removes what had its time. Nothing is remembered but what stands in OpenSearch and Kafka,
 * so any instance goes on where another has stopped. Whatever is away is waited for.
 */
export class FeedLibrary implements OnModuleInit, BeforeApplicationShutdown {
  private readonly stop = new AbortController();
  private readonly feeds: Feeds;
  private readonly begin: BeginGenerations;
  private readonly swap: SwapGenerations;
  private readonly retire: RetireGenerations;
  private running: Promise<void> | undefined;
  private looking: Promise<void> = Promise.resolve();
  private openGate: (() => void) | undefined;
  private home: StoredGeneration | undefined;
  private hearsKafka = false;
  private soonMs = SOON_MS;
  private seen: LastLook | undefined;

  /** @param keptMs how long a generation is kept when another has taken its place */
  constructor(
    private readonly library: LibraryIndex,
    private readonly kafka: KafkaHandle,
    private readonly health: Health,
    ingest: Ingest,
    keptMs: number,
  ) {
    this.feeds = new Feeds(kafka, ingest);
    this.begin = new BeginGenerations(library);
    this.swap = new SwapGenerations(library, kafka);
    this.retire = new RetireGenerations(library, keptMs);
  }

  /** Whether this instance is in the group of the generation it relies upon, or, feeding none, hears Kafka; for health. */
  get consuming(): boolean {
    return this.feeds.of(this.home)?.consuming ?? this.hearsKafka;
  }

  /** How the library stood when it was last looked at; for metrics. */
  get lastLook(): LastLook | undefined {
    return this.seen;
  }

  onModuleInit(): void {
    this.openGate = this.health.gate('library');
  }

  /** Begins. To be called when the app listens. */
  start(): void {
    this.running ??= this.run().catch((error: unknown) => {
      if (!this.stop.signal.aborted) throw error;
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.running;
    await Promise.all([
      this.feeds.close(),
      Promise.race([this.looking, sleep(LAST_LOOK_MS, undefined, { ref: false })]),
    ]);
  }

  private async run(): Promise<void> {
    const { signal } = this.stop;
    for (;;) {
      const pause = await tryUntilDone('look after the library', () => this.lookOnce(), signal);
      await sleep(pause, undefined, { signal });
    }
  }

  /** Remembers the look: a stop waits a little for one that is under way. */
  private lookOnce(): Promise<number> {
    const looking = this.look();
    this.looking = looking.then(
      () => {
        this.hearsKafka = true;
      },
      () => {
        this.hearsKafka = false;
      },
    );
    return looking;
  }

  /** @returns how long until it must look again */
  private async look(): Promise<number> {
    const state = await this.library.look();
    this.seen = { state, at: performance.now() };
    const own = state.generations.filter(({ hash }) => hash === mappingHash());
    const topic = await this.progress(state, own);
    if (await this.begin.run(state, topic)) return SOON_MS;
    const complete = own.filter(isComplete);
    if (!(await this.allowWrites(complete))) return SOON_MS;
    await this.feeds.follow(complete, topic.ends);
    this.home = homeOf(state);
    this.tellReady(state, topic);
    if (await this.swap.run(state, topic, (one) => this.feeds.of(one))) return SOON_MS;
    await this.retire.run(state);
    const candidate = candidateOf(state, mappingHash());
    const settled = this.openGate === undefined && candidate !== undefined && isWhollyLive(candidate, state);
    this.soonMs = settled ? SOON_MS : Math.min(this.soonMs * SLOWER, LATER_MS);
    return settled ? LATER_MS * (1 + Math.random()) : this.soonMs;
  }

  /** @returns false when an index is gone since the look */
  private async allowWrites(generations: readonly StoredGeneration[]): Promise<boolean> {
    for (const one of generations) {
      if (this.feeds.of(one) === undefined && !(await this.library.allowWrites(one))) return false;
    }
    return true;
  }

  /** Searches need OpenSearch alone, so the catalog does not wait for a Kafka that does not answer. */
  private async progress(state: LibraryState, own: readonly StoredGeneration[]): Promise<TopicProgress> {
    try {
      return await topicProgress(this.kafka, LIBRARY_TOPIC, groupsOf(state, own));
    } catch (error) {
      if (canBeSearched(state)) this.becomeReady(state);
      throw error;
    }
  }

  private tellReady(state: LibraryState, { committed }: TopicProgress): void {
    if (this.openGate === undefined || !canBeSearched(state)) return;
    const feed = this.feeds.of(this.home);
    if (feed && !feed.hasCaughtUp(committed.get(feed.generation.group) ?? [])) return;
    this.becomeReady(state);
  }

  private becomeReady(state: LibraryState): void {
    if (this.openGate === undefined) return;
    this.openGate();
    this.openGate = undefined;
    new Logger('indexing').log('The library can be searched', { generation: frontOf(state)?.name });
  }
}

/** The live one's first: what is read of it must not be newer than what is read of its successor. */
function groupsOf(state: LibraryState, own: readonly StoredGeneration[]): string[] {
  const front = frontOf(state);
  return [...new Set([...(front ? [front] : []), ...own].map(({ group }) => group))];
}

/** The generation whose being fed this instance's readiness depends on: its own that is searched, else its newest. */
function homeOf(state: LibraryState): StoredGeneration | undefined {
  const front = frontOf(state);
  return front?.hash === mappingHash() && isWhollyLive(front, state) ? front : candidateOf(state, mappingHash());
}
