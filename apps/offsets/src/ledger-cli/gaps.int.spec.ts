import { chain, type LedgerEntry } from '../domain/ledger-chain.js';
import { summary } from './audit.js';
import { inSnapshot } from './snapshot.js';
import { TestLedger } from './test-ledger.js';

const LOST = { asset: 'pool_b', grams: 1_000n, priceMicros: 1n, at: '2026-11-21T08:00:00.000Z' };
const MARK = `INSERT INTO ledger_gaps (asset_id, first_sequence, last_sequence, last_hash) VALUES ($1, $2, $3, $4)`;

describe('a ledger in which a restore has left a gap', () => {
  let ledger: TestLedger;
  let lost: readonly LedgerEntry[];

  beforeEach(async () => {
    ledger = await TestLedger.create();
    const [row] = await ledger.test.rows<{ hash: Buffer }>(
      `SELECT hash FROM ledger WHERE asset_id = 'pool_b' AND sequence = 2`,
    );
    const third = chain({ sequence: 2n, hash: row?.hash ?? Buffer.alloc(32) }, { ...LOST, offset: 'off_lost_1' });
    lost = [third, chain(third, { ...LOST, offset: 'off_lost_2' })];
  });
  afterEach(() => ledger.test.close());

  const mark = (first = 3, last = 4, hash = lost[1]?.hash) =>
    ledger.test.sql.query(MARK, ['pool_b', first, last, hash]);
  /** Completes what is left in `processing`, and one more. */
  const retire = async () => {
    const { test } = ledger;
    await test.ask(700);
    const claim = await test.reserveCredits.run();
    await test.retireOffsets.run(claim ?? { token: '', orders: [] });
  };
  const sequences = async () => {
    const rows = await ledger.test.rows<{ sequence: string }>(
      `SELECT sequence FROM ledger WHERE asset_id = 'pool_b' ORDER BY 1`,
    );
    return rows.map(({ sequence }) => Number(sequence));
  };

  it('is continued behind the gap, and no sequence in it is used again', async () => {
    await mark();
    await retire();
    expect(await sequences()).toEqual([1, 2, 5]);
    expect((await ledger.verify()).faults).toEqual([]);
    await retire();
    expect(await sequences()).toEqual([1, 2, 5, 6]);
    expect((await ledger.verify()).faults).toEqual([]);
  });

  it('is warned of by the audit, which counts the gap and still holds', async () => {
    await mark();
    await retire();
    const { faults, warnings } = await ledger.audit();
    expect(faults).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^pool_b: entries 3 to 4 are missing since the recovery of 20/)]);
    expect(await inSnapshot(ledger.test.url, summary)).toContain(' ledger entries, 1 gaps, ');
  });

  it.each([
    ['the last hash', `UPDATE ledger_gaps SET last_hash = decode(repeat('00', 32), 'hex')`, 'entry 5 does not follow'],
    ['the mark taken out', 'DELETE FROM ledger_gaps', 'entry 5 stands where 3 should'],
    ['its beginning', 'UPDATE ledger_gaps SET first_sequence = 2', 'a gap begins at 2 where 3 should'],
    ['its end', 'UPDATE ledger_gaps SET last_sequence = 3', 'entry 5 stands where 3 should'],
    [
      'an entry taken out before it',
      `DELETE FROM ledger WHERE asset_id = 'pool_b' AND sequence = 2`,
      'a gap begins at 3 where 2 should',
    ],
    [
      'a gram of the entry behind it',
      `UPDATE ledger SET grams = grams + 1 WHERE asset_id = 'pool_b' AND sequence = 5`,
      'entry 5 does not follow',
    ],
  ])('does not verify with %s altered', async (_, sql, finding) => {
    await mark();
    await retire();
    await ledger.tamper(
      `ALTER TABLE ledger_gaps DISABLE TRIGGER ALL; ${sql}; ALTER TABLE ledger_gaps ENABLE TRIGGER ALL`,
    );
    expect((await ledger.verify()).faults).toEqual([expect.stringContaining(`pool_b: ${finding}`)]);
  });

  it('does not verify with a gap marked over entries that are there', async () => {
    await mark();
    await retire();
    await mark(1, 1, lost[0]?.hash);
    expect((await ledger.verify()).faults).toEqual([
      expect.stringContaining('pool_b: a gap begins at 1 where 2 should'),
    ]);
  });
});
