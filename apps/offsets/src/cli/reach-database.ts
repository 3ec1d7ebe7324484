import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseAdvice } from '../persistence/database-errors.js';

const CONNECT_MS = 5_000;
const AGAIN_MS = 500;

/**
 * Resolves when PostgreSQL answers, or the time is over: whoever asks next is told why it does not. A wrong setting is not
 * waited for.
 */
export async function reachDatabase(url: string, withinMs: number, onWait: (sentence: string) => void): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let failures = 1; ; failures += 1) {
    const failure = await failureOf(url);
    if (failure === undefined || databaseAdvice(failure) !== undefined || performance.now() >= deadline) return;
    if (failures === 1) onWait(`PostgreSQL does not answer yet; waiting up to ${withinMs / 1_000} s for it.`);
    await sleep(AGAIN_MS);
  }
}

async function failureOf(url: string): Promise<unknown> {
  try {
    const session = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
    session.on('error', () => {});
    await session.connect();
    await session.end();
    return undefined;
  } catch (error) {
    return error;
  }
}
