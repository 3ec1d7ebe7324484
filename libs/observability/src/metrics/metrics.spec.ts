import { Logger } from '@nestjs/common';
import { MOST_SERIES } from './instruments.js';
import { counter, gauge, histogram } from './metric-definition.js';
import { Metrics } from './metrics.js';

beforeAll(() => Logger.overrideLogger(false));

const table = {
  done: counter('carbon_test_done_total', 'Things done.', { kind: 'Which.' }),
  plain: counter('carbon_test_plain_total', 'Things.'),
  size: gauge('carbon_test_size_bytes', 'A size.'),
  time: histogram('carbon_test_time_seconds', 'A time.', [1, 2]),
};

const linesOf = async (metrics: Metrics, name: string) =>
  (await metrics.text()).split('\n').filter((line) => line.startsWith(name));

describe('metrics', () => {
  it('count, show and note what they are told, and show no gauge that nobody has set', async () => {
    const metrics = new Metrics('test');
    const { done, plain, size, time } = metrics.of(table);
    expect(await linesOf(metrics, 'carbon_test_size_bytes')).toEqual([]);
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

describe('figures that are asked for', () => {
  const waitingRows = { waiting: gauge('carbon_test_waiting_rows', 'Rows that wait.', { table: 'The table.' }) };
  const UP = 'carbon_test_figures_up{source="tables"} 1';
  const DOWN = 'carbon_test_figures_up{source="tables"} 0';
  const rows = (count: number) => `carbon_test_waiting_rows{table="outbox"} ${count}`;

  /** Metrics with one figure that is asked for; what is asked is counted. */
  const asking = (answer: () => Promise<number>, { deadlineMs = 1_000, keptMs = 60_000 } = {}) => {
    const metrics = new Metrics('test');
    const { waiting } = metrics.of(waitingRows);
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return [waiting.reading(await answer(), { table: 'outbox' })];
    };
    const end = metrics.gather({ source: 'tables', ask, deadlineMs, keptMs });
    const lines = async () => (await metrics.text()).split('\n').filter((line) => /^carbon_test_(w|f)/.test(line));
    return { lines, end, asked: () => asked };
  };

  it('are shown, asked for once however many look and however often within their time, and gone at their end', async () => {
    const { lines, asked, end } = asking(async () => 7);
    const looks = await Promise.all([lines(), lines(), lines()]);
    for (const look of [...looks, await lines()]) expect([...look].sort()).toEqual([UP, rows(7)]);
    expect(asked()).toBe(1);
    end();
    expect(await lines()).toEqual([]);
  });

  it('are asked for anew after their time, absent when they cannot be had, and there again afterwards', async () => {
    let answer: () => Promise<number> = async () => 1;
    const { lines } = asking(() => answer(), { keptMs: -1 });
    expect(await lines()).toContain(rows(1));
    answer = () => Promise.reject(new Error('away'));
    expect(await lines()).toEqual([DOWN]);
    answer = async () => 3;
    expect(await lines()).toContain(rows(3));
  });

  it('are absent when they come too late, are not asked for again meanwhile, and are shown once they are there', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const { lines, asked } = asking(() => promise, { deadlineMs: 20 });
    expect([await lines(), await lines()]).toEqual([[DOWN], [DOWN]]);
    resolve(5);
    expect(await lines()).toContain(rows(5));
    expect(asked()).toBe(1);
  });
});
