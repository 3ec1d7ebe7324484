import type { AssetType } from '@carbon/contracts';
import { Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { OpenSearch } from '../open-search/open-search.js';
import { OpenSearchRequestError } from '../open-search/open-search-errors.js';
import {
  aliasSwapActions,
  allowWritesActions,
  removeActions,
  retireActions,
  sharedAliasActions,
} from './alias-actions.js';
import { aliasOf, type Generation, type GenerationKey, indexName, TYPES } from './generation.js';
import { DEFAULT_LAYOUT, filledSettings, type IndexLayout, indexBody, searchedSettings } from './index-body.js';
import {
  type GenerationMeta,
  indexList,
  type LibraryState,
  libraryState,
  type StoredGeneration,
} from './library-state.js';

// Making an index and moving an alias wait for the cluster's state: slower than a search, and never in a request.
const DEADLINE_MS = 10_000;
/** A refresh of all that was written since the last one, which may be a whole library. */
const REFRESH_MS = 60_000;
/** All of the list that is read; the whole of it would be the mappings, several times over. */
const LISTED = '*.aliases,*.mappings._meta,*.settings.index.uuid,*.settings.index.creation_date';

const done = z.object({ acknowledged: z.literal(true) });
const refreshed = z.object({ _shards: z.object({ failed: z.literal(0) }) });
const counted = z.object({ count: z.int(), _shards: z.object({ failed: z.literal(0) }) });

/** The indices and aliases of the asset library in OpenSearch. What is to happen to them is decided elsewhere. */
@Injectable()
export class LibraryIndex {
  private readonly logger = new Logger('indexing');

  /** @param prefix stands before every index and alias, so that systems can share an OpenSearch */
  constructor(
    private readonly openSearch: OpenSearch,
    private readonly prefix: string,
    private readonly layout: IndexLayout = DEFAULT_LAYOUT,
  ) {}

  /** What searches for this type of asset go to. */
  aliasOf(type: AssetType): string {
    return aliasOf(this.prefix, type);
  }

  /** How everything stands now. */
  async look(): Promise<LibraryState> {
    const names = TYPES.flatMap((type) => [this.aliasOf(type), `${this.aliasOf(type)}-*`]);
    const query = { ignore_unavailable: true, allow_no_indices: true, filter_path: LISTED };
    const path = `/${names.join()}`;
    return libraryState(
      this.prefix,
      await this.openSearch.request({ method: 'GET', path, query }, indexList, DEADLINE_MS),
    );
  }

  /** Makes what is missing of a generation's indices. Of several processes at once one makes each; the others join. */
  async make(key: GenerationKey, meta: GenerationMeta): Promise<void> {
    for (const type of TYPES) await this.ensure(indexName(this.prefix, type, key), type, meta);
  }

  /** Lets a generation be written to. @returns false when one of its indices is gone */
  async allowWrites(generation: Generation): Promise<boolean> {
    return await this.move(allowWritesActions(generation));
  }

  /**
   * Moves both aliases to a generation that has caught up, in one call; what it holds can be searched from then on.
   * @returns false when they stand elsewhere than `state` says, and nothing was moved
   */
  async swapAliases(next: StoredGeneration, state: LibraryState): Promise<boolean> {
    await this.openSearch.request(
      { method: 'PUT', path: `/${names(next)}/_settings`, body: { index: searchedSettings(this.layout) } },
      done,
      DEADLINE_MS,
    );
    await this.refresh(next);
    const moved = await this.move(aliasSwapActions(this.prefix, next, state));
    if (moved) this.logger.log('Searches go to this generation now', { generation: next.name });
    return moved;
  }

  /** Leaves each alias to one generation, where it stands for several. */
  async resolveSharedAliases(state: LibraryState): Promise<void> {
    const actions = sharedAliasActions(this.prefix, state);
    if (actions.length > 0) await this.move(actions);
  }

  /** Writes down what is known of a generation, in place of all that was. */
  async note({ indices, has }: StoredGeneration, meta: GenerationMeta): Promise<void> {
    const path = `/${has.map((type) => indices[type]).join()}/_mapping`;
    await this.openSearch.request({ method: 'PUT', path, body: { _meta: meta } }, done, DEADLINE_MS);
  }

  /** Writes down that `live` has taken the place of a generation. @returns false when it is not live, or they are gone */
  async retire(old: StoredGeneration, live: StoredGeneration, at: Date): Promise<boolean> {
    return await this.move(retireActions(this.prefix, old, live, at));
  }

  /** Removes a generation's indices while `live` is. @returns false when it is not, or they are gone */
  async remove(old: StoredGeneration, live: StoredGeneration): Promise<boolean> {
    const removed = await this.move(removeActions(this.prefix, old, live));
    if (removed) this.logger.log('A generation is removed', { generation: old.name });
    return removed;
  }

  /** Makes what was written visible to searches. */
  async refresh(generation: Generation): Promise<void> {
    await this.openSearch.request({ method: 'POST', path: `/${names(generation)}/_refresh` }, refreshed, REFRESH_MS);
  }

  /** How many assets of a type a search would see. */
  async documents({ indices }: Generation, type: AssetType): Promise<number> {
    const path = `/${indices[type]}/_count`;
    return (await this.openSearch.request({ method: 'GET', path }, counted, DEADLINE_MS)).count;
  }

  private async move(actions: readonly object[]): Promise<boolean> {
    try {
      await this.openSearch.request({ method: 'POST', path: '/_aliases', body: { actions } }, done, DEADLINE_MS);
      return true;
    } catch (error) {
      if (error instanceof OpenSearchRequestError && error.status === 404) return false;
      throw error;
    }
  }

  private async ensure(name: string, type: AssetType, meta: GenerationMeta): Promise<void> {
    try {
      const body = indexBody(type, filledSettings(this.layout), meta);
      await this.openSearch.request({ method: 'PUT', path: `/${name}`, body }, done, DEADLINE_MS);
      this.logger.log('An index is made', { index: name });
    } catch (error) {
      if (!(error instanceof OpenSearchRequestError) || error.type !== 'resource_already_exists_exception') throw error;
    }
  }
}

function names({ indices }: Generation): string {
  return TYPES.map((type) => indices[type]).join();
}
