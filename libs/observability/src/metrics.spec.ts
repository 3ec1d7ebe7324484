import { Logger } from '@nestjs/common';
import { counter, gauge, histogram } from './metric-definitions.js';
import { MAX_SERIES, Metrics } from './metrics.js';

beforeAll(() => Logger.overrideLogger(false));

const table = {
  done: counter('carbon_test_done_total', 'Things done.', { kind: 'The kind.' }),
  plain: counter('carbon_test_plain_total', 'Things.'),
  size: gauge('carbon_test_size_bytes', 'A size.'),
  time: histogram('carbon_test_time_seconds', 'A time.', [1, 2]),
};

const linesOf = async (metrics: Metrics, name: string) =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name));

describe('Metrics', () => {
  it('exposes counters, gauges and histograms, and no gauge that was never set', async () => {
    const metrics = new Metrics('test');
    const { done, plain, size, time } = metrics.of(table);
    expect(await linesOf(metrics, 'carbon_test_size_bytes')).toEqual([]);
    done.inc({ kind: 'a' }, 2);
    done.inc({ kind: 'b' }, 0);
    plain.inc();
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

  it('registers a table once, in a registry per app', async () => {
    const [one, other] = [new Metrics('test'), new Metrics('test')];
    one.of(table).plain.inc();
    one.of({ ...table }).plain.inc();
    other.of(table);
    expect(await linesOf(one, 'carbon_test_plain_total')).toEqual(['carbon_test_plain_total 2']);
    expect(await linesOf(other, 'carbon_test_plain_total')).toEqual(['carbon_test_plain_total 0']);
  });

  it('limits the series of a metric, and counts the others together', async () => {
    const metrics = new Metrics('test');
    const { done } = metrics.of(table);
    for (let value = 0; value < MAX_SERIES + 10; value += 1) done.inc({ kind: `${value}"\n\\` });
    const lines = await linesOf(metrics, 'carbon_test_done_total');
    expect(lines).toHaveLength(MAX_SERIES + 1);
    expect(lines.at(0)).toBe('carbon_test_done_total{kind="0\\"\\n\\\\"} 1');
    expect(lines.at(-1)).toBe('carbon_test_done_total{kind="other"} 10');
  });
});

describe('a collector', () => {
  const waitingRows = { waiting: gauge('carbon_test_waiting_rows', 'Rows that wait.', { table: 'The table.' }) };
  const UP = 'carbon_test_collector_up{source="tables"} 1';
  const DOWN = 'carbon_test_collector_up{source="tables"} 0';
  const rows = (count: number) => `carbon_test_waiting_rows{table="outbox"} ${count}`;

  /** Metrics with one collector, whose queries are counted. */
  const collecting = (query: () => Promise<number>, { timeoutMs = 1_000, cacheMs = 60_000 } = {}) => {
    const metrics = new Metrics('test');
    const { waiting } = metrics.of(waitingRows);
    let queries = 0;
    const collect = async () => {
      queries += 1;
      return [{ gauge: waiting, value: await query(), labels: { table: 'outbox' } }];
    };
    const remove = metrics.addCollector({ source: 'tables', collect, timeoutMs, cacheMs });
    const lines = async () => (await metrics.text()).split('\n').filter((line) => /^carbon_test_(w|c)/.test(line));
    return { lines, remove, queries: () => queries };
  };

  it('runs one query for simultaneous and frequent scrapes, and leaves no gauge when it is removed', async () => {
    const { lines, queries, remove } = collecting(async () => 7);
    const scrapes = await Promise.all([lines(), lines(), lines()]);
    for (const scrape of [...scrapes, await lines()]) expect([...scrape].sort()).toEqual([UP, rows(7)]);
    expect(queries()).toBe(1);
    remove();
    expect(await lines()).toEqual([]);
  });

  it('queries again after its cache time, and has no gauges while the query fails', async () => {
    let query: () => Promise<number> = async () => 1;
    const { lines } = collecting(() => query(), { cacheMs: -1 });
    expect(await lines()).toContain(rows(1));
    query = () => Promise.reject(new Error('away'));
    expect(await lines()).toEqual([DOWN]);
    query = async () => 3;
    expect(await lines()).toContain(rows(3));
  });

  it('has no gauges while its query is late, and starts no second one meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const { lines, queries } = collecting(() => promise, { timeoutMs: 20 });
    expect([await lines(), await lines()]).toEqual([[DOWN], [DOWN]]);
    resolve(5);
    expect(await lines()).toContain(rows(5));
    expect(queries()).toBe(1);
  });
});
