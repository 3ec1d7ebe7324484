import { createTopics, topicIdentity, topicProgress, withAdmin } from '@carbon/messaging';
import { ProgressReporter } from '@carbon/terminal';
import { eventually, testEngines } from '@carbon/testing';
import { z } from 'zod';
import type { VerifyResult } from '../cli/verify/report.js';
import { type VerifyLimits, verifyLibrary } from '../cli/verify/verify-library.js';
import { startGeneration } from '../index/generation-starter.js';
import { LibraryIndex } from '../index/library-index.js';
import type { StoredGeneration } from '../index/library-state.js';
import { MAPPING_REVISION, mappingHash } from '../index/mapping.js';
import { highestLive } from '../index/precedence.js';
import { LIBRARY_TOPIC } from '../index/topic-progress.js';
import { OpenSearch } from '../open-search/open-search.js';
import type { TestCatalog } from './catalog.js';
import type { TestLibrary } from './library.js';

/** The index of the state document, without the prefix. */
export const STATE = 'catalog-state';

const anything = z.record(z.string(), z.unknown());

/** Reads and modifies what OpenSearch has under a test's prefix. */
export class TestIndices {
  readonly openSearch: OpenSearch;
  readonly library: LibraryIndex;

  constructor(
    readonly prefix: string,
    readonly url = testEngines().opensearchUrl,
  ) {
    this.openSearch = new OpenSearch(url);
    this.library = new LibraryIndex(this.openSearch, prefix);
  }

  ask(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object): Promise<Record<string, unknown>> {
    return this.openSearch.request({ method, path, ...(body && { body }) }, anything, 10_000);
  }

  /** Returns all indices except the state document's, without the prefix. */
  async names(): Promise<string[]> {
    const names = Object.keys(await this.ask('GET', `/${this.prefix}*`)).map((name) => name.slice(this.prefix.length));
    return names.filter((name) => name !== STATE).sort();
  }

  /** Returns the indices behind an alias, without the prefix. */
  async namesOfAlias(alias: 'pools' | 'projects'): Promise<string[]> {
    const found = await this.ask('GET', `/${this.prefix}${alias}*?expand_wildcards=open&filter_path=*.aliases`);
    const stands = Object.entries(found).filter(([, value]) => {
      return `${this.prefix}${alias}` in ((value as { aliases?: object }).aliases ?? {});
    });
    return stands.map(([name]) => name.slice(this.prefix.length)).sort();
  }

  /** Returns the name of the live generation, if any. */
  async live(): Promise<string | undefined> {
    return highestLive(await this.library.readState())?.name;
  }

  /** Returns the generation of this number. */
  async generation(number: number): Promise<StoredGeneration> {
    const found = (await this.library.readState()).generations.find((one) => one.number === number);
    if (found === undefined) throw new Error(`there is no generation ${number}`);
    return found;
  }

  /** Chooses a generation as `npm run catalog -- use` does. */
  async choose(number: number): Promise<void> {
    await this.library.choose(({ generations }) => {
      const found = generations.find((one) => one.number === number);
      if (found === undefined) throw new Error(`there is no generation ${number}`);
      return found;
    });
  }

  /** Creates an empty generation of a mapping of another version. */
  async makeForeign(name: string, revision: number, isLive: boolean): Promise<void> {
    for (const alias of ['pools', 'projects']) {
      await this.ask('PUT', `/${this.prefix}${alias}-${name}`, {
        mappings: { _meta: { revision } },
        ...(isLive && { aliases: { [`${this.prefix}${alias}`]: {} } }),
      });
    }
  }

  async remove(index: string): Promise<void> {
    await this.ask('DELETE', `/${this.prefix}${index}`);
  }

  /** Compares what searches see with the topic. */
  verify({ kafka }: TestLibrary, limits: Partial<VerifyLimits> = {}): Promise<VerifyResult> {
    const engines = { openSearch: this.openSearch, library: this.library, kafka };
    return verifyLibrary(engines, new ProgressReporter({ write: () => true }), limits);
  }

  async close(): Promise<void> {
    await this.openSearch.close();
  }
}

/** Returns the name of a generation of this version's mapping. */
export const nth = (number: number) => `${mappingHash()}-${number}`;

/** Returns the entry of the state document for a new generation of this version's mapping. */
export const recordOf = (number: number) => ({ name: nth(number), revision: MAPPING_REVISION, precedence: number });

/** Returns the names of the pools that searches find. */
export async function poolNames(catalog: TestCatalog): Promise<unknown[]> {
  return (await catalog.search('pools', { limit: 100 })).map(({ name }) => name).sort();
}

/** Waits until searches use a generation. */
export async function waitUntilLive(indices: TestIndices, name: string): Promise<void> {
  await eventually(async () => expect(await indices.live()).toBe(name));
}

/** Starts a generation as `npm run catalog -- rebuild` does. @returns its name */
export async function begin(library: TestLibrary, indices: TestIndices): Promise<string> {
  const state = await indices.library.readState();
  const topic = await topicProgress(library.kafka, LIBRARY_TOPIC, []);
  return (await startGeneration(indices.library, state, topic)) ?? (await begin(library, indices));
}

/** Deletes the topic and creates it again, empty. */
export async function recreateTopic({ kafka }: TestLibrary): Promise<void> {
  const { topicId } = await topicIdentity(kafka, LIBRARY_TOPIC);
  await withAdmin(kafka, (admin) => admin.deleteTopics({ topics: [kafka.names.topic(LIBRARY_TOPIC)] }));
  // A broker may still return the deleted topic, so the creation is retried.
  await eventually(async () => {
    await createTopics(kafka);
    expect((await topicIdentity(kafka, LIBRARY_TOPIC)).topicId).not.toBe(topicId);
  });
}
