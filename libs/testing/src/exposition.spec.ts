import { readExposition } from './exposition.js';

const HEAD = '# HELP a_total Text.\n# TYPE a_total counter\n';
const HISTOGRAM = '# HELP h Text.\n# TYPE h histogram\n';

describe('the reader of exposed metrics', () => {
  it('reads names, labels with escapes, and all numbers there are', () => {
    const text = `${HEAD}a_total{path="C:\\\\d\\"\\n",x="1"} 1e3\n# HELP g A \\\\ and \\n.\n# TYPE g gauge\ng NaN\ng{x=""} -Inf\n`;
    const families = readExposition(text);
    expect(families.get('a_total')?.samples).toEqual([
      { name: 'a_total', labels: { path: 'C:\\d"\n', x: '1' }, value: 1_000 },
    ]);
    expect(families.get('g')?.samples.map(({ value }) => value)).toEqual([Number.NaN, Number.NEGATIVE_INFINITY]);
  });

  it.each([
    ['no line feed at the end', `${HEAD}a_total 1`],
    ['a value without a type', 'a_total 1\n'],
    ['a type without help', '# TYPE a_total counter\na_total 1\n'],
    ['an unknown type', '# HELP a Text.\n# TYPE a number\na 1\n'],
    ['a metric in two places', `${HEAD}a_total 1\n# HELP b Text.\n# TYPE b gauge\nb 1\n${HEAD}a_total{x="1"} 1\n`],
    ['a value of another metric', `${HEAD}b 1\n`],
    ['a series twice', `${HEAD}a_total{x="1",y="2"} 1\na_total{y="2",x="1"} 2\n`],
    ['a label twice', `${HEAD}a_total{x="1",x="2"} 1\n`],
    ['a label that is not closed', `${HEAD}a_total{x="1} 1\n`],
    ['an escape that there is not', `${HEAD}a_total{x="\\t"} 1\n`],
    ['a reserved label', `${HEAD}a_total{__x="1"} 1\n`],
    ['a number that is none', `${HEAD}a_total Nan\n`],
    ['a number with a space before it', `${HEAD}a_total  1\n`],
    ['a counter below 0', `${HEAD}a_total -1\n`],
    ['a histogram without +Inf', `${HISTOGRAM}h_bucket{le="1"} 1\nh_sum 1\nh_count 1\n`],
    ['a histogram that falls', `${HISTOGRAM}h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n`],
    ['a histogram without its sum', `${HISTOGRAM}h_bucket{le="+Inf"} 1\nh_count 1\n`],
    ['a histogram whose count differs', `${HISTOGRAM}h_bucket{le="+Inf"} 1\nh_sum 1\nh_count 2\n`],
  ])('refuses %s', (_, text) => {
    expect(() => readExposition(text)).toThrow();
  });
});
