import { MOST_SERIES } from './instruments.js';
import { counter, gauge, histogram } from './metric-definition.js';
import { Metrics } from './metrics.js';

const table = {
  done: counter('carbon_test_done_total', 'Things done.', { kind: 'Which.' }),
  plain: counter('carbon_test_plain_total', 'Things.'),
  size: gauge('carbon_test_size_bytes', 'A size.'),
  time: histogram('carbon_test_time_seconds', 'A time.', [1, 2]),
};

const linesOf = async (metrics: Metrics, name: string) =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name));

describe('metrics', () => {
  it('count, show and note what they are told', async () => {
    const metrics = new Metrics('test');
    const { done, plain, size, time } = metrics.of(table);
    done.add(2, { kind: 'a' });
    done.add(0, { kind: 'b' });
    plain.add(1);
    size.set(3);
    time.observe(1.5);
    expect(await linesOf(metrics, 'carbon_test_')).toEqual([
      'carbon_test_done_total{kind="a"} 2',
      'carbon_test_done_total{kind="b"} 0',
      'carbon_test_plain_total 1',
      'carbon_test_size_bytes 3',
      'carbon_test_time_seconds_bucket{le="1"} 0',
      'carbon_test_time_seconds_bucket{le="2"} 1',
      'carbon_test_time_seconds_bucket{le="+Inf"} 1',
      'carbon_test_time_seconds_sum 1.5',
      'carbon_test_time_seconds_count 1',
    ]);
  });

  it('show nothing for a gauge that nobody has set', async () => {
    const metrics = new Metrics('test');
    metrics.of(table);
    expect(await linesOf(metrics, 'carbon_test_size_bytes')).toEqual([]);
  });

  it('are made once: who asks for the same gets the same, and two that differ are a mistake', async () => {
    const metrics = new Metrics('test');
    metrics.of(table).plain.add(1);
    metrics.of({ ...table }).plain.add(1);
    expect(await linesOf(metrics, 'carbon_test_plain_total')).toEqual(['carbon_test_plain_total 2']);
    expect(() => metrics.of({ plain: counter('carbon_test_plain_total', 'Others.') })).toThrow(
      'carbon_test_plain_total',
    );
  });

  it('of two apps in one process do not count together', async () => {
    const [one, other] = [new Metrics('test'), new Metrics('test')];
    one.of(table).plain.add(5);
    other.of(table);
    expect(await linesOf(other, 'carbon_test_plain_total')).toEqual(['carbon_test_plain_total 0']);
  });

  it('never have more series than they may, whatever is put into a label', async () => {
    const metrics = new Metrics('test');
    const { done } = metrics.of(table);
    for (let value = 0; value < MOST_SERIES + 10; value += 1) done.add(1, { kind: `${value}"\n\\` });
    const lines = await linesOf(metrics, 'carbon_test_done_total');
    expect(lines).toHaveLength(MOST_SERIES + 1);
    expect(lines.at(0)).toBe('carbon_test_done_total{kind="0\\"\\n\\\\"} 1');
    expect(lines.at(-1)).toBe('carbon_test_done_total{kind="other"} 10');
  });
});
