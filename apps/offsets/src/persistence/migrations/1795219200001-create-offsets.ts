import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Offsets, one row each, from the moment their request is received. */
export class CreateOffsets1795219200001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE offsets (
        id text COLLATE "C" NOT NULL,
        account text COLLATE "C" NOT NULL,
        status text NOT NULL,
        kg_co2e double precision NOT NULL,
        grams bigint NOT NULL,
        fingerprint text NOT NULL,
        estimate_id text,
        customer_ref text,
        traceparent text,
        cost_micros numeric(40, 0),
        failure_code text,
        failure_detail text,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        completed_at timestamptz(3),
        failed_at timestamptz(3),
        announced_at timestamptz(3),
        lease_token uuid,
        lease_until timestamptz,
        CONSTRAINT offsets_pkey PRIMARY KEY (id),
        CONSTRAINT offsets_status CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
        CONSTRAINT offsets_grams CHECK (grams >= 0 AND (grams > 0 OR status = 'failed')),
        CONSTRAINT offsets_cost CHECK ((cost_micros IS NOT NULL) = (status IN ('processing', 'completed'))),
        CONSTRAINT offsets_completed CHECK ((completed_at IS NOT NULL) = (status = 'completed')),
        CONSTRAINT offsets_failed CHECK (
          (failed_at IS NOT NULL) = (status = 'failed')
          AND (failure_code IS NOT NULL) = (status = 'failed')
          AND (failure_detail IS NOT NULL) = (status = 'failed')
        ),
        CONSTRAINT offsets_announced CHECK (announced_at IS NULL OR status IN ('completed', 'failed')),
        CONSTRAINT offsets_lease CHECK (
          (lease_token IS NULL) = (lease_until IS NULL) AND (lease_token IS NULL OR status = 'processing')
        )
      ) WITH (fillfactor = 80)
    `);
    await runner.query('CREATE INDEX offsets_by_account ON offsets (account, created_at, id)');
    await runner.query(
      `CREATE INDEX offsets_due ON offsets (status, created_at, id) WHERE status IN ('queued', 'processing')`,
    );
    await runner.query(`
      CREATE UNIQUE INDEX offsets_estimate_once ON offsets (estimate_id)
      WHERE estimate_id IS NOT NULL AND status IN ('processing', 'completed')
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE offsets');
  }
}
