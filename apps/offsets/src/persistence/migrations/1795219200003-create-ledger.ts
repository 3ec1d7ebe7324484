import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The retirement ledger: append-only, with one hash chain per asset. */
export class CreateLedger1795219200003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ledger (
        asset_id text COLLATE "C" NOT NULL,
        sequence bigint NOT NULL,
        offset_id text COLLATE "C" NOT NULL,
        grams bigint NOT NULL,
        price_micros bigint NOT NULL,
        at timestamptz(3) NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT ledger_pkey PRIMARY KEY (asset_id, sequence),
        CONSTRAINT ledger_once UNIQUE (offset_id, asset_id),
        CONSTRAINT ledger_amounts CHECK (sequence > 0 AND grams > 0 AND price_micros >= 0),
        CONSTRAINT ledger_hash CHECK (octet_length(hash) = 32)
      )
    `);
    await runner.query(`
      CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the retirement ledger is append-only: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger
      FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change()
    `);
    await runner.query(`
      CREATE TRIGGER ledger_never_emptied BEFORE TRUNCATE ON ledger
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ledger');
    await runner.query('DROP FUNCTION refuse_ledger_change');
  }
}
