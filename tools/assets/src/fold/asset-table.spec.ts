import { AssetTable } from './asset-table.js';

describe('the table of a file’s assets', () => {
  it('tells on which line an id stood before', () => {
    const table = new AssetTable();
    expect(table.add('pool_a', 1, '{}')).toBeUndefined();
    expect(table.add('pool_b', 2, '{}')).toBeUndefined();
    expect(table.add('pool_a', 3, '{"name":"other"}')).toBe(1);
    expect(table.size).toBe(2);
  });

  it('knows what the topic holds by the last message of a key', () => {
    const table = new AssetTable();
    table.add('pool_a', 1, '{"n":2}');
    const after = (value: string | null) => {
      table.fold('pool_a', value === null ? null : Buffer.from(value));
      return table.isUnchanged('pool_a');
    };
    expect(['{"n":1}', '{"n":2}', '{"n":3}', '{"n":2}', null].map(after)).toEqual([false, true, false, true, false]);
  });

  it('leaves out what the topic holds besides', () => {
    const table = new AssetTable();
    table.fold('pool_z', Buffer.from('{}'));
    expect(table.size).toBe(0);
    expect(table.isUnchanged('pool_z')).toBe(false);
  });

  it('keeps every one of 200,000 assets, in at most 64 bytes each', () => {
    const table = new AssetTable();
    for (let line = 1; line <= 200_000; line += 1) table.add(`proj_${line}`, line, `{"n":${line}}`);
    expect(table.bytes / table.size).toBeLessThanOrEqual(64);
    for (let line = 1; line <= 200_000; line += 1) {
      if (table.add(`proj_${line}`, 0, '{}') !== line) throw new Error(`line ${line} is lost`);
    }
  });
});
