import { eventually } from '@carbon/testing';
import { audit } from '../ledger-cli/audit.js';
import { inSnapshot } from '../ledger-cli/snapshot.js';
import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';

describe('supply that is less than was thought', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await TestDatabase.create();
  });
  afterEach(() => test.close());

  const supply = async () => (await test.rows('SELECT issued, reserved, retired FROM supply'))[0];
  const faults = async () => (await inSnapshot(test.url, audit)).faults;
  const drain = async () => {
    for (let claim = await test.reserveCredits.run(); claim; claim = await test.reserveCredits.run()) {
      await test.retireOffsets.run(claim);
    }
  };

  it('gives nothing more while it is below what is retired and reserved, and keeps what was given', async () => {
    await test.bring([pool('a', { issued: 10 })]);
    await test.ask(3_000);
    await drain();
    const [held = ''] = await test.ask(4_000);
    const claim = await test.reserveCredits.run();
    await test.bring([pool('a', { issued: 2 })]);
    const [short = ''] = await test.ask(0.001);
    await drain();
    expect(await test.outcome(short)).toBe('insufficient_supply');
    expect(await supply()).toEqual({ issued: '7000000', reserved: '4000000', retired: '3000000' });
    if (claim) await test.retireOffsets.run(claim);
    expect(await test.outcome(held)).toBe('completed');
    expect(await supply()).toEqual({ issued: '7000000', reserved: '0', retired: '7000000' });
    expect(await inSnapshot(test.url, audit)).toMatchObject({ faults: [], warnings: [expect.any(String)] });
  });

  it('gives again as soon as it is raised above that, and only the difference', async () => {
    await test.bring([pool('a', { issued: 10 })]);
    await test.ask(7_000);
    await drain();
    await test.bring([pool('a', { issued: 2 })]);
    await test.bring([pool('a', { issued: 7.000001 })]);
    const [much = '', gram = ''] = await test.ask(0.002, 0.001);
    await drain();
    expect([await test.outcome(much), await test.outcome(gram)]).toEqual(['insufficient_supply', 'completed']);
    expect(await faults()).toEqual([]);
  });

  it('completes what is reserved of an asset that is withdrawn in the meantime, and gives nothing more of it', async () => {
    await test.bring([pool('a', { issued: 10 })]);
    const [held = ''] = await test.ask(4_000);
    const claim = await test.reserveCredits.run();
    await test.bring([{ id: 'pool_a', withdrawn: true }]);
    const [late = ''] = await test.ask(1);
    await drain();
    if (claim) await test.retireOffsets.run(claim);
    expect([await test.outcome(held), await test.outcome(late)]).toEqual(['completed', 'insufficient_supply']);
    expect(await faults()).toEqual([]);
  });

  it('is decided upon as it is once it is locked: a withdrawal that comes first counts', async () => {
    await test.bring([pool('a', { issued: 10 }), pool('b', { issued: 10, price: 20 })]);
    const [id = ''] = await test.ask(1_000);
    const withdrawing = await test.sql.connect();
    await withdrawing.query('BEGIN');
    await withdrawing.query(`UPDATE supply SET active = false WHERE asset_id = 'pool_a'`);
    const deciding = test.reserveCredits.run();
    await eventually(async () => expect(await test.blocked()).toBe(1), { every: 5 });
    await withdrawing.query('COMMIT');
    withdrawing.release();
    await deciding;
    expect(await test.rows('SELECT asset_id FROM reservations WHERE offset_id = $1', [id])).toEqual([
      { asset_id: 'pool_b' },
    ]);
  });

  it('is looked at again for what came out short when more was published meanwhile, and nothing else waits for that', async () => {
    await test.bring([pool('a', { issued: 10 }), pool('b', { issued: 10, price: 20 })]);
    await test.sql.query(`UPDATE supply SET active = false WHERE asset_id = 'pool_b'`);
    const [large = '', small = ''] = await test.ask(15_000, 1_000);
    const publishing = await test.sql.connect();
    await publishing.query('BEGIN');
    await publishing.query('UPDATE supply SET active = true');
    const deciding = test.reserveCredits.run();
    await eventually(async () => expect(await test.blocked()).toBe(1), { every: 5 });
    await publishing.query('COMMIT');
    publishing.release();
    await deciding;
    expect([await test.outcome(large), await test.outcome(small)]).toEqual(['queued', 'processing']);
    await test.reserveCredits.run();
    expect(await test.outcome(large)).toBe('processing');
  });

  it('takes nothing from anywhere for an offset that it cannot serve whole', async () => {
    await test.bring([pool('a', { issued: 1 }), pool('b', { issued: 2 }), pool('c', { issued: 3 })]);
    const [id = ''] = await test.ask(6_000.001);
    await drain();
    expect(await test.outcome(id)).toBe('insufficient_supply');
    const taken = await test.rows('SELECT sum(reserved + retired)::integer AS taken FROM supply');
    expect([taken, await test.rows('SELECT * FROM reservations')]).toEqual([[{ taken: 0 }], []]);
    expect(await test.rows('SELECT type FROM outbox')).toEqual([{ type: 'offset.failed.v1' }]);
  });
});
