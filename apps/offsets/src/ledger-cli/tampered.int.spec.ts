import { type ChainHead, chain, chainStart } from '../domain/ledger-chain.js';
import { TestLedger } from './test-ledger.js';

interface EntryRow {
  readonly offset_id: string;
  readonly grams: string;
  readonly price_micros: string;
  readonly at: Date;
  readonly sequence: string;
}

describe('a ledger that somebody has meddled with', () => {
  let ledger: TestLedger;
  beforeEach(async () => {
    ledger = await TestLedger.create();
  });
  afterEach(() => ledger.test.close());

  it.each([
    [
      'a gram',
      `UPDATE ledger SET grams = grams + 1 WHERE asset_id = 'pool_a' AND sequence = 1`,
      ['pool_a: entry 1 does not follow from the one before it'],
    ],
    [
      'the price',
      `UPDATE ledger SET price_micros = 7 WHERE asset_id = 'pool_b' AND sequence = 2`,
      ['pool_b: entry 2 does not follow from the one before it'],
    ],
    [
      'the time',
      `UPDATE ledger SET at = at + interval '1 ms' WHERE asset_id = 'pool_b' AND sequence = 2`,
      ['pool_b: entry 2 does not follow'],
    ],
    [
      'a hash',
      `UPDATE ledger SET hash = decode(repeat('00', 32), 'hex') WHERE asset_id = 'pool_b' AND sequence = 1`,
      ['pool_b: entry 1 does not follow', 'pool_b: entry 2 does not follow'],
    ],
    [
      'the order of two entries',
      `UPDATE ledger SET sequence = sequence + 2 WHERE asset_id = 'pool_b'; UPDATE ledger SET sequence = 5 - sequence WHERE asset_id = 'pool_b'`,
      ['pool_b: entry 1 does not follow', 'pool_b: entry 2 does not follow'],
    ],
    [
      'the weights of two offsets, one for the other,',
      `UPDATE ledger SET grams = 1500000 - grams WHERE asset_id = 'pool_b'`,
      ['pool_b: entry 1 does not follow', 'pool_b: entry 2 does not follow'],
    ],
    [
      'an entry taken out',
      `DELETE FROM ledger WHERE asset_id = 'pool_b' AND sequence = 1`,
      ['pool_b: entry 2 stands where 1 should'],
    ],
  ])('verifies no chain in which %s was altered', async (_, sql, findings) => {
    await ledger.tamper(sql);
    const { faults } = await ledger.verify();
    expect(faults).toEqual(findings.map((finding) => expect.stringContaining(finding)));
  });

  it('finds an entry of nobody', async () => {
    await ledger.tamper(
      `INSERT INTO ledger SELECT asset_id, sequence + 1, 'off_ghost', 1, 1, now(), hash FROM ledger
       WHERE asset_id = 'pool_b' ORDER BY sequence DESC LIMIT 1`,
    );
    expect((await ledger.audit()).faults).toContain('off_ghost: unknown with  g, its ledger says 1 g');
  });

  it('finds by the audit what was taken from the end of a chain, which is whole without it', async () => {
    await ledger.tamper(
      `DELETE FROM ledger WHERE asset_id = 'pool_b' AND sequence = (SELECT max(sequence) FROM ledger WHERE asset_id = 'pool_b')`,
    );
    expect((await ledger.verify()).faults).toEqual([]);
    const { faults } = await ledger.audit();
    expect(faults.join('\n')).toMatch(/pool_b: 1500000 g are retired, its ledger says \d+ g/);
    expect(faults.join('\n')).toMatch(/off_\w+: completed with \d+ g, its ledger says \d+ g/);
    expect(faults.join('\n')).toMatch(/announced as entry 2 of pool_b with the hash \w+, the ledger has none for it/);
  });

  it('finds by the audit a chain that was made anew around a change, hash by hash', async () => {
    const rows = await ledger.test.rows<EntryRow>(`SELECT * FROM ledger WHERE asset_id = 'pool_b' ORDER BY sequence`);
    let head: ChainHead = chainStart('pool_b');
    for (const { offset_id: offset, grams, price_micros, at, sequence } of rows) {
      const forged = chain(head, {
        asset: 'pool_b',
        offset,
        grams: BigInt(grams),
        priceMicros: BigInt(price_micros),
        at: new Date(at.getTime() + 1).toISOString(),
      });
      head = forged;
      await ledger.tamper(
        `UPDATE ledger SET at = '${forged.at}', hash = decode('${forged.hash.toString('hex')}', 'hex')
         WHERE asset_id = 'pool_b' AND sequence = ${sequence}`,
      );
    }
    expect((await ledger.verify()).faults).toEqual([]);
    const { faults } = await ledger.audit();
    expect(faults.map((fault) => /announced as entry (\d) of pool_b/.exec(fault)?.[1]).sort()).toEqual(['1', '2']);
  });
});
