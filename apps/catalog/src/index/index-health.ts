import { Health, Metrics } from '@carbon/observability';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { indexingMetrics } from '../catalog.metrics.js';
import { OpenSearch } from '../open-search/open-search.js';
import { IndexReconciler } from './index-reconciler.js';
import type { LibraryState, StoredGeneration } from './library-state.js';
import { canBeSearched, isComplete, isFullyLive, isLiveOrCandidate } from './precedence.js';

const STATES = ['live', 'building', 'retired', 'broken'] as const;

/** Exports the state of the generations as it was last read. */
@Injectable()
export class IndexMetrics {
  constructor(metrics: Metrics, reconciler: IndexReconciler) {
    const { generations, searchable, stateAge } = metrics.of(indexingMetrics);
    metrics.onScrape(() => {
      stateAge.set((performance.now() - reconciler.lastPassAt) / 1_000);
      const state = reconciler.lastState;
      if (state === undefined) return;
      const counts = Map.groupBy(state.generations, (one) => stateOf(one, state));
      for (const one of STATES) generations.set({ state: one }, counts.get(one)?.length ?? 0);
      searchable.set(canBeSearched(state) ? 1 : 0);
    });
  }
}

function stateOf(one: StoredGeneration, state: LibraryState): (typeof STATES)[number] {
  if (!isComplete(one)) return 'broken';
  if (isFullyLive(one, state)) return 'live';
  return isLiveOrCandidate(one, state) ? 'building' : 'retired';
}

const DEADLINE_MS = 900;

/** Registers the dependencies with health. Searches need OpenSearch only; without Kafka their results become stale. */
@Injectable()
export class IndexHealth implements OnModuleInit {
  constructor(
    private readonly health: Health,
    private readonly openSearch: OpenSearch,
    private readonly reconciler: IndexReconciler,
  ) {}

  onModuleInit(): void {
    const version = z.object({ version: z.object({ number: z.string() }) });
    this.health.register('opensearch', () =>
      this.openSearch.request({ method: 'GET', path: '/' }, version, DEADLINE_MS),
    );
    this.health.register('kafka', () => this.checkKafka());
  }

  private checkKafka(): void {
    if (!this.reconciler.consuming) throw new Error('the consumer is not consuming, or Kafka cannot be reached');
  }
}
