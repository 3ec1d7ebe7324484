import type { AssetType } from '@carbon/contracts';
import { Injectable, Logger } from '@nestjs/common';
import { z } from 'zod';
import { OpenSearch } from '../open-search/open-search.js';
import { Refusal } from '../open-search/refusal.js';
import { aliasOf, type Generation, generationNumber, generationOf, indexName } from './generation.js';
import { indexBody } from './index-body.js';
import { aliasActions, type LiveIndex, mayGoLive, supersededActions } from './live.js';
import { MAPPING_REVISION } from './revision.js';

const TYPES = ['POOL', 'PROJECT'] as const satisfies readonly AssetType[];
// Making an index and moving an alias wait for the cluster's state: slower than a search, and never in a request.
const DEADLINE_MS = 10_000;

const done = z.object({ acknowledged: z.literal(true) });
const refreshed = z.object({ _shards: z.object({ failed: z.literal(0) }) });
const indices = z.record(
  z.string(),
  z.object({
    aliases: z.record(z.string(), z.unknown()).default({}),
    mappings: z.object({ _meta: z.object({ revision: z.int() }).optional() }).default({}),
    settings: z.object({ index: z.object({ uuid: z.string() }) }),
  }),
);

/** The indices and aliases of the asset library in OpenSearch, as this instance keeps them. */
@Injectable()
export class LibraryIndex {
  private readonly logger = new Logger('indexing');
  private opened: Generation | undefined;

  /** @param prefix stands before every index and alias, so that systems can share an OpenSearch */
  constructor(
    private readonly openSearch: OpenSearch,
    private readonly prefix: string,
  ) {}

  /** The generation that this instance feeds. */
  get generation(): Generation {
    if (this.opened === undefined) throw new Error('No generation is open yet.');
    return this.opened;
  }

  /** What searches for this type of asset go to. */
  aliasOf(type: AssetType): string {
    return aliasOf(this.prefix, type);
  }

  /**
   * Finds the newest generation of this version's mapping, or begins the first. Its number is taken by making its index:
   * of several instances at once one makes it and the others join.
   */
  async open(): Promise<Generation> {
    const existing = Object.keys(await this.get(indexName(this.prefix, 'POOL', '*')));
    const numbers = existing.map((name) => generationNumber(this.prefix, name) ?? 0);
    const number = Math.max(1, ...numbers);
    for (const type of TYPES) await this.ensure(indexName(this.prefix, type, number), type);
    const found = await this.get(TYPES.map((type) => indexName(this.prefix, type, number)).join());
    const uuidOf = (type: AssetType) => found[indexName(this.prefix, type, number)]?.settings.index.uuid ?? '';
    this.opened = generationOf(this.prefix, number, { POOL: uuidOf('POOL'), PROJECT: uuidOf('PROJECT') });
    return this.opened;
  }

  /**
   * Moves both aliases to the open generation in one call, unless a newer mapping's is live. What it holds can be searched
   * from then on. To be called when it has caught up with the topic; a second call changes nothing.
   */
  async goLive(): Promise<void> {
    const own = this.generation;
    const live = await this.live();
    if (!mayGoLive(own, MAPPING_REVISION, live)) {
      this.logger.warn('The live generation is of another mapping, no older than ours: it stays', {
        generation: own.group,
        index: live.map(({ index }) => index).join(),
      });
      // We may have moved before, and been cut off before we looked again.
      await this.giveWay();
      return;
    }
    await this.openSearch.ask({ method: 'POST', path: `/${names(own)}/_refresh` }, refreshed, DEADLINE_MS);
    const actions = TYPES.flatMap((type) => aliasActions(this.aliasOf(type), own.indices[type], live));
    await this.move(actions);
    await this.giveWay();
  }

  /**
   * Another version may have gone live between our look and our move, neither seeing the other. Whoever moves last sees
   * both, so that looking again leaves the alias to one: the higher revision.
   */
  private async giveWay(): Promise<void> {
    const actions = supersededActions(
      TYPES.map((type) => this.aliasOf(type)),
      await this.live(),
    );
    if (actions.length > 0) await this.move(actions);
  }

  private async move(actions: readonly object[]): Promise<void> {
    await this.openSearch.ask({ method: 'POST', path: '/_aliases', body: { actions } }, done, DEADLINE_MS);
  }

  /** The indices that the aliases stand for. */
  private async live(): Promise<LiveIndex[]> {
    const found = await this.get(TYPES.map((type) => this.aliasOf(type)).join());
    return Object.entries(found).map(([index, { aliases, mappings }]) => {
      return { index, aliases: Object.keys(aliases), revision: mappings._meta?.revision ?? 0 };
    });
  }

  private async ensure(name: string, type: AssetType): Promise<void> {
    try {
      await this.openSearch.ask({ method: 'PUT', path: `/${name}`, body: indexBody(type) }, done, DEADLINE_MS);
      this.logger.log('An index is made', { index: name });
    } catch (error) {
      if (!(error instanceof Refusal) || error.type !== 'resource_already_exists_exception') throw error;
    }
  }

  private get(index: string): Promise<z.output<typeof indices>> {
    const query = { ignore_unavailable: true, allow_no_indices: true };
    return this.openSearch.ask({ method: 'GET', path: `/${index}`, query }, indices, DEADLINE_MS);
  }
}

function names(generation: Generation): string {
  return TYPES.map((type) => generation.indices[type]).join();
}
