import type { AssetType } from '@carbon/contracts';
import type { LibraryIndex } from '../indexing/library-index.js';
import { askTwice, searchTimeMs } from '../open-search/ask-twice.js';
import type { OpenSearch } from '../open-search/open-search.js';
import { Outage, Refusal } from '../open-search/refusal.js';
import { creationAnswer, type Figures, figuresAnswer } from './figures-answer.js';
import { figuresRequest } from './figures-request.js';

/** The figures of one type of asset, and when its index was made, in ms since 1970. */
export interface KindFigures {
  readonly figures: Figures;
  readonly madeAt: number;
}

type ByType<T> = Readonly<Record<AssetType, T>>;

/** Asks OpenSearch what stands in the library. */
export class LibraryFigures {
  private readonly aliases: ByType<string>;

  /** @param deadlineMs for the whole of it, one more attempt included */
  constructor(
    private readonly openSearch: OpenSearch,
    library: LibraryIndex,
    private readonly deadlineMs: number,
  ) {
    this.aliases = { POOL: library.aliasOf('POOL'), PROJECT: library.aliasOf('PROJECT') };
  }

  /** @throws Outage when there is no answer in time */
  count(): Promise<ByType<KindFigures>> {
    return askTwice(this.deadlineMs, (leftMs) => this.once(leftMs));
  }

  private async once(leftMs: number): Promise<ByType<KindFigures>> {
    const end = performance.now() + leftMs;
    const path = `/${Object.values(this.aliases).join()}/_search`;
    const query = { allow_partial_search_results: false };
    const body = figuresRequest(this.aliases, searchTimeMs(leftMs));
    const answer = await this.openSearch
      .ask({ method: 'POST', path, query, body }, figuresAnswer, leftMs)
      .catch(notYetIndexed);
    if (answer.timed_out || answer._shards.failed > 0) throw new Outage(false, new Error('a partial answer'));
    const { POOL, PROJECT } = answer.aggregations;
    const madeAt = await this.madeAt([POOL, PROJECT], end - performance.now());
    return { POOL: { figures: POOL, madeAt }, PROJECT: { figures: PROJECT, madeAt } };
  }

  /** When the live indices were made; both are made together. Only an empty one needs to be known. */
  private async madeAt(kinds: readonly Figures[], leftMs: number): Promise<number> {
    if (kinds.every(({ doc_count: count }) => count > 0)) return 0;
    const path = `/${Object.values(this.aliases).join()}/_settings/index.creation_date`;
    const indices = await this.openSearch
      .ask({ method: 'GET', path }, creationAnswer, Math.max(1, leftMs))
      .catch(notYetIndexed);
    return Math.max(...Object.values(indices).map(({ settings }) => settings.index.creation_date));
  }
}

/** Before the first generation is live there is no alias. */
function notYetIndexed(error: unknown): never {
  if (error instanceof Refusal && error.type === 'index_not_found_exception') throw new Outage(false, error);
  throw error;
}
