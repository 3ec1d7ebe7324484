import { compile } from './compile.js';
import { goldenFields } from './reference/golden.js';

const UNBOUNDED = { length: 1e7, clauses: 1e6, valueLength: 1e7, depth: 16, patterns: 1e6 };
const SMALL = 400;
const TIMES = 16;
/** Linear time gives a ratio of 1; quadratic would give 16. The rest is room for what the engine does beside. */
const TOLERANCE = 5;

/** Texts of the given size that a careless parser would pass over again and again. */
const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  'comparisons side by side': (size) => 'rating>3 '.repeat(size),
  'alternatives of several fields': (size) => Array(size).fill('ticker:BCT or rating>3 and not sdgs:13').join(' or '),
  'one list': (size) => `ticker in (${Array(size).fill('BCT').join(', ')})`,
  'one group': (size) => `ticker:(${Array(size).fill('BCT or not NCT and UBO').join(' or ')})`,
  'one group with commas': (size) => `ticker:(${Array(size).fill('BCT').join(',')})`,
  'ranges in brackets': (size) => 'rating:[3 TO 4} and sdgs not between 1 and 2 '.repeat(size),
  'patterns side by side': (size) => 'ticker:B* name:?arbon* not ticker like "B*T" '.repeat(size),
  'one pattern': (size) => `ticker like "a*${'bc'.repeat(size * 4)}*"`,
  'one pattern of escapes': (size) => `ticker like "a*${'\\*'.repeat(size * 4)}"`,
  'one quoted value of escapes': (size) => `ticker:"${'\\"'.repeat(size * 4)}"`,
  'one bare value of escapes': (size) => `ticker:${'\\*'.repeat(size * 4)}`,
  'one name': (size) => `${'x'.repeat(size * 8)}:1`,
  'words that stand alone': (size) => `name:${'carbon '.repeat(size)}`,
  'blanks before a word that stands alone': (size) => `name:x${' '.repeat(size * 8)}y`,
  'a quote that is never closed': (size) => `ticker:"${'""'.repeat(size * 4)}`,
  'dates with many colons': (size) => 'createdAt:2022-02-28T10:30:00+02:00 '.repeat(size),
};

/** In milliseconds of the processor's time: the clock's would as well measure what else the machine does. */
function fastest(text: string): number {
  const times = Array.from({ length: 6 }, () => {
    const start = process.cpuUsage();
    compile(text, goldenFields, UNBOUNDED);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

describe('the time a text takes', () => {
  it.each(Object.keys(SHAPES))('grows with its length alone: %s', (name) => {
    const shape = SHAPES[name] ?? String;
    fastest(shape(SMALL));
    const small = Math.max(fastest(shape(SMALL)), 0.2);
    expect(fastest(shape(SMALL * TIMES))).toBeLessThan(small * TIMES * TOLERANCE);
  });
});
