import { isDeepStrictEqual } from 'node:util';
import type { AssetType } from '@carbon/contracts';
import { Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { OpenSearch } from '../open-search/open-search.js';
import { OpenSearchUnavailableError } from '../open-search/open-search-errors.js';
import { aliasOf, type Generation, generationKey, indexName, TYPES } from './generation.js';
import { DEFAULT_LAYOUT, type IndexLayout, indexBody, liveIndexSettings, rebuildIndexSettings } from './index-body.js';
import { indexList, type LibraryState, libraryState, type StoredGeneration } from './library-state.js';
import { highestLive, withChosen, withoutDeletedGenerations, withRemoving } from './precedence.js';
import { adoptLegacyIndices, type GenerationRecord, legacyMetaOf, type StateDocument } from './state-document.js';
import { acknowledgedResponse, createIndex, GENERATION_TIMEOUT_MS, isNotFound, StateStore } from './state-store.js';

/** The timeout of a refresh, which may cover a whole library. */
const REFRESH_MS = 60_000;
/** The part of the list that is read; the whole list would repeat the mappings. */
const LIST_PATHS = '*.aliases,*.mappings._meta,*.settings.index.uuid,*.settings.index.creation_date';
/** How often a change is attempted when other processes change the document first. */
const MAX_ATTEMPTS = 10;

const refreshResponse = z.object({ _shards: z.object({ failed: z.literal(0) }) });
const countResponse = z.object({ count: z.int(), _shards: z.object({ failed: z.literal(0) }) });

/** The state document, the indices and the aliases of the library in OpenSearch. Callers decide what to change. */
@Injectable()
export class LibraryIndex {
  private readonly logger = new Logger('indexing');
  private readonly store: StateStore;

  /** @param prefix of every index and alias, so that systems can share an OpenSearch */
  constructor(
    private readonly openSearch: OpenSearch,
    private readonly prefix: string,
    private readonly layout: IndexLayout = DEFAULT_LAYOUT,
  ) {
    this.store = new StateStore(openSearch, `${prefix}catalog-state`, liveIndexSettings(layout));
  }

  /** The alias that searches of this type use. */
  aliasOf(type: AssetType): string {
    return aliasOf(this.prefix, type);
  }

  /** Reads the state, and adds to the document what instances of the previous release have done. */
  async readState(): Promise<LibraryState> {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      // The document first: a compare-and-set then fails for everything decided on an older list.
      const { document, version } = await this.store.read();
      const indices = await this.listIndices();
      const metas = Object.entries(indices).map(([name, { mappings }]) => [name, mappings._meta] as const);
      const adopted = adoptLegacyIndices(this.prefix, document, Object.fromEntries(metas));
      if (adopted === undefined) return libraryState(this.prefix, document, version, indices);
      const next = await this.store.write(adopted, version);
      if (next !== undefined) return libraryState(this.prefix, adopted, next, indices);
    }
    throw new OpenSearchUnavailableError(true, new Error('The state document keeps changing.'));
  }

  /**
   * Writes by compare-and-set.
   * @returns false, and writes nothing, if another process has changed the document since `state`
   */
  async update({ version }: LibraryState, document: StateDocument): Promise<boolean> {
    return (await this.store.write(document, version)) !== undefined;
  }

  /**
   * Chooses a generation, which gets the highest precedence. `find` gets the latest state; its errors propagate.
   */
  async choose(find: (state: LibraryState) => StoredGeneration): Promise<void> {
    const [document, { indices, existingTypes, name }] = await this.change((state) => {
      const one = find(state);
      return [withChosen(one, state), one];
    });
    const record = document.generations.find((one) => one.name === name);
    if (record === undefined || existingTypes.length === 0) return;
    const path = `/${existingTypes.map((type) => indices[type]).join()}/_mapping`;
    const body = { _meta: legacyMetaOf(record) };
    await this.openSearch.request({ method: 'PUT', path, body }, acknowledgedResponse, GENERATION_TIMEOUT_MS);
  }

  /**
   * Removes generations that are not live: marks them as being removed, deletes their indices, and drops their records.
   * @returns the names of those whose indices are deleted
   */
  async remove(find: (state: LibraryState) => readonly StoredGeneration[]): Promise<string[]> {
    const [, old] = await this.change((state) => {
      const old = find(state);
      return [old.reduce((document, { name }) => withRemoving(document, name), state.document), old];
    });
    const names = new Set(old.map(({ name }) => name));
    await this.deleteRemoved(await this.readState());
    const after = await this.readState();
    const gone = withoutDeletedGenerations(after);
    if (gone !== undefined) await this.update(after, gone);
    return [...names].filter(
      (name) => !after.removing.some((one) => one.name === name && one.existingTypes.length > 0),
    );
  }

  /** Decides on the latest state, and again if another process changes it. */
  private async change<T>(decide: (state: LibraryState) => [StateDocument, T]): Promise<[StateDocument, T]> {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const state = await this.readState();
      const [document, result] = decide(state);
      if (await this.update(state, document)) return [document, result];
    }
    throw new OpenSearchUnavailableError(true, new Error('The state document keeps changing.'));
  }

  /** Creates the missing indices of a generation. Several processes may do so at once. */
  async createIndices(record: GenerationRecord): Promise<void> {
    const key = generationKey(record.name);
    if (key === undefined) throw new Error(`${record.name} is not a generation`);
    for (const type of TYPES) {
      const body = indexBody(type, rebuildIndexSettings(this.layout), legacyMetaOf(record));
      await createIndex(this.openSearch, indexName(this.prefix, type, key), body);
    }
  }

  /** Adds the write aliases. @returns false if an index is gone */
  async addWriteAliases({ indices, writeAliases }: Generation): Promise<boolean> {
    return await this.changeAliases(
      TYPES.map((type) => ({ add: { index: indices[type], alias: writeAliases[type] } })),
    );
  }

  /**
   * Swaps both aliases to a generation in one call, and makes all of its documents searchable.
   * @returns false, having swapped nothing, if the state document has changed since `state` was read, or an alias of `state` points
   * elsewhere now. An alias that `state` lacks is moved, whoever added it.
   */
  async swapAliases(next: StoredGeneration, state: LibraryState): Promise<boolean> {
    const body = { index: liveIndexSettings(this.layout) };
    const request = { method: 'PUT', path: `/${namesOf(next)}/_settings`, body } as const;
    await this.openSearch.request(request, acknowledgedResponse, GENERATION_TIMEOUT_MS);
    await this.refresh(next);
    const { version } = await this.store.read();
    if (!isDeepStrictEqual(version, state.version)) return false;
    const isSwapped = await this.changeAliases(aliasSwapActions(this.prefix, next, state));
    if (isSwapped) this.logger.log('The aliases now point to this generation', { generation: next.name });
    return isSwapped;
  }

  /** Deletes the indices of generations that are being removed, while another is live. @returns whether it deleted any */
  async deleteRemoved(state: LibraryState): Promise<boolean> {
    const live = highestLive(state);
    const old = state.removing.filter(({ existingTypes, liveFor }) => existingTypes.length > 0 && liveFor.length === 0);
    if (live === undefined) return false;
    let isAnyDeleted = false;
    for (const one of old) {
      if (!(await this.changeAliases(removeActions(this.prefix, one, live)))) continue;
      this.logger.log('Generation removed', { generation: one.name });
      isAnyDeleted = true;
    }
    return isAnyDeleted;
  }

  /** Makes everything that was written searchable. */
  async refresh(generation: Generation): Promise<void> {
    const request = { method: 'POST', path: `/${namesOf(generation)}/_refresh` } as const;
    await this.openSearch.request(request, refreshResponse, REFRESH_MS);
  }

  /** The number of searchable assets of a type. */
  async countDocuments({ indices }: Generation, type: AssetType): Promise<number> {
    const path = `/${indices[type]}/_count`;
    return (await this.openSearch.request({ method: 'GET', path }, countResponse, GENERATION_TIMEOUT_MS)).count;
  }

  private async listIndices() {
    const names = TYPES.flatMap((type) => [this.aliasOf(type), `${this.aliasOf(type)}-*`]);
    const query = { ignore_unavailable: true, allow_no_indices: true, filter_path: LIST_PATHS };
    return await this.openSearch.request(
      { method: 'GET', path: `/${names.join()}`, query },
      indexList,
      GENERATION_TIMEOUT_MS,
    );
  }

  /** Applies all actions or none, at once. */
  private async changeAliases(actions: readonly object[]): Promise<boolean> {
    try {
      const request = { method: 'POST', path: '/_aliases', body: { actions } } as const;
      await this.openSearch.request(request, acknowledgedResponse, GENERATION_TIMEOUT_MS);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}

/** Each alias of `state` must still point to the same index, so a process with a stale state fails. */
function aliasSwapActions(prefix: string, next: StoredGeneration, state: LibraryState): object[] {
  const all = [...state.generations, ...state.removing];
  return TYPES.flatMap((type) => {
    const alias = aliasOf(prefix, type);
    const others = all.filter(({ name, liveFor }) => name !== next.name && liveFor.includes(type));
    const indices = [...others.map(({ indices }) => indices[type]), ...state.foreignIndices[type]];
    return [
      ...indices.map((index) => ({ remove: { index, alias, must_exist: true } })),
      // If the alias did not exist, another process may have added it meanwhile.
      { remove: { index: `${alias}-*`, alias, must_exist: false } },
      { add: { index: next.indices[type], alias } },
    ];
  });
}

/** Removing the alias from `live` fails unless `live` is live at this moment; the same call adds it again. */
function removeActions(prefix: string, old: StoredGeneration, live: StoredGeneration): object[] {
  const proofs = live.liveFor.flatMap((type) => {
    const alias = { index: live.indices[type], alias: aliasOf(prefix, type) };
    return [{ remove: { ...alias, must_exist: true } }, { add: alias }];
  });
  return [...proofs, ...old.existingTypes.map((type) => ({ remove_index: { index: old.indices[type] } }))];
}

function namesOf({ indices }: Generation): string {
  return TYPES.map((type) => indices[type]).join();
}
