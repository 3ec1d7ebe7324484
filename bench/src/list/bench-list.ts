import { fileURLToPath } from 'node:url';
import { Cursors, nextPageUrl } from '@carbon/http';
import { request } from 'undici';
import { randomFrom } from '../library.js';
import { type LoadReport, type LoadRequest, loadReport } from '../load/load.js';
import { Worker } from '../processes.js';
import { type Compared, type Row, rowOf, valuesOf } from '../results.js';
import { type Bench, type BenchOptions, internalHeaders } from '../stage.js';
import { alternate } from '../statistics.js';
import { withSystem } from '../whole-system.js';
import { ACCOUNT, customerOf, ESTIMATE, fillStore, idOf, PER_CUSTOMER, timeOf } from './offset-store.js';

/** A query of a store of any size. */
export interface ListQuestion {
  readonly what: string;
  /** The number of offsets in each response; a page has 20. */
  readonly answer: number;
  readonly requests: readonly LoadRequest[];
}

type Filters = Readonly<Record<string, string>>;

const ROUTE = '/v1/offsets';
const SEED = 11;
/** The number of different queries of each kind, so that different rows are read. */
const REQUESTS = 5_000;
const HOUR = 3_600;

const hourBefore = (n: number) => ({ createdFrom: timeOf(Math.max(0, n - HOUR)), createdTo: timeOf(n) });

/**
 * Returns the queries of a store.
 * @param cursorSecrets those of the service, so that a cursor in the middle of a list can be created without paging
 * there
 * @param headers the headers of its gateway, for the account of the store
 */
export function listQuestions(
  offsets: number,
  cursorSecrets: readonly string[],
  headers: Readonly<Record<string, string>>,
): ListQuestion[] {
  const cursors = new Cursors(cursorSecrets);
  const random = randomFrom(SEED);
  const integer = (least: number, most: number) => least + Math.floor(random() * (most - least));
  /** Somewhere in the middle three fifths: far from either end of the list. */
  const middle = () => integer(Math.floor(offsets / 5), Math.floor((offsets * 4) / 5));
  const requests = (path: () => string): LoadRequest[] =>
    Array.from({ length: REQUESTS }, () => ({ method: 'GET', path: path(), headers }));
  const page = (filters: Filters, n?: number) => {
    if (n === undefined) return nextPageUrl(ROUTE, filters);
    const scope = { route: ROUTE, account: ACCOUNT, parameters: filters };
    return nextPageUrl(ROUTE, { ...filters, cursor: cursors.write([timeOf(n), idOf(n)], scope) });
  };
  const both = (what: string, filters: () => Filters): ListQuestion[] => [
    { what: `${what}, first page`, answer: 20, requests: requests(() => page(filters())) },
    { what: `${what}, deep in the list`, answer: 20, requests: requests(() => page(filters(), middle())) },
  ];
  const customer = () => customerOf(integer(0, offsets / PER_CUSTOMER), offsets);
  return [
    { what: 'read one', answer: 1, requests: requests(() => `${ROUTE}?id=${idOf(integer(1, offsets))}`) },
    ...both('list', () => ({})),
    ...both('list by status', () => ({ status: 'failed' })),
    ...both('list by customerRef', () => ({ customerRef: customer() })),
    ...both('list by estimateId', () => ({ estimateId: ESTIMATE })),
    { what: 'list by createdFrom and createdTo', answer: 20, requests: requests(() => page(hourBefore(middle()))) },
    ...both('list by status and estimateId', () => ({ status: 'failed', estimateId: ESTIMATE })),
    {
      what: 'list by status and customerRef, without a match',
      answer: 0,
      requests: requests(() => page({ status: 'completed', customerRef: customerOf(0, offsets) })),
    },
  ];
}

const PROGRAM = fileURLToPath(new URL('../load/load-generator.js', import.meta.url));
const SMALL = 10_000;
const GOAL = { atMost: 1.3 } as const;
/** One at a time, to compare the work of a response and not the contention. */
const CONNECTIONS = 1;
/** The offsets service is not in production mode. */
const APPS = { gateway: { instances: 0 }, catalog: { instances: 0 }, offsets: { environment: {} } };

/** A service with a store of this many offsets. */
interface Side {
  readonly origin: string;
  readonly questions: readonly ListQuestion[];
}

/** Compares reading one offset and listing a page among very many offsets with few. */
export const benchList: Bench = async (options, openStage) => {
  const stage = await openStage();
  await using generator = new Worker(PROGRAM);
  const start = <T>(offsets: number, work: (side: Side) => Promise<T>) =>
    withSystem(stage, { apps: APPS, library: false }, options.signal, async ({ system, database }) => {
      await fillStore(database.url, offsets, options.report);
      const cursorSecrets = (system.environment.CURSOR_SECRETS ?? '').split(',');
      const questions = listQuestions(offsets, cursorSecrets, internalHeaders(system, ACCOUNT));
      return await work({ origin: system.urls.offsets, questions });
    });
  return await start(SMALL, (few) =>
    start(options.offsets, async (many) => {
      for (const each of [few, many]) await compareAnswers(each);
      return { rows: await measure(few, many, generator, options), notes: NOTES };
    }),
  );
};

/** Both stores must give equal responses, or their times are not comparable. */
async function compareAnswers({ origin, questions }: Side): Promise<void> {
  for (const { what, answer, requests } of questions) {
    for (const { path, headers } of requests.slice(0, 20)) {
      const { body, statusCode } = await request(`${origin}${path}`, { headers });
      const found = [await body.json()].flat().length;
      if (statusCode === 200 && found === answer) continue;
      throw new Error(`${what}: ${statusCode} with ${found} offsets instead of ${answer} for ${path}`);
    }
  }
}

async function measure(few: Side, many: Side, generator: Worker, options: BenchOptions): Promise<Row[]> {
  const ask = async ({ origin, questions }: Side, at: number): Promise<LoadReport> => {
    options.signal.throwIfAborted();
    const requests = questions[at]?.requests ?? [];
    const load = { origin, requests, connections: CONNECTIONS, ms: options.sliceMs, from: 0 };
    return await generator.ask(load, loadReport);
  };
  const rows: Row[] = [];
  for (const [at, { what }] of few.questions.entries()) {
    options.report(what);
    const variants = { ours: () => ask(many, at), baseline: () => ask(few, at) };
    await alternate(variants, 1);
    const found = await alternate(variants, options.rounds);
    rows.push(...rowsOf(`${what}, of ${options.offsets.toLocaleString('en-US')} offsets`, found));
  }
  return rows;
}

function rowsOf(what: string, found: Compared<LoadReport>): Row[] {
  const of = (share: 'p50' | 'p99') => ({
    ...{ bench: 'list', what: `${what}: ${share}`, unit: 'ms', against: `of ${SMALL.toLocaleString('en-US')}` },
    ...valuesOf(found, share),
  });
  return [rowOf({ ...of('p50'), goal: GOAL }), rowOf(of('p99'))];
}

const NOTES = [
  'List: two identical offsets services, with two databases of one PostgreSQL, one request at a time, 5,000 different ones of each kind. Both return the same number of offsets; pages have 20.',
  'List: the databases are filled by SQL; nine tenths of the offsets are completed, with one ledger entry each. Deep in the list means in its middle three fifths, reached by a link to the next page.',
];
