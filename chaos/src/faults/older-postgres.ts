import { join } from 'node:path';
import { copyRunningPostgres, PostgresStandby, restorePostgres, startTcpProxy } from '@carbon/local';
import { z } from 'zod';
import type { Fault, FaultContext } from '../fault.js';
import type { ChaosSystem } from '../system/chaos-system.js';

/** How long rows are written that the copy or the standby does not have. */
const LOST_MS = [3_000, 6_000] as const;
const POLL_MS = 200;
const KILLS = 4;
/** The wait for messages in flight takes 26 s, the rest of a recovery about a second. */
const BETWEEN_KILLS_MS = [6_000, 12_000] as const;
const completed = z.object({ status: z.literal('completed') });

/** How the older server replaces the newer one. */
type Change = (system: ChaosSystem, replace: () => Promise<void>) => Promise<void>;

const openly: Change = (_, replace) => replace();

/** No data passes to PostgreSQL and Kafka meanwhile: requests in flight arrive after the change, or never. */
const behindBlackHoles: Change = async ({ engines }, replace) => {
  const proxies = [engines.postgresProxy, ...engines.kafkaProxies];
  for (const proxy of proxies) proxy.blackHole();
  try {
    await replace();
  } finally {
    // Responses of the old server are lost.
    engines.postgresProxy.cut();
    for (const proxy of proxies) await proxy.restore();
  }
};

/** PostgreSQL's data directory is replaced with a copy that was taken under load some seconds before. */
async function restore({ system, random, pause }: FaultContext, change: Change): Promise<void> {
  const { engines } = system;
  const from = performance.now();
  const copy = await copyRunningPostgres(engines.postgres.url, 'chaos');
  await pause(random.whole(...LOST_MS));
  await change(system, async () => {
    await restorePostgres(engines.postgres.part, copy);
    system.allow('changed', from);
  });
}

/** An asynchronous standby without the last writes becomes the primary; the old primary stays down. */
async function promote({ system, random, pause }: FaultContext, change: Change): Promise<void> {
  const { engines } = system;
  const primary = new URL(engines.postgres.url);
  const replication = await startTcpProxy({ targets: [Number(primary.port)] });
  let follower: PostgresStandby | undefined;
  try {
    const standby = await PostgresStandby.of({
      primaryUrl: engines.postgres.url,
      primaryPort: replication.port,
      dir: join(engines.dir, `standby-${primary.port}`),
      adapt: (part, command) => system.clocks.adaptEngine(part, command),
    });
    follower = standby;
    const [place] = await system.rows<{ lsn: string }>('SELECT pg_current_wal_lsn()::text AS lsn');
    await standby.awaitCaughtUp(place?.lsn ?? '');
    const from = performance.now();
    replication.refuse();
    await pause(random.whole(...LOST_MS));
    await change(system, async () => {
      await engines.postgres.part.stop();
      await standby.promote();
      engines.usePostgres({ part: standby.part, url: standby.url });
      follower = undefined;
      system.allow('changed', from);
    });
  } finally {
    await follower?.stop();
    await replication.close();
  }
}

/**
 * A process is suspended during the change and the recovery, with earlier outcomes in its memory. When it continues, it
 * must not publish or store any of them.
 */
const whileSuspended =
  ({ random, load, pause }: FaultContext): Change =>
  async (system, replace) => {
    const part = random.pick(system.parts('offsets'));
    await part.ready();
    await part.kill('SIGSTOP');
    try {
      await replace();
      const id = await load.one();
      for (let isCompleted = false; !isCompleted; await pause(POLL_MS)) {
        const answer = await load.get(`/v1/offsets?id=${id}`);
        isCompleted = answer.kind === 'answer' && completed.safeParse(answer.body).success;
      }
    } finally {
      await part.kill('SIGCONT');
    }
  };

/** Every process of offsets is killed repeatedly while one of them recovers. */
const beforeKills =
  ({ random, pause }: FaultContext): Change =>
  async (system, replace) => {
    await replace();
    for (let kills = 0; kills < KILLS; kills += 1) {
      await pause(random.whole(...BETWEEN_KILLS_MS));
      await Promise.all(system.parts('offsets').map((part) => part.kill('SIGKILL')));
    }
    await Promise.all(system.parts('offsets').map((part) => part.ready()));
  };

/** A PostgreSQL without the last writes. */
export const faults: readonly Fault[] = [
  {
    name: 'restore-postgres',
    does: 'PostgreSQL is restored from a copy taken under load',
    times: { ci: 1, full: 2 },
    inject: (context) => restore(context, openly),
  },
  {
    name: 'restore-postgres-unseen',
    does: 'PostgreSQL is restored from a copy while it and Kafka are unreachable',
    times: { full: 1 },
    inject: (context) => restore(context, behindBlackHoles),
  },
  {
    name: 'restore-postgres-before-sleeper',
    does: 'PostgreSQL is restored from a copy while a process of offsets is stopped (SIGSTOP) until another has recovered',
    times: { full: 1 },
    inject: (context) => restore(context, whileSuspended(context)),
  },
  {
    name: 'restore-postgres-before-kills',
    does: `PostgreSQL is restored from a copy, and every process of offsets is killed ${KILLS} times while they recover`,
    times: { full: 1 },
    inject: (context) => restore(context, beforeKills(context)),
  },
  {
    name: 'promote-standby',
    does: 'an asynchronous standby is promoted without the last writes',
    times: { full: 2 },
    inject: (context) => promote(context, openly),
  },
  {
    name: 'promote-standby-unseen',
    does: 'a standby is promoted while PostgreSQL and Kafka are unreachable',
    times: { full: 1 },
    inject: (context) => promote(context, behindBlackHoles),
  },
];
