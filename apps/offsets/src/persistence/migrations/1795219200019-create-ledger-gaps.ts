import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ranges of a chain that a recovery found missing: committed, never published, and undone by a restore. Append-only like the ledger,
 * so that a sequence is used only once.
 */
export class CreateLedgerGaps1795219200019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ledger_gaps (
        asset_id text COLLATE "C" NOT NULL,
        first_sequence bigint NOT NULL,
        last_sequence bigint NOT NULL,
        last_hash bytea NOT NULL,
        recovered_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT ledger_gaps_pkey PRIMARY KEY (asset_id, last_sequence),
        CONSTRAINT ledger_gaps_range CHECK (first_sequence > 0 AND last_sequence >= first_sequence),
        CONSTRAINT ledger_gaps_hash CHECK (octet_length(last_hash) = 32)
      )
    `);
    await runner.query(`
      CREATE TRIGGER ledger_gaps_append_only BEFORE UPDATE OR DELETE ON ledger_gaps
      FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change()
    `);
    await runner.query(`
      CREATE TRIGGER ledger_gaps_never_emptied BEFORE TRUNCATE ON ledger_gaps
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ledger_gaps');
  }
}
