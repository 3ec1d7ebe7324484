import { type Dispatcher, request } from 'undici';
import { z } from 'zod';

const indexing = z.object({
  _all: z.object({ primaries: z.object({ indexing: z.object({ index_total: z.int() }).optional() }) }),
});
const countResponse = z.object({ count: z.int() });
const indices = z.record(
  z.string(),
  z.object({ mappings: z.unknown(), settings: z.object({ index: z.object({ analysis: z.unknown() }) }) }),
);

/** The mapping and settings of an index, except for those that are tuned for a load. */
interface Shape {
  readonly name: string;
  readonly mappings: unknown;
  readonly analysis: unknown;
}

/** Queries that the benchmark sends to OpenSearch besides the measured programs. */
export class OpenSearchProbe {
  constructor(private readonly url: string) {}

  /** Returns how many documents were written to these indices so far, searchable or not; 0 if there are none. */
  async written(index: string): Promise<number> {
    const stats = indexing.parse(await this.ask('GET', `/${index}/_stats/indexing`));
    return stats._all.primaries.indexing?.index_total ?? 0;
  }

  /** Makes all written documents searchable. @returns their number */
  async refreshed(index: string): Promise<number> {
    await this.ask('POST', `/${index}/_refresh`);
    return countResponse.parse(await this.ask('GET', `/${index}/_count`)).count;
  }

  /** Returns the one index of that name, which may contain a star. */
  async shape(index: string): Promise<Shape> {
    const found = Object.entries(indices.parse(await this.ask('GET', `/${index}`)));
    const [only] = found;
    if (only === undefined || found.length !== 1) throw new Error(`${index} is ${found.length} indices instead of one`);
    const [name, { mappings, settings }] = only;
    return { name, mappings, analysis: settings.index.analysis };
  }

  /** Creates an empty index of that shape, tuned for a load: it refreshes only at the end. */
  async make(index: string, { mappings, analysis }: Shape): Promise<void> {
    const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1', analysis };
    await this.ask('PUT', `/${index}`, { settings, mappings });
  }

  private async ask(method: Dispatcher.HttpMethod, path: string, body?: object): Promise<unknown> {
    const text =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answer = await request(`${this.url}${path}`, { method, ...text });
    const found = await answer.body.text();
    if (answer.statusCode === 200) return JSON.parse(found);
    throw new Error(`OpenSearch, ${method} ${path}: ${answer.statusCode} ${found.slice(0, 500)}`);
  }
}
