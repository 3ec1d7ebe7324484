import { Logger } from '@nestjs/common';
import { gauge } from './metric-definition.js';
import { Metrics } from './metrics.js';

beforeAll(() => Logger.overrideLogger(false));

const table = { waiting: gauge('carbon_test_waiting_rows', 'Rows that wait.', { table: 'The table.' }) };

/** Metrics with one figure that is asked for; what is asked is counted. */
function metricsAsking(answer: () => Promise<number>, { deadlineMs = 1_000, keptMs = 60_000 } = {}) {
  const metrics = new Metrics('test');
  const { waiting } = metrics.of(table);
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return [waiting.reading(await answer(), { table: 'outbox' })];
  };
  const end = metrics.gather({ source: 'tables', ask, deadlineMs, keptMs });
  const lines = async () => (await metrics.text()).split('\n').filter((line) => /^carbon_test_(w|f)/.test(line));
  return { metrics, lines, end, asked: () => asked };
}

const UP = 'carbon_test_figures_up{source="tables"} 1';
const DOWN = 'carbon_test_figures_up{source="tables"} 0';

describe('figures that are asked for', () => {
  it('are shown, and asked for once however many look and however often within their time', async () => {
    const { lines, asked } = metricsAsking(async () => 7);
    const looks = await Promise.all([lines(), lines(), lines()]);
    for (const look of [...looks, await lines()]) {
      expect([...look].sort()).toEqual([UP, 'carbon_test_waiting_rows{table="outbox"} 7']);
    }
    expect(asked()).toBe(1);
  });

  it('are asked for anew after their time', async () => {
    let rows = 1;
    const { lines } = metricsAsking(async () => rows, { keptMs: -1 });
    await lines();
    rows = 2;
    expect(await lines()).toContain('carbon_test_waiting_rows{table="outbox"} 2');
  });

  it('are absent when they cannot be had, and there again afterwards', async () => {
    let answer: () => Promise<number> = async () => 1;
    const { lines } = metricsAsking(() => answer(), { keptMs: -1 });
    expect(await lines()).toHaveLength(2);
    answer = () => Promise.reject(new Error('away'));
    expect(await lines()).toEqual([DOWN]);
    answer = async () => 3;
    expect(await lines()).toContain('carbon_test_waiting_rows{table="outbox"} 3');
  });

  it('are absent when they come too late, are not asked for again meanwhile, and are shown once they are there', async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const { lines, asked } = metricsAsking(() => promise, { deadlineMs: 20 });
    expect([await lines(), await lines()]).toEqual([[DOWN], [DOWN]]);
    resolve(5);
    expect(await lines()).toContain('carbon_test_waiting_rows{table="outbox"} 5');
    expect(asked()).toBe(1);
  });

  it('leave nothing behind when they are no longer asked for', async () => {
    const { lines, end } = metricsAsking(async () => 7);
    await lines();
    end();
    expect(await lines()).toEqual([]);
  });
});
