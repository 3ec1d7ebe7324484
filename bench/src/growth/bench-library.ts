import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDir } from '@carbon/local';
import { Pool } from 'undici';
import { writeLibrary } from '../library.js';
import { type LoadReport, loadReport } from '../load/load.js';
import { sendAtRate } from '../load/open-loop.js';
import { Worker } from '../processes.js';
import { type Goal, type Row, rowOf } from '../results.js';
import { mergesOver } from '../search/bench-search.js';
import { gatewayRequest, SEARCHES } from '../search/queries.js';
import { type Bench, type BenchOptions, INDEXED_TIMEOUT_MS, type Stage } from '../stage.js';
import { alternate, median } from '../statistics.js';
import { withSystem } from '../whole-system.js';

const PROGRAM = fileURLToPath(new URL('../load/load-generator.js', import.meta.url));
const TIMES_LARGER = 5;
const PAGE = 100;
/** Responses are cached for a second. */
const SCHEMAS_PER_SECOND = 0.8;
const SCHEMAS = 5;
const TWICE = { atMost: 2 } as const;
/** Per asset. A walk whose every page costs as much as the library has assets would be near 5. */
const LINEAR = { atMost: 1.5 } as const;

/** Compares searches, the walk of all pages and the schema page of a large library with a fifth of it. */
export const benchLibrary: Bench = async (options, openStage) => {
  const stage = await openStage();
  using folder = await temporaryDir();
  await using generator = new Worker(PROGRAM);
  const large = join(folder.dir, 'assets.ndjson');
  options.report(`library: making ${options.assets * TIMES_LARGER} assets`);
  writeLibrary(large, options.assets * TIMES_LARGER);
  return await withLibrary(stage, options, generator, stage.libraryFile(), (few) =>
    withLibrary(stage, options, generator, large, async (many) => ({
      rows: await measure(few, many, options),
      notes: NOTES,
    })),
  );
};

/** Starts a gateway and a catalog with a library of their own. */
function withLibrary<T>(
  stage: Stage,
  { report, signal, sliceMs }: BenchOptions,
  generator: Worker,
  library: string,
  work: (running: SearchedLibrary) => Promise<T>,
): Promise<T> {
  report('library: starting the apps; the catalog indexes');
  const apps = { offsets: { instances: 0 }, catalog: { readyWithinMs: INDEXED_TIMEOUT_MS } };
  return withSystem(stage, { apps, library }, signal, async ({ system, key }) => {
    report('library: waiting until OpenSearch has merged its index');
    await mergesOver(stage.engines.opensearchUrl, `${system.environment.INDEX_PREFIX}projects`, signal);
    const found = new SearchedLibrary(system.urls.gateway, key, generator, sliceMs, signal);
    return await work(found).finally(() => found.close());
  });
}

/** What is measured of a library, through its gateway. */
class SearchedLibrary {
  private readonly headers: Readonly<Record<string, string>>;
  private readonly pool: Pool;
  private sent = 0;

  constructor(
    private readonly origin: string,
    key: string,
    private readonly generator: Worker,
    private readonly ms: number,
    private readonly signal: AbortSignal,
  ) {
    this.headers = { authorization: `Bearer ${key}` };
    this.pool = new Pool(origin, { connections: 1, pipelining: 1 });
  }

  /** Returns the p50 of searches, one at a time, in ms. */
  async search(): Promise<number> {
    const requests = SEARCHES.map((search) => ({ ...gatewayRequest(search), headers: this.headers }));
    const question = { origin: this.origin, requests, connections: 1, ms: this.ms, from: this.sent };
    const report: LoadReport = await this.generator.ask(question, loadReport);
    this.sent += report.count + 1;
    return report.p50;
  }

  /** Returns the p50 of the schema page, in ms. */
  async schema(): Promise<number> {
    const latencies: number[] = [];
    await sendAtRate(SCHEMAS_PER_SECOND, (SCHEMAS * 1_000) / SCHEMAS_PER_SECOND, async () => {
      const begun = performance.now();
      await this.get('/v1/assets/schema');
      latencies.push(performance.now() - begun);
    });
    return median(latencies);
  }

  /** Follows the links from the first to the last page. Returns the ms per 1,000 projects. */
  async walk(): Promise<number> {
    const begun = performance.now();
    let projects = 0;
    let next: string | undefined = `/v1/assets/projects?criteria=&fullTextSearch=&fields=id&limit=${PAGE}`;
    while (next !== undefined) {
      const { link, body } = await this.get(next);
      projects += (JSON.parse(body) as unknown[]).length;
      next = /<([^>]+)>; rel="next"/.exec(link)?.[1];
    }
    return ((performance.now() - begun) / projects) * 1000;
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async get(path: string): Promise<{ readonly link: string; readonly body: string }> {
    const answer = await this.pool.request({ method: 'GET', path, headers: this.headers, signal: this.signal });
    const body = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${answer.statusCode} ${body.slice(0, 500)}`);
    return { link: String(answer.headers.link ?? ''), body };
  }
}

async function measure(few: SearchedLibrary, many: SearchedLibrary, options: BenchOptions): Promise<Row[]> {
  const count = (assets: number) => assets.toLocaleString('en-US');
  const rows: Row[] = [];
  const compare = async (
    what: string,
    goal: Goal,
    of: (library: SearchedLibrary) => Promise<number>,
    rounds = options.rounds,
  ) => {
    options.report(`library: ${what}`);
    const found = await alternate({ ours: () => of(many), baseline: () => of(few) }, rounds);
    const sizes = { what: `${what}, of ${count(options.assets * TIMES_LARGER)} projects` };
    rows.push(
      rowOf({ bench: 'library', ...sizes, unit: 'ms', against: `of ${count(options.assets)}`, goal, ...found }),
    );
  };
  options.report('library: warming up');
  await alternate({ many: () => many.search(), few: () => few.search() }, 2);
  await compare('search, first time, 1 at a time: p50', TWICE, (library) => library.search());
  await compare('schema page: p50', TWICE, (library) => library.schema());
  // One walk is the mean of thousands of pages, and takes minutes.
  await compare('walk of all pages, per 1,000 projects', LINEAR, (library) => library.walk(), 1);
  return rows;
}

const NOTES = [
  'Library: two gateways and catalogs with libraries of their own in one OpenSearch. The schema page is requested more than a second apart, so that the catalog does not answer from its cache. The walk follows the link of each page of 100 to the next.',
];
