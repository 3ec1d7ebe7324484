import { testEngines } from '@carbon/testing';
import { z } from 'zod';
import { LibraryIndex } from './indexing/library-index.js';
import { frontOf } from './indexing/precedence.js';
import { OpenSearch } from './open-search/open-search.js';

const anything = z.record(z.string(), z.unknown());

/** What stands in OpenSearch under a test's prefix, and ways to meddle with it. */
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
    return this.openSearch.ask({ method, path, ...(body && { body }) }, anything, 10_000);
  }

  /** All indices, without the prefix. */
  async names(): Promise<string[]> {
    const names = Object.keys(await this.ask('GET', `/${this.prefix}*`));
    return names.map((name) => name.slice(this.prefix.length)).sort();
  }

  /** What an alias stands for, without the prefix. */
  async behind(alias: 'pools' | 'projects'): Promise<string[]> {
    const found = await this.ask('GET', `/${this.prefix}${alias}*?expand_wildcards=open&filter_path=*.aliases`);
    const stands = Object.entries(found).filter(([, value]) => {
      return `${this.prefix}${alias}` in ((value as { aliases?: object }).aliases ?? {});
    });
    return stands.map(([name]) => name.slice(this.prefix.length)).sort();
  }

  /** The name of the generation that is live, if one is. */
  async live(): Promise<string | undefined> {
    return frontOf(await this.library.look())?.name;
  }

  /** Makes a generation of a mapping of another version, with nothing in it. */
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

  async close(): Promise<void> {
    await this.openSearch.close();
  }
}
