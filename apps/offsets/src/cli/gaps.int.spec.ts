import { chain, type LedgerEntry } from '../domain/ledger-chain.js';
import { TestDatabase } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { auditOf, verifyOf } from '../testing/ledger.js';
import { coverage, coverageText } from './audit.js';
import { inSnapshot } from './snapshot.js';

describe('a ledger in which a restore has left a gap', () => {
  const LOST = { asset: 'pool_b', grams: 1_000n, priceMicros: 1n, at: '2026-11-21T08:00:00.000Z' };
  let test: TestDatabase;
  let lost: readonly LedgerEntry[];
  beforeEach(async () => {
    test = await TestDatabase.create();
    await test.recordAssets([pool('b')]);
    await test.queue(1_500, 1_500);
    await test.completeQueued();
    const [row] = await test.rows<{ hash: Buffer }>('SELECT hash FROM ledger WHERE sequence = 2');
    const third = chain({ sequence: 2n, hash: row?.hash ?? Buffer.alloc(32) }, { ...LOST, offset: 'off_lost_1' });
    lost = [third, chain(third, { ...LOST, offset: 'off_lost_2' })];
    await mark(3, 4, lost[1]?.hash);
    await retire();
  });
  afterEach(() => test.close());

  const mark = (first: number, last: number, hash?: Buffer) =>
    test.sql.query(
      'INSERT INTO ledger_gaps (asset_id, first_sequence, last_sequence, last_hash) VALUES ($1, $2, $3, $4)',
      ['pool_b', first, last, hash],
    );
  const retire = async () => {
    await test.queue(700);
    await test.completeQueued();
  };
  const sequences = async () =>
    (await test.rows<{ sequence: string }>('SELECT sequence FROM ledger ORDER BY 1')).map((row) =>
      Number(row.sequence),
    );
  const verifyViolations = async () => (await verifyOf(test.url)).violations;

  it('is continued behind the gap, and no sequence in it is used again', async () => {
    expect(await sequences()).toEqual([1, 2, 5]);
    expect(await verifyViolations()).toEqual([]);
    await retire();
    expect(await sequences()).toEqual([1, 2, 5, 6]);
    expect(await verifyViolations()).toEqual([]);
  });

  it('is reported as a warning by the audit, which counts the gap and still succeeds', async () => {
    const { violations, warnings } = await auditOf(test.url);
    expect(violations).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^pool_b: entries 3 to 4 are missing since the recovery of 20/)]);
    expect(coverageText(await inSnapshot(test.url, coverage))).toContain(' ledger entries, 1 gaps, ');
  });

  it.each([
    [`UPDATE ledger_gaps SET last_hash = decode(repeat('00', 32), 'hex')`, 'entry 5 does not follow'],
    ['DELETE FROM ledger_gaps', 'found entry 5, expected entry 3'],
    ['UPDATE ledger_gaps SET first_sequence = 2', 'a gap begins at 2, expected 3'],
    ['UPDATE ledger_gaps SET last_sequence = 3', 'found entry 5, expected entry 3'],
    ['DELETE FROM ledger WHERE sequence = 2', 'a gap begins at 3, expected 2'],
    ['UPDATE ledger SET grams = grams + 1 WHERE sequence = 5', 'entry 5 does not follow'],
  ])('does not verify after %s', async (sql, finding) => {
    const triggers = (state: string) =>
      ['ledger', 'ledger_gaps'].map((table) => `ALTER TABLE ${table} ${state} TRIGGER ALL;`).join(' ');
    await test.sql.query(`${triggers('DISABLE')} ${sql}; ${triggers('ENABLE')}`);
    expect(await verifyViolations()).toEqual([expect.stringContaining(`pool_b: ${finding}`)]);
  });

  it('does not verify with a gap marked over existing entries', async () => {
    await mark(1, 1, lost[0]?.hash);
    expect(await verifyViolations()).toEqual([expect.stringContaining('pool_b: a gap begins at 1, expected 2')]);
  });
});
