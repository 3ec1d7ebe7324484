import { setTimeout as sleep } from 'node:timers/promises';
import type { AssetType } from '@carbon/contracts';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { CATALOG_CONFIG, type CatalogConfig } from '../catalog.config.js';
import { AssetSearch } from './asset-search.js';

/**
 * Typical criteria and words, valid for both types of assets. `{n}` becomes digits that make every search different, so that
 * no cache responds.
 */
export const WARM_UP_SEARCHES: readonly { readonly criteria: string; readonly words: string }[] = [
  { criteria: 'rating >= 3.05{n}', words: '' },
  { criteria: 'source: (TOUCAN, VERRA) and price < 12.345{n}', words: '' },
  { criteria: 'vintages: 2016 and rating >= 3.55{n}', words: '' },
  { criteria: 'name: wind* and not source: TOUCAN and price > 1.05{n}', words: '' },
  { criteria: 'rating >= 2.05{n}', words: 'wind farm' },
  { criteria: 'price < 900.005{n}', words: 'forest' },
  { criteria: 'rating >= 1.05{n}', words: '"hydropower project"' },
];
const TYPES: readonly [AssetType, path: string][] = [
  ['PROJECT', '/v1/assets/projects'],
  ['POOL', '/v1/assets/pools'],
];
/** The pause after a search that failed. */
const RETRY_MS = 100;
/** The warm-up ends when so many searches in succession took no longer than this on average, in ms. */
const ENOUGH = { searches: 20, averageMs: 15 } as const;

/**
 * Searches before the catalog is ready. The first searches of a new OpenSearch or catalog process take a hundred times as long as
 * later ones, because nothing is loaded or compiled yet: under load they would time out.
 */
@Injectable()
export class SearchWarmUp implements BeforeApplicationShutdown {
  private readonly logger = new Logger('search');
  private readonly stopping = new AbortController();
  /** The searches of all runs, so that none repeats an earlier one. */
  private begun = 0;

  constructor(
    private readonly assets: AssetSearch,
    @Inject(CATALOG_CONFIG) private readonly config: Pick<CatalogConfig, 'SEARCH_WARM_UP_MS'>,
  ) {}

  /** Searches until searches are fast, or SEARCH_WARM_UP_MS have passed. Never rejects: a failed search is only a slow one. */
  async run(): Promise<void> {
    const { signal } = this.stopping;
    const startedAt = performance.now();
    const left = () => this.config.SEARCH_WARM_UP_MS - (performance.now() - startedAt);
    let searches = 0;
    let since = startedAt;
    for (let ms = left(); ms > 0 && !signal.aborted; ms = left()) {
      await this.search(AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(ms))]));
      searches += 1;
      if (searches % ENOUGH.searches !== 0) continue;
      const now = performance.now();
      if (now - since <= ENOUGH.searches * ENOUGH.averageMs) break;
      since = now;
    }
    this.logger.log('Warm-up of searches ended', { count: searches, ms: Math.round(performance.now() - startedAt) });
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  private async search(signal: AbortSignal): Promise<void> {
    const n = this.begun;
    this.begun += 1;
    const [type, path] = TYPES[n % TYPES.length] ?? ['PROJECT', ''];
    const { criteria, words } = WARM_UP_SEARCHES[n % WARM_UP_SEARCHES.length] ?? { criteria: '', words: '' };
    const query = new URLSearchParams({
      criteria: criteria.replace('{n}', String(n).padStart(6, '0')),
      fullTextSearch: words,
    });
    try {
      await this.assets.search({ type, account: '', url: `${path}?${query}` }, signal);
    } catch (error) {
      this.logger.debug('A search of the warm-up failed', error);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }
}
