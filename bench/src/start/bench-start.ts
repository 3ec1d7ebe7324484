import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  freePorts,
  type RunningSystem,
  type StartSystemOptions,
  startEngines,
  startSystem,
  temporaryDir,
} from '@carbon/local';
import { request } from 'undici';
import { acceptedId } from '../accept/accepted-id.js';
import { POSTED } from '../accept/posts.js';
import { Worker } from '../processes.js';
import { type Compared, type Row, rowAlone, rowOf } from '../results.js';
import type { Bench } from '../stage.js';
import { alternate } from '../statistics.js';
import { keyOfBench } from '../whole-system.js';
import { type FirstMinuteReport, firstMinuteReport, PER_SECOND } from './first-minute.js';

const PROGRAM = fileURLToPath(new URL('load-first-minute.js', import.meta.url));
const FIRST_MINUTE_MS = 60_000;
/** Offsets that are read after the restarts. */
const OFFSETS = 200;
const START = { atMost: 1.6 } as const;
const UNAVAILABLE = { atMost: 0 } as const;
const P99 = { atMost: 300 } as const;

/** Compares a warm start with OpenSearch alone, and measures the minute after it. */
export const benchStart: Bench = async ({ rounds, report, signal }) => {
  using folder = await temporaryDir();
  const { dir } = folder;
  const { key, file } = keyOfBench(dir);
  const home = join(dir, 'system');
  const ports = await freePorts();
  const how: StartSystemOptions = {
    ...{ dir: home, ports, signal },
    apps: { gateway: { environment: { API_KEYS_FILE: file } } },
  };
  await using generator = new Worker(PROGRAM);
  report('start: the first start, which publishes and indexes the library');
  const ids = await inSystem(how, ({ system }) => postOffsets(system, key));
  const minutes: FirstMinuteReport[] = [];
  const ours = () => {
    report('start: a warm start');
    return inSystem(how, async ({ system, seconds }) => {
      report('start: the first minute');
      const load = { origin: system.urls.gateway, key, ids, run: randomUUID(), ms: FIRST_MINUTE_MS };
      minutes.push(await generator.ask(load, firstMinuteReport));
      return seconds;
    });
  };
  const baseline = () => {
    report('start: OpenSearch alone');
    signal.throwIfAborted();
    return secondsUntilGreen(home, ports);
  };
  const seconds = await alternate({ ours, baseline }, rounds);
  return { rows: rowsOf(seconds, minutes), notes: NOTES };
};

interface Started {
  readonly system: RunningSystem;
  /** Until everything was ready. */
  readonly seconds: number;
}

/** Starts the system in its folder, and stops it after the work. */
async function inSystem<T>(how: StartSystemOptions, work: (started: Started) => Promise<T>): Promise<T> {
  const begun = performance.now();
  const system = await startSystem(how);
  const seconds = (performance.now() - begun) / 1000;
  try {
    return await work({ system, seconds });
  } finally {
    await system.stop();
  }
}

async function postOffsets({ urls }: RunningSystem, key: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const ids: string[] = [];
  while (ids.length < OFFSETS) {
    const post = { method: 'POST', headers, body: JSON.stringify(POSTED) } as const;
    ids.push(await acceptedId(await request(`${urls.gateway}/v1/offsets`, post)));
  }
  return ids;
}

/** Starts OpenSearch in the folder of the stopped system, with its indices. */
async function secondsUntilGreen(dir: string, ports: StartSystemOptions['ports']): Promise<number> {
  const begun = performance.now();
  const engines = await startEngines({ dir, which: ['opensearch'], ...(ports && { ports }) });
  try {
    const health = '_cluster/health?wait_for_status=green&timeout=60s';
    const { statusCode, body } = await request(`${engines.addresses.opensearchUrl}/${health}`);
    const words = await body.text();
    if (statusCode !== 200) throw new Error(`OpenSearch is not green: ${statusCode} ${words}`);
    return (performance.now() - begun) / 1000;
  } finally {
    await engines.stop();
  }
}

function rowsOf(seconds: Compared<number>, minutes: readonly FirstMinuteReport[]): Row[] {
  const bench = 'start';
  const start = { bench, what: 'warm start until ready', unit: 's', against: 'OpenSearch alone until green' } as const;
  const what = 'the first minute';
  const sum = (minute: FirstMinuteReport) =>
    Object.values(minute).reduce((all, { unavailable }) => all + unavailable, 0);
  const kinds = Object.entries(PER_SECOND) as [keyof FirstMinuteReport, number][];
  const p99 = kinds.map(([kind, perSecond]) =>
    rowAlone({
      ...{ bench, what: `${what}, ${perSecond} ${kind} a second: p99`, unit: 'ms', goal: P99 },
      ours: minutes.map((minute) => minute[kind].p99),
    }),
  );
  return [
    rowOf({ ...start, ...seconds, goal: START }),
    rowAlone({ bench, what: `${what}: 503`, unit: 'responses', ours: minutes.map(sum), goal: UNAVAILABLE }),
    ...p99,
  ];
}

const NOTES = [
  'Start: the whole system, in a folder where it ran before, from the start of the launcher until every app is ready; and OpenSearch alone in the same folder, with the same indices.',
  'Start: the first minute begins when the system is ready. Each request is sent at its planned time, independently of earlier ones, and its latency counts from then. Searches differ from each other, posts have a new Idempotency-Key each, and reads are of offsets that were accepted before the restart.',
];
