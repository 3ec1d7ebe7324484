import { setTimeout as pause } from 'node:timers/promises';
import type { FreshDatabase } from '../database/fresh-database.js';
import type { Backlog } from './backlog.js';

/** How fast a backlog went, in offsets a second. */
export interface Drained {
  /** Until the last offset was completed. */
  readonly perSecond: number;
  /** Until the last outcome was announced as well; that of a baseline, which announces nothing, is the same. */
  readonly announcedPerSecond: number;
}

const LOOK_EVERY_MS = 20;
const WITHIN_MS = 480_000;

const RECORDED = 'SELECT EXISTS (SELECT FROM offsets) AS so';
/** Grams count as retired when all else about their offset is written; a few hundred assets are quickly asked. */
const COMPLETED = 'SELECT coalesce(sum(retired), 0) >= $1 AS so FROM supply';
const ANNOUNCED = 'SELECT NOT EXISTS (SELECT FROM outbox WHERE published_at IS NULL) AS so';

/**
 * Times whatever drains a backlog into a database: from the moment its first offset is there, so that neither starting nor
 * joining a group counts, until all grams are retired. What the first commit brought along is not counted either.
 */
export async function timeDrain(
  database: FreshDatabase,
  { count, grams }: Backlog,
  { announces, signal }: { readonly announces: boolean; readonly signal: AbortSignal },
): Promise<Drained> {
  const until = async (sql: string, parameters: readonly unknown[] = []) => {
    const giveUp = performance.now() + WITHIN_MS;
    for (;;) {
      if ((await database.one<{ so: boolean }>(sql, parameters)).so) return performance.now();
      if (performance.now() > giveUp)
        throw new Error(`Of ${count} offsets not all are drained in ${WITHIN_MS / 1000} s.`);
      await pause(LOOK_EVERY_MS, undefined, { signal });
    }
  };
  const begun = await until(RECORDED);
  const atFirst = await completed(database);
  const done = await until(COMPLETED, [grams]);
  const announced = announces ? await until(ANNOUNCED) : done;
  const rate = (end: number) => (count - atFirst) / ((end - begun) / 1000);
  return { perSecond: rate(done), announcedPerSecond: rate(announced) };
}

/** @throws Error unless all that belongs to so many completed offsets is written */
export async function requireAll(database: FreshDatabase, count: number): Promise<void> {
  const found = await database.one<{ offsets: number; entries: number; events: number }>(
    `SELECT (SELECT count(*) FROM offsets WHERE status = 'completed')::integer AS offsets,
       (SELECT count(DISTINCT offset_id) FROM ledger)::integer AS entries, (SELECT count(*) FROM outbox)::integer AS events`,
  );
  if (found.offsets === count && found.entries === count && found.events === count) return;
  throw new Error(`Of ${count} offsets there are ${JSON.stringify(found)}.`);
}

async function completed(database: FreshDatabase): Promise<number> {
  const sql = `SELECT count(*)::integer AS completed FROM offsets WHERE status = 'completed'`;
  return (await database.one<{ completed: number }>(sql)).completed;
}
