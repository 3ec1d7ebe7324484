import { Health } from '@carbon/observability';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { FeedLibrary } from '../indexing/feed-library.js';
import { OpenSearch } from '../open-search/open-search.js';

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
