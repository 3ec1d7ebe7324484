import { SortedRuns } from './sorted-runs.js';

async function sortedBy(runBytes: number, rows: readonly (readonly [string, string])[]): Promise<string[]> {
  await using runs = new SortedRuns(runBytes);
  for (const [id, json] of rows) await runs.put(id, json);
  const sorted: string[] = [];
  for await (const json of runs.sorted()) sorted.push(json.toString());
  return sorted;
}

describe.each([
  ['in memory', 1_000_000],
  ['on disk', 20],
])('assets sorted %s', (_, runBytes) => {
  it('come out by id, the last of each, without those withdrawn', async () => {
    const rows = [
      ['proj_c', '{"n":1}'],
      ['proj_a', '{"n":2}'],
      ['proj_b', '{"n":3}'],
      ['proj_c', '{"n":4}'],
      ['proj_b', ''],
      ['proj_d', ''],
      ['proj_a', ''],
      ['proj_a', '{"n":5, "name":"ö\\t"}'],
    ] as const;
    expect(await sortedBy(runBytes, rows)).toEqual(['{"n":5, "name":"ö\\t"}', '{"n":4}']);
  });

  it('are all there when there are many', async () => {
    const rows = Array.from({ length: 500 }, (_, n) => [`proj_${(n * 7) % 500}`, `{"n":${(n * 7) % 500}}`] as const);
    const byId = rows.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, json]) => json);
    expect(await sortedBy(runBytes, rows)).toEqual(byId);
  });
});
