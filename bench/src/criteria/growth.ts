import { DEFAULT_LIMITS } from '@carbon/criteria';
import { type Row, rowOf } from '../results.js';
import type { BenchOptions } from '../stage.js';
import { alternate } from '../statistics.js';
import type { Contender } from './contenders.js';
import { textOfLength } from './strings.js';

/** Lets a contender parse texts for a time. @returns texts parsed per second of processor time */
export type Measure = (name: Contender, texts: readonly string[], ms: number) => Promise<number>;

const MAX_LENGTH = DEFAULT_LIMITS.length;
const SHORT = MAX_LENGTH / 8;
/** Linear growth is 1; quadratic growth 8. */
const GOAL = { atMost: 1.3 } as const;

/** Compares the time per character of a text of the maximum length with one of an eighth of it. */
export async function growthRow(measure: Measure, { rounds, sliceMs, report }: BenchOptions): Promise<Row> {
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
    goal: GOAL,
  });
}
