import { waitUntil } from '@carbon/local';
import { createKafka, withAdmin } from '@carbon/messaging';
import { cpuRows } from '../cpu.js';
import { type Backlog, backlogOf, publishBacklog } from '../drain/backlog.js';
import { type Drained, requireAll, timeDrain } from '../drain/bench-drain.js';
import { type Compared, type Row, rowOf, valuesOf } from '../results.js';
import { auditLedger, type Bench, type BenchOptions, type Stage } from '../stage.js';
import { alternate } from '../statistics.js';
import { withSystem } from '../whole-system.js';
import { startDelayProxy } from './delay-proxy.js';

/** Of each direction: a round trip to PostgreSQL takes 10 ms more, so that waiting binds and not two processors. */
const DELAY_MS = 5;
const THROUGHPUT = { atLeast: 1.6 } as const;
const REQUESTS_GROUP = 'offsets.requests';
const POLL_MS = 100;
const JOINED_TIMEOUT_MS = 60_000;

/** Compares two offsets processes with one, behind a slow connection to PostgreSQL. */
export const benchParallel: Bench = async (options, openStage) => {
  const stage = await openStage();
  const backlog = backlogOf(options.backlog);
  const proxy = await startDelayProxy(Number(new URL(stage.engines.databaseUrl).port), DELAY_MS);
  const drain = (instances: number) => () => drainBy(instances, stage, proxy.port, backlog, options);
  try {
    const found = await alternate({ ours: drain(2), baseline: drain(1) }, options.rounds);
    return { rows: rowsOf(found, backlog.count), notes: NOTES };
  } finally {
    await proxy.close();
  }
};

function drainBy(
  instances: number,
  stage: Stage,
  databasePort: number,
  backlog: Backlog,
  options: BenchOptions,
): Promise<Drained> {
  const { report, signal } = options;
  report(`parallel: starting the apps`);
  const apps = { offsets: { instances }, gateway: { instances: 0 }, catalog: { instances: 0 } };
  return withSystem(stage, { apps, databasePort }, signal, async ({ system, database }) => {
    const topicPrefix = system.environment.TOPIC_PREFIX ?? '';
    await untilJoined(stage.engines.kafkaBrokers, topicPrefix, instances, signal);
    report(`parallel: ${backlog.count} offsets, processes: ${instances}`);
    const pids = {
      offsets: system.part('offsets').pid,
      ...(instances > 1 && { second: system.part('offsets-2').pid }),
    };
    const timed = timeDrain(database, backlog, { publishes: true, pids: () => pids, signal });
    const [drained] = await Promise.all([timed, publishBacklog(stage.engines.kafkaBrokers, topicPrefix, backlog)]);
    await requireAll(database, backlog.count);
    await auditLedger(database, options);
    return drained;
  });
}

/** Resolves when every process has its share of the partitions. */
async function untilJoined(brokers: string, topicPrefix: string, members: number, signal: AbortSignal): Promise<void> {
  const kafka = createKafka({ brokers: brokers.split(','), clientId: 'bench', topicPrefix });
  await withAdmin(kafka, async (admin) => {
    let found = '';
    const haveJoined = async () => {
      signal.throwIfAborted();
      const [group] = (await admin.describeGroups([kafka.names.group(REQUESTS_GROUP)])).groups;
      found = `${group?.state} with ${group?.members.length}`;
      return group?.state === 'Stable' && group.members.length === members;
    };
    if (!(await waitUntil(haveJoined, JOINED_TIMEOUT_MS, POLL_MS))) throw new Error(`The group is ${found}.`);
  });
}

function rowsOf(found: Compared<Drained>, count: number): Row[] {
  const row = { bench: 'parallel', against: 'one process' } as const;
  const what = `drain ${count.toLocaleString('en-US')} requests by two processes, PostgreSQL ${2 * DELAY_MS} ms away`;
  const of = (figure: 'perSecond' | 'publishedPerSecond') => ({
    ...{ ...row, unit: 'offsets/s' },
    ...valuesOf(found, figure),
  });
  const names = { offsets: 'the first process', second: 'the second process', PostgreSQL: 'PostgreSQL' };
  return [
    rowOf({ ...of('perSecond'), what: `${what}: to completed`, goal: THROUGHPUT }),
    rowOf({ ...of('publishedPerSecond'), what: `${what}: and published` }),
    ...cpuRows({ ...row, what }, names, found),
  ];
}

const NOTES = [
  `Parallel: the processes get to PostgreSQL through a proxy that delivers everything ${DELAY_MS} ms later in each direction. All of them are in the consumer group before the backlog is published. From the first recorded offset until the last gram is retired; the ledger passes the audit after each round.`,
];
