import { type Dispatcher, Pool } from 'undici';
import { POSTED } from '../accept/posts.js';
import { numbered } from '../load/load.js';
import { sendAtRate } from '../load/open-loop.js';
import { answerQuestions } from '../processes.js';
import { gatewayRequest, SEARCHES } from '../search/queries.js';
import { summaryOf } from '../statistics.js';
import { type FirstMinute, type FirstMinuteReport, firstMinute, type KindReport, PER_SECOND } from './first-minute.js';

const CONNECTIONS = 128;
const TIMEOUT_MS = 30_000;

type Request = Pick<Dispatcher.RequestOptions, 'method' | 'path' | 'body'> & {
  readonly headers?: Readonly<Record<string, string>>;
};

/** @throws Error at the first response that is neither successful nor 503 */
async function loadFirstMinute({ origin, key, ids, run, ms }: FirstMinute): Promise<FirstMinuteReport> {
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1, headersTimeout: TIMEOUT_MS });
  const send = async (kind: keyof typeof PER_SECOND, request: (n: number) => Request): Promise<KindReport> => {
    const latencies: number[] = [];
    let unavailable = 0;
    await sendAtRate(PER_SECOND[kind], ms, async (n, due) => {
      if (!(await isServed(pool, request(n), key))) unavailable += 1;
      latencies.push(performance.now() - due);
    });
    return { count: latencies.length, unavailable, ...summaryOf(latencies) };
  };
  try {
    const [searches, posts, reads] = await Promise.all([
      send('searches', searchOf),
      send('posts', (n) => ({
        ...{ method: 'POST', path: '/v1/offsets', body: JSON.stringify(POSTED) },
        headers: { 'content-type': 'application/json', 'idempotency-key': `${run}-${n}` },
      })),
      send('reads', (n) => ({ method: 'GET', path: `/v1/offsets?id=${ids[n % ids.length]}` })),
    ]);
    return { searches, posts, reads };
  } finally {
    await pool.destroy();
  }
}

/** No search is sent twice, so that no cache answers it. */
function searchOf(n: number): Request {
  const search = SEARCHES[n % SEARCHES.length];
  if (search === undefined) throw new RangeError('There are no searches.');
  const { method, path } = numbered(gatewayRequest(search), n);
  return { method, path };
}

async function isServed(pool: Pool, { headers, ...request }: Request, key: string): Promise<boolean> {
  const answer = await pool.request({ ...request, headers: { authorization: `Bearer ${key}`, ...headers } });
  const words = await answer.body.text();
  if (answer.statusCode === 503) return false;
  if (answer.statusCode === 200 || answer.statusCode === 202) return true;
  throw new Error(`${request.method} ${request.path}: ${answer.statusCode} ${words.slice(0, 500)}`);
}

answerQuestions(firstMinute, loadFirstMinute);
