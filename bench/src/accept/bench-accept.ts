import { fileURLToPath } from 'node:url';
import { freePorts } from '@carbon/local';
import { CpuMeter, type CpuTimes, cpuRows } from '../cpu.js';
import { fromRoot, Worker } from '../processes.js';
import { type Compared, type Row, rowOf, valuesOf } from '../results.js';
import type { Bench, BenchOptions } from '../stage.js';
import { alternate, median } from '../statistics.js';
import { withSystem } from '../whole-system.js';
import { type PostsReport, postsReport } from './posts.js';

const PROGRAM = fileURLToPath(new URL('post-offsets.js', import.meta.url));
const BASELINE = fromRoot('bench/dist/baselines/bare-accept.js');
const LEVELS = [64, 512] as const;
const WARM_UP_SLICES = 4;
const SLICE_MS = 6_000;
const AGAINST = 'bare Fastify and kafkajs';
const THROUGHPUT = { atLeast: 0.8 } as const;
const LATENCY = { atMost: 1.3 } as const;

/** Compares the offsets that one gateway process accepts with a program that only validates and produces. */
export const benchAccept: Bench = async (options, openStage) => {
  const stage = await openStage();
  options.report('accept: starting the gateway');
  const apps = { offsets: { instances: 0 }, catalog: { instances: 0 } };
  return await withSystem(stage, { apps, library: false }, options.signal, async ({ system, key }) => {
    const port = (await freePorts()).GATEWAY_PORT;
    const topic = `${system.environment.TOPIC_PREFIX}offset.requested`;
    await using baseline = new Worker(BASELINE, [stage.engines.kafkaBrokers, topic, String(port)]);
    await using generator = new Worker(PROGRAM);
    await baseline.started();
    const gatewayPort = Number(new URL(system.urls.gateway).port);
    const kafka = stage.pidOf('kafka') !== undefined && { kafka: stage.pidOf('kafka') };
    const variants = {
      ours: { port: gatewayPort, cpu: new CpuMeter(undefined, { gateway: system.part('gateway').pid, ...kafka }) },
      baseline: { port, cpu: new CpuMeter(undefined, { baseline: baseline.pid, ...kafka }) },
    };
    return { rows: await measure(variants, key, generator, options), notes: NOTES };
  });
};

/** A server, and the processor time of its process and of Kafka. */
interface Variant {
  readonly port: number;
  readonly cpu: CpuMeter;
}

type Variants = Readonly<Record<'ours' | 'baseline', Variant>>;
type Measured = PostsReport & { readonly cpu: CpuTimes };

async function measure(
  variants: Variants,
  key: string,
  generator: Worker,
  { rounds, report, signal }: BenchOptions,
): Promise<Row[]> {
  const post = ({ port, cpu }: Variant, connections: number, perSecond?: number) => {
    signal.throwIfAborted();
    const question = { port, key, connections, ms: SLICE_MS, ...(perSecond && { perSecond }) };
    return cpu.during(() => generator.ask(question, postsReport));
  };
  const alternating = (connections: number, times: number, perSecond?: number) =>
    alternate(
      {
        ours: () => post(variants.ours, connections, perSecond),
        baseline: () => post(variants.baseline, connections, perSecond),
      },
      times,
    );
  report('accept: warming up');
  await alternating(LEVELS[0], WARM_UP_SLICES / 2);
  const rows: Row[] = [];
  let most = 0;
  for (const level of LEVELS) {
    report(`accept: ${level} connections`);
    const found = await alternating(level, rounds);
    rows.push(...throughput(level, found));
    if (level === LEVELS[0]) most = median(found.ours.map(({ perSecond }) => perSecond));
  }
  report('accept: half of the maximum rate of the gateway');
  const half = await alternating(LEVELS[0], rounds, most / 2);
  const what = `accept, ${Math.round(most / 2).toLocaleString('en-US')} a second`;
  return [...rows, latency(what, 'p50', half), latency(what, 'p99', half), ...cpuOf(what, half)];
}

function throughput(level: number, found: Compared<Measured>): Row[] {
  const what = `accept, ${level} connections`;
  const row = { bench: 'accept', what, unit: 'requests/s', against: AGAINST };
  return [rowOf({ ...row, ...valuesOf(found, 'perSecond'), goal: THROUGHPUT }), ...cpuOf(what, found)];
}

function cpuOf(what: string, found: Compared<Measured>): Row[] {
  const names = { gateway: 'the gateway', kafka: 'Kafka' };
  return cpuRows({ bench: 'accept', what, against: AGAINST }, names, found);
}

function latency(what: string, share: 'p50' | 'p99', found: Compared<Measured>): Row {
  const row = { bench: 'accept', what: `${what}: ${share}`, unit: 'ms', against: AGAINST };
  return rowOf({ ...row, ...valuesOf(found, share), goal: LATENCY });
}

const NOTES = [
  'Accept: POST /v1/offsets with a key whose limit is counted and without an Idempotency-Key, logged and measured, confirmed by Kafka before each 202; no consumer reads the topic meanwhile. The rows at a fixed rate use half of the gateway’s throughput with 64 connections, for both variants.',
  'Accept: the limit is processor time. On an earlier, slower machine, according to one profile of each over both rates, with the cost of profiling, a request takes about 138 µs in the gateway and 74 µs in the baseline: both spend 24 µs on writing to sockets and 11 to 14 µs in kafkajs. The gateway adds 28 µs of its own code (authentication, limits, strict JSON, id, fingerprint, event, headers; the baseline has 5), 12 µs of log, metrics, cache, zod and Nest, 4 µs of Fastify, 5 µs of buffers, 2 µs of garbage collection, and the rest elsewhere in Node, such as hashes, events and the log file. No function but the socket write takes more than 4 %. By this arithmetic a gateway without any code of its own would reach 0.67 of the baseline; 0.8 would also need a route without Nest, log lines and metrics.',
  'Accept: at half of the maximum both need more processor time a request than at the maximum. One send in flight instead of three made no difference to either; with two, one gateway process was a sixth slower. Gateway processes of one build differ: p50 was 1.1 to 2.5 ms at this rate, and the cause is unknown. The one long stop found is a full garbage collection of 100 ms with both cores busy; the others took about 10 ms, and the minor collections inspected took 1 to 3 ms.',
];
