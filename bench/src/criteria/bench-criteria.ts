import { fileURLToPath } from 'node:url';
import { DEFAULT_LIMITS } from '@carbon/criteria';
import { z } from 'zod';
import { Worker } from '../processes.js';
import { type Row, rowOf } from '../results.js';
import type { Bench, BenchOptions } from '../stage.js';
import { alternate, median } from '../statistics.js';
import { CONTENDERS, type Contender } from './contenders.js';
import { type Dialect, fiveClauses, textOfLength, twoHundredClauses } from './strings.js';

const PROGRAM = fileURLToPath(new URL('./contender.js', import.meta.url));
const GOAL = { atLeast: 15 } as const;
/** Processor time, not wall-clock time. */
const UNIT = 'texts/s';
const NAMES = Object.keys(CONTENDERS) as Contender[];
const BASELINES = ['liqe', 'lucene'] as const satisfies readonly Contender[];
const OURS = [
  { name: 'ours', what: 'parse + check + compile', goal: GOAL },
  { name: 'oursWithCanonical', what: 'the same and the canonical form, as for a search' },
  { name: 'oursParse', what: 'parse alone' },
] as const;
const STRINGS = [
  { kind: '5 clauses', texts: fiveClauses },
  { kind: '200 clauses', texts: twoHundredClauses },
] as const;

const MAX_LENGTH = DEFAULT_LIMITS.length;
const SHORT = MAX_LENGTH / 8;
/** Linear growth is 1; quadratic growth 8. */
const GROWTH_GOAL = { atMost: 1.3 } as const;

const measured = z.object({ calls: z.number(), cpuMs: z.number().positive() });

/** Lets a contender parse texts for a time. @returns texts parsed per second of processor time */
type Measure = (name: Contender, texts: readonly string[], ms: number) => Promise<number>;

/** Compares compiling criteria to a query with parsing by other libraries. Each contender is a separate process. */
export const benchCriteria: Bench = async (options) => {
  const workers = new Map(NAMES.map((name) => [name, new Worker(PROGRAM, [name])]));
  const measure: Measure = async (name, texts, ms) => {
    options.signal.throwIfAborted();
    const answer = await workers.get(name)?.ask({ texts, ms }, measured);
    if (answer === undefined) throw new Error(`${name} is not a contender`);
    return (answer.calls / answer.cpuMs) * 1000;
  };
  try {
    const rows: Row[] = [];
    for (const { kind, texts } of STRINGS) rows.push(...(await compare(kind, texts, measure, options)));
    rows.push(await growthRow(measure, options));
    return { rows, notes: NOTES };
  } finally {
    for (const worker of workers.values()) await worker[Symbol.asyncDispose]();
  }
};

async function compare(
  kind: string,
  texts: (dialect: Dialect) => readonly string[],
  measure: Measure,
  { rounds, sliceMs, report }: BenchOptions,
): Promise<Row[]> {
  const side = (name: Contender) => () => measure(name, texts(CONTENDERS[name].dialect), sliceMs);
  const variants = Object.fromEntries(NAMES.map((name) => [name, side(name)])) as Record<
    Contender,
    () => Promise<number>
  >;
  report(`criteria, ${kind}: warming up`);
  await alternate(variants, 1);
  report(`criteria, ${kind}: ${rounds} rounds of ${NAMES.length} contenders`);
  const found = await alternate(variants, rounds);
  const fastest = BASELINES.reduce((best, name) => (median(found[name]) > median(found[best]) ? name : best));
  const more = { bench: 'criteria', unit: UNIT, against: `${fastest}, parse alone`, baseline: found[fastest] };
  const ours = OURS.map(({ name, what, ...goal }) =>
    rowOf({ ...more, ...goal, what: `criteria of ${kind}: ${what}`, ours: found[name] }),
  );
  const parse = {
    bench: 'criteria',
    unit: UNIT,
    what: `criteria of ${kind}: parse alone`,
    ours: found.oursParse,
  };
  const others = BASELINES.filter((name) => name !== fastest).map((name) =>
    rowOf({ ...parse, against: `${name}, parse alone`, baseline: found[name] }),
  );
  return [...ours, ...others];
}

/** Compares the time per character of a text of the maximum length with one of an eighth of it. */
async function growthRow(measure: Measure, { rounds, sliceMs, report }: BenchOptions): Promise<Row> {
  const [short, long] = [textOfLength(SHORT), textOfLength(MAX_LENGTH)];
  const nanoseconds = (text: string) => async () => 1e9 / (await measure('ours', [text], sliceMs)) / text.length;
  const variants = { long: nanoseconds(long), short: nanoseconds(short) };
  report('criteria: time as texts grow');
  await alternate(variants, 1);
  const found = await alternate(variants, rounds);
  return rowOf({
    bench: 'criteria',
    what: `criteria: time as texts grow, a text of ${long.length} characters`,
    unit: 'ns/character',
    against: `ours, a text of ${short.length} characters`,
    ours: found.long,
    baseline: found.short,
    goal: GROWTH_GOAL,
  });
}

const NOTES = [
  'Criteria: texts parsed per second of processor time (all threads of the process); each contender is a separate process, and they take turns.',
  'Every contender is warmed up for as long as one measurement lasts; 64 variants of each text take turns.',
  'The grammar of OpenSearch Dashboards (DQL) is omitted: no maintained package implements it.',
];
