import type { Bench } from '../bench.js';
import type { BenchOptions } from '../bench-options.js';
import { type FreshDatabase, freshDatabase } from '../database/fresh-database.js';
import { type Row, rowOf } from '../figures/row.js';
import { STARTER_LIBRARY } from '../library/projects.js';
import { runProgram } from '../processes/run-program.js';
import { alternate } from '../rounds.js';
import { fromRoot } from '../stage/checkout.js';
import type { Stage } from '../stage/stage.js';
import { type Backlog, backlogOf, publishBacklog } from './backlog.js';
import { type Drained, requireAll, timeDrain } from './time-drain.js';

const CARBON = fromRoot('tools/carbon/dist/carbon.js');
const UNNEST = fromRoot('bench/dist/baselines/drain-unnest.js');
const TYPEORM = fromRoot('bench/dist/baselines/drain-typeorm.js');
/** More would take minutes and show the same. */
const TYPEORM_BACKLOG = 3_000;
const AGAINST_UNNEST = { atLeast: 0.4 } as const;
const AGAINST_TYPEORM = { atLeast: 15 } as const;

/** A backlog of requests to completed offsets by one offsets process, beside two programs that write the same rows (rows 4 and 5). */
export const benchDrain: Bench = async (options, openStage) => {
  const stage = await openStage();
  options.tell(`drain: making ${options.backlog} requests`);
  const backlog = backlogOf(options.backlog);
  const less = backlogOf(TYPEORM_BACKLOG);
  const sides = {
    ours: () => drainByService(stage, backlog, options),
    unnest: () => drainByProgram(stage, UNNEST, backlog, options),
    typeorm: () => drainByProgram(stage, TYPEORM, less, options),
  };
  const found = await alternate(sides, options.rounds);
  return { rows: rowsOf(found, options.backlog), notes: NOTES };
};

/** Each drain has topics and a database of its own, with the backlog in before it begins. */
async function inNewPlace<T>(
  stage: Stage,
  backlog: Backlog,
  signal: AbortSignal,
  work: (topicPrefix: string, database: FreshDatabase) => Promise<T>,
): Promise<T> {
  const topicPrefix = stage.freshPrefix();
  const database = await freshDatabase(stage.engines.databaseUrl, signal);
  try {
    await stage.makeTopics(topicPrefix);
    await publishBacklog(stage.engines.kafkaBrokers, topicPrefix, backlog);
    return await work(topicPrefix, database);
  } finally {
    await database.drop();
    await stage.clear(topicPrefix);
  }
}

function drainByService(stage: Stage, backlog: Backlog, { tell, signal }: BenchOptions): Promise<Drained> {
  tell(`drain: ${backlog.count} offsets by the service`);
  return inNewPlace(stage, backlog, signal, async (topicPrefix, database) => {
    await stage.fillTopic(topicPrefix, STARTER_LIBRARY);
    const over = new AbortController();
    const timed = timeDrain(database, backlog, { announces: true, signal: AbortSignal.any([signal, over.signal]) });
    const system = await stage
      .start({
        topicPrefix,
        engines: { ...stage.engines, databaseUrl: database.url },
        apps: { gateway: { instances: 0 }, catalog: { instances: 0 } },
      })
      .catch(async (error: unknown) => {
        over.abort();
        await timed.catch(() => {});
        throw error;
      });
    const drained = await timed.finally(() => system.stop());
    await requireAll(database, backlog.count);
    tell('drain: the audit of what the service has written');
    await runProgram(CARBON, ['ledger', 'audit'], { DATABASE_URL: database.url }, signal);
    return drained;
  });
}

function drainByProgram(
  stage: Stage,
  program: string,
  backlog: Backlog,
  { tell, signal }: BenchOptions,
): Promise<Drained> {
  tell(`drain: ${backlog.count} offsets by ${program === UNNEST ? 'unnest alone' : 'a transaction each'}`);
  return inNewPlace(stage, backlog, signal, async (topicPrefix, database) => {
    const args = [stage.engines.kafkaBrokers, `${topicPrefix}offset.requested`, database.url, String(backlog.count)];
    const over = new AbortController();
    const timed = timeDrain(database, backlog, { announces: false, signal: AbortSignal.any([signal, over.signal]) });
    await runProgram(program, args, {}, signal).catch(async (error: unknown) => {
      over.abort();
      await timed.catch(() => {});
      throw error;
    });
    const drained = await timed;
    await requireAll(database, backlog.count);
    return drained;
  });
}

type Found = Readonly<Record<'ours' | 'unnest' | 'typeorm', readonly Drained[]>>;

function rowsOf({ ours, unnest, typeorm }: Found, count: number): Row[] {
  const rates = (drains: readonly Drained[]) => drains.map(({ perSecond }) => perSecond);
  const what = `drain ${count.toLocaleString('en-US')} requests to completed`;
  const beside = { unit: 'offsets/s', what } as const;
  const against = 'kafkajs and unnest alone';
  return [
    rowOf({ ...beside, bench: 'drain', against, ours: rates(ours), baseline: rates(unnest), goal: AGAINST_UNNEST }),
    rowOf({
      ...beside,
      bench: 'drain',
      what: `${what} and announced`,
      against,
      ours: ours.map(({ announcedPerSecond }) => announcedPerSecond),
      baseline: rates(unnest),
    }),
    rowOf({
      ...beside,
      bench: 'drain',
      against: 'a TypeORM transaction each',
      ours: rates(ours),
      baseline: rates(typeorm),
      goal: AGAINST_TYPEORM,
    }),
  ];
}

const NOTES = [
  'Drain: one offsets process, started beside a full topic; from the first offset that is recorded until the last gram is retired, and apart from that until the last outcome is announced. The audit holds after each of its rounds. Neither baseline announces anything.',
  `Drain: ${'`drain-unnest`'} writes the same offsets, ledger entries, supply and outbox into the same tables, a statement each for all that a fetch brought, and decides nothing; ${'`drain-typeorm`'} drains ${TYPEORM_BACKLOG.toLocaleString('en-US')}, and is compared by its rate.`,
];
