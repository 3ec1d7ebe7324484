import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LIBRARY, withPostgres } from '@carbon/local';
import { eventMessage, type OutgoingMessage, readMessages, SelfClockedProducer, topicEnds } from '@carbon/messaging';
import { z } from 'zod';
import type { Fault, FaultContext } from '../fault.js';

const TOPIC = 'asset.published';
const REPLACEMENTS = 60;
const BETWEEN_MS = [100, 600] as const;
/** Far more than is requested meanwhile. */
const AT_LEAST_GRAMS = 20_000_000_000;
/** Longer than a statement (5 s) and a lease (8 s). */
const LOCKED_MS = [8_500, 11_000] as const;
const UNLOCKED_MS = [500, 2_000] as const;
const TABLES = ['offsets', 'outbox', 'supply', 'ledger', 'request_positions', 'database_state'] as const;
const LOCKS = 3;
const TAKEN_MS = [4_000, 8_000] as const;

const asset = z.looseObject({ id: z.string() });
type Asset = z.output<typeof asset>;

/**
 * The library has one retirable asset, which is replaced repeatedly: its successor becomes active, and the asset
 * inactive. Both are in one partition, the successor first, so that there is enough supply at every moment.
 */
async function replaceAsset(context: FaultContext): Promise<void> {
  const { system, random, pause } = context;
  const lines = readFileSync(LIBRARY, 'utf8').split('\n').filter(Boolean);
  const library = lines.map((line) => asset.parse(JSON.parse(line)));
  let [active, next] = await twoOfOnePartition(context, library);
  // One request at a time, like the command, because positions are versions.
  const publisher = new SelfClockedProducer(system.kafka, { requests: 1 });
  const publish = (assets: readonly Asset[]) => Promise.all(assets.map((one) => publisher.publish(published(one))));
  try {
    await publish(library.map((one) => ({ ...one, active: one.id === active.id })));
    for (let times = 0; times < REPLACEMENTS; times += 1) {
      await pause(random.whole(...BETWEEN_MS));
      await publish([next, { ...active, active: false, issued: 1 }]);
      [active, next] = [next, active];
    }
    await publish(library);
  } finally {
    await publisher.close();
  }
}

function published(one: Asset): OutgoingMessage {
  const facts = { id: randomUUID(), source: '/assets', subject: one.id, time: new Date().toISOString() } as const;
  return eventMessage('asset.published.v1', one, facts);
}

/** Two assets with plenty of credits left, whose messages keep their order. */
async function twoOfOnePartition(
  { system, random }: FaultContext,
  library: readonly Asset[],
): Promise<readonly [Asset, Asset]> {
  const partitions = new Map<string, number>();
  await readMessages(system.kafka, TOPIC, await topicEnds(system.kafka, TOPIC), (partition, { key }) => {
    partitions.set(String(key), partition);
    return undefined;
  });
  const ample = await system.rows<{ id: string }>(
    'SELECT asset_id AS id FROM supply WHERE active AND price_micros > 0 AND issued - reserved - retired > $1',
    [AT_LEAST_GRAMS],
  );
  const ids = new Set(ample.map(({ id }) => id));
  const candidates = library.filter(({ id }) => ids.has(id));
  const groups = [...Map.groupBy(candidates, ({ id }) => partitions.get(id)).values()];
  const [one, other] = random.shuffle(random.pick(groups.filter(({ length }) => length > 1)));
  if (one === undefined || other === undefined) throw new Error('No two assets share a partition.');
  return [one, other];
}

/** Another session locks a table, like a migration or VACUUM FULL; then another table. */
async function lockTables({ system, random, pause }: FaultContext): Promise<void> {
  const url = new URL(system.engines.postgres.url);
  url.pathname = `/${system.name}`;
  await withPostgres(url.href, async (sql) => {
    for (const table of random.shuffle(TABLES).slice(0, LOCKS)) {
      await sql.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      await pause(random.whole(...LOCKED_MS));
      await sql.query('COMMIT');
      await pause(random.whole(...UNLOCKED_MS));
    }
  });
}

const AGAIN_MS = 200;
const READ_ONLY_MS = [5_000, 9_000] as const;

/** Other sessions use every connection of PostgreSQL, repeatedly, while those of the apps are closed. */
async function exhaustConnections({ system, random, pause }: FaultContext): Promise<void> {
  const freed = new AbortController();
  const sessions: Promise<unknown>[] = [];
  const open = async (): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const session = withPostgres(system.engines.postgres.url, async () => {
      resolve(true);
      await new Promise((done) => freed.signal.addEventListener('abort', done, { once: true }));
    });
    sessions.push(session.catch(() => resolve(false)));
    return promise;
  };
  try {
    for (const end = performance.now() + random.whole(...TAKEN_MS); performance.now() < end; ) {
      if (await open()) continue;
      system.engines.postgresProxy.cut();
      await pause(AGAIN_MS);
    }
  } finally {
    freed.abort();
    await Promise.all(sessions);
  }
}

/** PostgreSQL is read-only, like a standby that is not promoted yet. */
async function makeReadOnly({ system, random, pause }: FaultContext): Promise<void> {
  const set = async (value: 'on' | 'off') => {
    await system.rows(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await system.rows('SELECT pg_reload_conf()');
  };
  await set('on');
  try {
    await pause(random.whole(...READ_ONLY_MS));
  } finally {
    await set('off');
  }
}

/** Operations on a system in use. */
export const faults: readonly Fault[] = [
  {
    name: 'replace-asset',
    does: `the only asset that can be retired from is replaced by another, ${REPLACEMENTS} times`,
    times: { ci: 1, full: 1 },
    inject: replaceAsset,
  },
  {
    name: 'lock-tables',
    does: `another session locks a table for longer than a statement and a lease may last, ${LOCKS} times`,
    times: { full: 1 },
    inject: lockTables,
  },
  {
    name: 'exhaust-connections',
    does: 'other sessions take every connection of PostgreSQL, while those of the apps break',
    times: { ci: 1, full: 2 },
    inject: exhaustConnections,
  },
  {
    name: 'read-only-postgres',
    does: 'PostgreSQL takes no writes, as a standby that is not promoted yet',
    times: { ci: 1, full: 2 },
    inject: makeReadOnly,
  },
];
