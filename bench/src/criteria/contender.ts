import { z } from 'zod';
import { answerQuestions } from '../processes.js';
import { CONTENDERS, type Contender } from './contenders.js';

const names = Object.keys(CONTENDERS) as Contender[];
/** Texts to parse in turn, and for how long. */
const question = z.object({ texts: z.array(z.string()).min(1), ms: z.number().positive() });

/** The clock is read this rarely, so that reading it costs almost nothing. */
const POLL_MS = 1;

const { run } = CONTENDERS[z.enum(names).parse(process.argv[2])];
let sink: unknown;

/** Parses text after text until the time is over; measures processor time, not wall-clock time. */
function measure({ texts, ms }: z.output<typeof question>): { readonly calls: number; readonly cpuMs: number } {
  const before = process.cpuUsage();
  const end = performance.now() + ms;
  let calls = 0;
  let batch = 1;
  for (let now = performance.now(); now < end; ) {
    for (let n = 0; n < batch; n += 1) sink = run(texts[(calls + n) % texts.length] ?? '');
    calls += batch;
    const after = performance.now();
    if (after - now < POLL_MS) batch *= 2;
    now = after;
  }
  if (sink === undefined) throw new Error('The text has no result.');
  const { user, system } = process.cpuUsage(before);
  return { calls, cpuMs: (user + system) / 1000 };
}

answerQuestions(question, measure);
