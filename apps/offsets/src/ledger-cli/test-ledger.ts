import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { audit, type Findings } from './audit.js';
import { inSnapshot } from './snapshot.js';
import { verify } from './verify.js';

/** A database with offsets in every state, and the commands that check it. */
export class TestLedger {
  private constructor(readonly test: TestDatabase) {}

  /** Two chains, of two entries each. */
  static async create(): Promise<TestLedger> {
    const test = await TestDatabase.create();
    await test.bring([pool('a', { issued: 2, price: 1 }), pool('b')]);
    await test.ask(1_500, 1_500, 500);
    const claim = await test.reserveCredits.run();
    if (claim) await test.retireOffsets.run(claim);
    await test.ask(700, 1e12);
    await test.reserveCredits.run();
    return new TestLedger(test);
  }

  /** What the audit finds. */
  audit(): Promise<Findings> {
    return inSnapshot(this.test.url, audit);
  }

  /** What verifying finds. */
  async verify(): Promise<{ count: number; faults: string[] }> {
    const faults: string[] = [];
    const count = await inSnapshot(this.test.url, (ask) => verify(ask, (fault) => faults.push(fault)));
    return { count, faults };
  }

  /** Changes what the triggers protect, as somebody with the keys to the database could. */
  async tamper(sql: string): Promise<void> {
    await this.test.sql.query(`ALTER TABLE ledger DISABLE TRIGGER ALL; ${sql}; ALTER TABLE ledger ENABLE TRIGGER ALL`);
  }
}
