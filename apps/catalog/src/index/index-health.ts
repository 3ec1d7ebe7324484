import { Health, Metrics } from '@carbon/observability';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { indexingMetrics } from '../catalog.metrics.js';
import { OpenSearch } from '../open-search/open-search.js';
import { FeedLibrary } from './feed-library.js';
import type { LibraryState, StoredGeneration } from './library-state.js';
import { canBeSearched, isComplete, isLiveOrCandidate, isWhollyLive } from './precedence.js';

const STATES = ['live', 'building', 'retired', 'broken'] as const;

/** Shows how the generations of the index stood when they were last looked at. */
@Injectable()
export class IndexMetrics {
  constructor(metrics: Metrics, feed: FeedLibrary) {
    const { generations, searchable, lookAge } = metrics.of(indexingMetrics);
    metrics.onScrape(() => {
      const { lastLook } = feed;
      if (lastLook === undefined) return;
      const { state, at } = lastLook;
      const counts = Map.groupBy(state.generations, (one) => stateOf(one, state));
      for (const one of STATES) generations.set({ state: one }, counts.get(one)?.length ?? 0);
      searchable.set(canBeSearched(state) ? 1 : 0);
      lookAge.set((performance.now() - at) / 1_000);
    });
  }
}

function stateOf(one: StoredGeneration, state: LibraryState): (typeof STATES)[number] {
  if (!isComplete(one)) return 'broken';
  if (isWhollyLive(one, state)) return 'live';
  return isLiveOrCandidate(one, state) ? 'building' : 'retired';
}

const DEADLINE_MS = 900;

/** Tells health whom the catalog depends on. Searches need OpenSearch alone; without Kafka they only grow old. */
@Injectable()
export class WatchDependencies implements OnModuleInit {
  constructor(
    private readonly health: Health,
    private readonly openSearch: OpenSearch,
    private readonly feed: FeedLibrary,
  ) {}

  onModuleInit(): void {
    const version = z.object({ version: z.object({ number: z.string() }) });
    this.health.register('opensearch', () => this.openSearch.ask({ method: 'GET', path: '/' }, version, DEADLINE_MS));
    this.health.register('kafka', () => this.checkKafka());
  }

  private checkKafka(): void {
    if (!this.feed.consuming) throw new Error('the consumer is not in its group');
  }
}
