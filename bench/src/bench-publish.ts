import { CpuMeter, type CpuTimes, cpuRows } from './cpu.js';
import { fromRoot, type Ran, runProgram } from './processes.js';
import { type Row, rowOf } from './results.js';
import type { Bench } from './stage.js';
import { alternate } from './statistics.js';

const OURS = fromRoot('tools/carbon/dist/carbon.js');
const BASELINE = fromRoot('bench/dist/baselines/bare-produce.js');
const NAMES = { program: 'the program', Kafka: 'Kafka' };

/** One run of a program, and the processor time of each process for an asset, in microseconds. */
interface Published extends Ran {
  readonly cpu: CpuTimes;
}

/** Compares publishing a file of assets by `npm run assets -- publish` with producing its lines by kafkajs alone. */
export const benchPublish: Bench = async (options, openStage) => {
  const stage = await openStage();
  const { kafkaBrokers } = stage.engines;
  const file = stage.libraryFile();
  /** Each time to new topics, because already published assets are not sent again. */
  const intoNewTopics = (run: (topicPrefix: string) => Promise<Ran>) => async () => {
    const topicPrefix = stage.freshPrefix();
    await stage.makeTopics(topicPrefix);
    const meter = new CpuMeter(undefined, { Kafka: stage.pidOf('kafka') });
    try {
      const ran = await meter.during(async () => ({ ...(await run(topicPrefix)), count: options.assets }));
      return { ...ran, cpu: { program: (ran.cpuSeconds * 1e6) / options.assets, ...ran.cpu } };
    } finally {
      await stage.clear(topicPrefix);
    }
  };
  const variants = {
    ours: intoNewTopics((topicPrefix) => {
      options.report(`publish: ${options.assets} assets by the command`);
      const environment = { KAFKA_BROKERS: kafkaBrokers, TOPIC_PREFIX: topicPrefix };
      return runProgram(OURS, ['assets', 'publish', file], environment, options.signal);
    }),
    baseline: intoNewTopics((topicPrefix) => {
      options.report(`publish: ${options.assets} assets by kafkajs alone`);
      const args = [kafkaBrokers, `${topicPrefix}asset.published`, file];
      return runProgram(BASELINE, args, {}, options.signal);
    }),
  };
  await alternate(variants, 1);
  const found = await alternate(variants, options.rounds);
  return { rows: rowsOf(found.ours, found.baseline, options.assets), notes: NOTES };
};

function rowsOf(ours: readonly Published[], baseline: readonly Published[], assets: number): Row[] {
  const what = `publish a file of ${assets.toLocaleString('en-US')} assets`;
  const more = { bench: 'publish', against: 'bare kafkajs' } as const;
  const rates = (runs: readonly Ran[]) => runs.map(({ seconds }) => assets / seconds);
  const rows = [
    rowOf({ ...more, what, unit: 'assets/s', ours: rates(ours), baseline: rates(baseline) }),
    ...cpuRows({ ...more, what }, NAMES, { ours, baseline }),
  ];
  const [peaks, others] = [ours, baseline].map((runs) => runs.flatMap(({ peakMb }) => peakMb ?? []));
  // Only Linux reports it.
  if (peaks?.length === ours.length && others?.length === ours.length) {
    rows.push(rowOf({ ...more, what: `${what}: most memory`, unit: 'MB', ours: peaks, baseline: others }));
  }
  return rows;
}

const NOTES = [
  'Publish: from the start of the command to its end. Ours checks every line, all of them before it sends the first, and asks what the library holds; the baseline only sends.',
];
