import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { z } from 'zod';
import { acceptedId } from '../accept/accepted-id.js';
import { sendAtRate } from '../load/open-loop.js';
import { answerQuestions } from '../processes.js';
import { summaryOf } from '../statistics.js';
import { type OpenLoop, type OpenLoopReport, openLoop } from './bench-complete.js';

/** The delay before the next read of an offset that is not `completed`. */
const ASK_AGAIN_MS = 10;
const TIMEOUT_MS = 30_000;
const CONNECTIONS = 64;
const HEAVIEST_GRAMS = 5_000_000;
const STRIDE = 7_919;

const offset = z.object({ status: z.string() });

let posted = 0;

/** @throws Error at the first offset that is not accepted, fails, or is not completed in time */
async function postAndFollow({ origin, perSecond, ms }: OpenLoop): Promise<OpenLoopReport> {
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1, headersTimeout: TIMEOUT_MS });
  const [accepts, completes]: [number[], number[]] = [[], []];
  const follow = async (due: number) => {
    const id = await post(pool);
    accepts.push(performance.now() - due);
    await completed(pool, id, due + TIMEOUT_MS);
    completes.push(performance.now() - due);
  };
  try {
    const count = await sendAtRate(perSecond, ms, (_, due) => follow(due));
    return { count, accepted: summaryOf(accepts), completed: summaryOf(completes) };
  } finally {
    await pool.destroy();
  }
}

async function post(pool: Pool): Promise<string> {
  posted += 1;
  const body = JSON.stringify({ kgCO2e: ((posted * STRIDE) % HEAVIEST_GRAMS) / 1000 + 0.001 });
  const headers = { 'content-type': 'application/json' };
  return acceptedId(await pool.request({ method: 'POST', path: '/v1/offsets', headers, body }));
}

async function completed(pool: Pool, id: string, deadline: number): Promise<void> {
  for (;;) {
    const answer = await pool.request({ method: 'GET', path: `/v1/offsets?id=${id}` });
    const words = await answer.body.text();
    const status = answer.statusCode === 200 ? offset.parse(JSON.parse(words)).status : undefined;
    if (status === 'completed') return;
    if (status === undefined || status === 'failed' || performance.now() > deadline) {
      throw new Error(`${id} was not completed: ${answer.statusCode} ${words.slice(0, 500)}`);
    }
    await pause(ASK_AGAIN_MS);
  }
}

answerQuestions(openLoop, postAndFollow);
