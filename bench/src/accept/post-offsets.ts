import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '../load/connection.js';
import { answerQuestions } from '../processes.js';
import { summaryOf } from '../statistics.js';
import { POSTED, type Posts, type PostsReport, posts } from './posts.js';

const BODY = JSON.stringify(POSTED);
const REPLAYED = /^idempotency-replayed: *true/im;

/** The numbered requests of one run, over connections that share them. */
class Run {
  readonly latencies: number[] = [];
  replayed = 0;
  private begun = 0;
  private readonly head: string;
  private readonly unkeyed: Buffer;

  constructor(
    key: string,
    private readonly keyedBy: string | undefined,
  ) {
    this.head = `POST /v1/offsets HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n`;
    this.unkeyed = Buffer.from(`${this.head}\r\n${BODY}`);
  }

  /** Returns the number of the next request. */
  next(): number {
    this.begun += 1;
    return this.begun - 1;
  }

  /** Posts the request with a number. Returns the time of its response. */
  async post(connection: Connection, n: number, from: number): Promise<number> {
    const isKeyed = this.keyedBy !== undefined;
    const request = isKeyed ? `${this.head}idempotency-key: ${this.keyedBy}${n}\r\n\r\n${BODY}` : this.unkeyed;
    const response = await connection.send(request);
    const now = performance.now();
    this.latencies.push(now - from);
    if (isKeyed && REPLAYED.test(response)) this.replayed += 1;
    return now;
  }
}

async function postOffsets(what: Posts): Promise<PostsReport> {
  const { port, key, connections, ms, perSecond, keyedBy, count = Number.POSITIVE_INFINITY } = what;
  const open = await Promise.all(Array.from({ length: connections }, () => Connection.open(port, 202)));
  const run = new Run(key, keyedBy);
  const begun = performance.now();
  try {
    if (perSecond === undefined) await Promise.all(open.map((one) => withoutPause(run, one, begun + ms, count)));
    else
      await atRate(run, open, {
        perSecond,
        end: begun + ms,
        count: Math.min(count, Math.round((ms / 1000) * perSecond)),
      });
  } finally {
    for (const one of open) one.close();
  }
  const seconds = (performance.now() - begun) / 1000;
  const { latencies, replayed } = run;
  return { count: latencies.length, perSecond: latencies.length / seconds, replayed, ...summaryOf(latencies) };
}

async function withoutPause(run: Run, connection: Connection, end: number, count: number): Promise<void> {
  let now = performance.now();
  for (let n = run.next(); now < end && n < count; n = run.next()) now = await run.post(connection, n, now);
}

interface Rate {
  readonly perSecond: number;
  /** The time after which nothing is sent. */
  readonly end: number;
  readonly count: number;
}

/** The n-th request is due n intervals after the first; if no connection is free, it waits, and the wait counts. */
async function atRate(run: Run, open: readonly Connection[], { perSecond, end, count }: Rate): Promise<void> {
  const begun = performance.now();
  const take = async (connection: Connection) => {
    for (let n = run.next(); n < count && performance.now() < end; n = run.next()) {
      const due = begun + (n * 1000) / perSecond;
      const early = due - performance.now();
      if (early > 0) await pause(early);
      // A timer may fire up to a millisecond late, which is not the server's time.
      await run.post(connection, n, early > 0 ? performance.now() : due);
    }
  };
  await Promise.all(open.map(take));
}

answerQuestions(posts, postOffsets);
