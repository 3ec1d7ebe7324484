import { LOCK_LEASED_SQL } from '../fulfillment/lease.js';
import { TestDatabase } from '../testing/database.js';
import { FINGERPRINT_SQL, FINGERPRINTS_SQL } from './fingerprint-reader.js';
import { OFFSET_SQL, OFFSETS_SQL } from './offset-reader.js';
import { RECEIPT_SQL } from './receipt-reader.js';

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

let test: TestDatabase;
beforeAll(async () => {
  test = await TestDatabase.create();
});
afterAll(() => test.close());

describe('a read by id', () => {
  const plan = (sql: string, parameters: string, mode: string) =>
    test.database.transaction(async (query) => {
      await query(`SET LOCAL plan_cache_mode = ${mode}`);
      await query(`PREPARE read AS ${sql}`);
      const [row] = await query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        `EXPLAIN (FORMAT JSON) EXECUTE read(${parameters})`,
      );
      await query('DEALLOCATE read');
      return row?.['QUERY PLAN'][0].Plan as Node;
    });

  it.each([
    ['an offset', OFFSET_SQL, `'a', 'b'`],
    ['many offsets', OFFSETS_SQL, `ARRAY['a'], ARRAY['b']`],
    ['a receipt', RECEIPT_SQL, `'a', 'b'`],
    ['a fingerprint', FINGERPRINT_SQL, `'a', 'b'`],
    ['many fingerprints', FINGERPRINTS_SQL, `ARRAY['a'], ARRAY['b']`],
    ['leased offsets', LOCK_LEASED_SQL, `ARRAY['a'], ARRAY[gen_random_uuid()]`],
  ])('of %s uses the primary key even while the statistics are those of an empty table', async (_, sql, parameters) => {
    for (const mode of ['force_generic_plan', 'force_custom_plan']) {
      const nodes = nodesOf(await plan(sql, parameters, mode));
      const scans = nodes.filter((node) => node['Relation Name'] === 'offsets');
      const lookup = { 'Node Type': 'Index Scan', 'Index Name': 'offsets_pkey', 'Index Cond': expect.any(String) };
      expect(scans).toEqual([expect.objectContaining(lookup)]);
      for (const { 'Node Type': type } of nodes) expect(type).not.toMatch(/Seq Scan/);
    }
  });
});
