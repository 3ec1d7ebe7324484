import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Distinguishes an older database from the one that processes verified: the epoch, which each recovery increments, and one past the
 * highest position at which Kafka confirmed an outcome. The staging tables hold published outcomes while a recovery applies them.
 */
export class DatabaseState1795219200016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE database_state (
        single boolean NOT NULL DEFAULT true,
        epoch bigint NOT NULL DEFAULT 1,
        recovering boolean NOT NULL DEFAULT false,
        recovering_since timestamptz,
        recovery_token uuid,
        recovery_until timestamptz,
        recovered_at timestamptz,
        server text,
        server_since timestamptz,
        CONSTRAINT database_state_pkey PRIMARY KEY (single),
        CONSTRAINT database_state_single CHECK (single),
        CONSTRAINT database_state_recovery CHECK (
          recovering = (recovering_since IS NOT NULL) AND (recovery_token IS NULL) = (recovery_until IS NULL)
        )
      ) WITH (fillfactor = 50)
    `);
    await runner.query('INSERT INTO database_state DEFAULT VALUES');
    await runner.query(`
      CREATE TABLE outcome_positions (
        topic_id text COLLATE "C" NOT NULL,
        partition integer NOT NULL,
        position bigint NOT NULL,
        CONSTRAINT outcome_positions_pkey PRIMARY KEY (topic_id, partition)
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      CREATE TABLE recovered_outcomes (
        event_id text COLLATE "C" NOT NULL,
        offset_id text COLLATE "C" NOT NULL,
        type text NOT NULL,
        payload json NOT NULL,
        grams bigint NOT NULL,
        fingerprint text NOT NULL,
        traceparent text,
        decided_at timestamptz(3) NOT NULL,
        published_at timestamptz(3) NOT NULL,
        CONSTRAINT recovered_outcomes_pkey PRIMARY KEY (event_id)
      )
    `);
    await runner.query(`
      CREATE TABLE recovered_lines (
        asset_id text COLLATE "C" NOT NULL,
        sequence bigint NOT NULL,
        offset_id text COLLATE "C" NOT NULL,
        grams bigint NOT NULL,
        price_micros bigint NOT NULL,
        at timestamptz(3) NOT NULL,
        hash bytea NOT NULL,
        previous_hash bytea,
        registry_reference text,
        CONSTRAINT recovered_lines_pkey PRIMARY KEY (asset_id, sequence, offset_id)
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE recovered_lines, recovered_outcomes, outcome_positions, database_state');
  }
}
