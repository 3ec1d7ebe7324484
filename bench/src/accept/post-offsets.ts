import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '../load/connection.js';
import { answerQuestions } from '../processes.js';
import { percentile } from '../statistics.js';
import { type Posts, type PostsReport, posts } from './posts.js';

const BODY = JSON.stringify({ kgCO2e: 1234.567, customerRef: 'order-1' });
const requestWith = (key: string) =>
  Buffer.from(
    `POST /v1/offsets HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
  );

async function postOffsets({ port, key, connections, ms, perSecond }: Posts): Promise<PostsReport> {
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port, 202)));
  const request = requestWith(key);
  const latencies: number[] = [];
  const begun = performance.now();
  try {
    if (perSecond === undefined) await Promise.all(open.map((one) => withoutPause(one, request, begun + ms, latencies)));
    else await atRate(open, request, perSecond, ms, latencies);
  } finally {
    for (const one of open) one.close();
  }
  const seconds = (performance.now() - begun) / 1000;
  const sorted = Float64Array.from(latencies).sort();
  return { perSecond: sorted.length / seconds, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}

async function withoutPause(
  connection: Connection,
  request: Buffer,
  end: number,
  latencies: number[],
): Promise<void> {
  for (let now = performance.now(); now < end; ) {
    await connection.send(request);
    const after = performance.now();
    latencies.push(after - now);
    now = after;
  }
}

/** The n-th request is due n intervals after the first; if no connection is free, it waits, and the wait counts. */
async function atRate(open: readonly Connection[], request: Buffer, perSecond: number, ms: number, latencies: number[]): Promise<void> {
  const begun = performance.now();
  const count = Math.round((ms / 1000) * perSecond);
  let next = 0;
  const take = async (connection: Connection) => {
    for (let n = next++; n < count; n = next++) {
      const due = begun + (n * 1000) / perSecond;
      const early = due - performance.now();
      if (early > 0) await pause(early);
      // A timer may fire up to a millisecond late, which is not the server's time.
      const from = early > 0 ? performance.now() : due;
      await connection.send(request);
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(open.map(take));
}

answerQuestions(posts, postOffsets);
