import { Pool } from 'undici';
import { answerQuestions } from '../processes.js';
import { summaryOf } from '../statistics.js';
import { type Load, type LoadReport, type LoadRequest, load, numbered } from './load.js';

/** Longer than any measured request may take; a response that takes longer is an error of the measured program. */
const TIMEOUT_MS = 10_000;

/** Each connection sends the next request after a response. @throws Error at the first response that is not 200 or 201 */
async function generate({ origin, requests, connections, ms, from }: Load): Promise<LoadReport> {
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  const latencies: number[] = [];
  const begun = performance.now();
  let sent = 0;
  const connection = async () => {
    for (let now = performance.now(); now - begun < ms; ) {
      const next = requests[sent % requests.length] as LoadRequest;
      const request = numbered(next, from + sent);
      sent += 1;
      await answerOf(pool, request);
      const after = performance.now();
      latencies.push(after - now);
      now = after;
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, connection));
  } finally {
    await pool.destroy();
  }
  const seconds = (performance.now() - begun) / 1000;
  return { count: latencies.length, perSecond: latencies.length / seconds, ...summaryOf(latencies) };
}

async function answerOf(pool: Pool, { method, path, body, headers: own }: LoadRequest): Promise<void> {
  const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...own };
  const answer = await pool.request({ method, path, headers, ...(body !== undefined && { body }) });
  const bytes = await answer.body.arrayBuffer();
  if (answer.statusCode === 200 || answer.statusCode === 201) return;
  throw new Error(`${method} ${path}: ${answer.statusCode} ${Buffer.from(bytes).toString().slice(0, 500)}`);
}

answerQuestions(load, generate);
