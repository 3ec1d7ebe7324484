import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The events of decided outcomes that are still to be published. A row is updated twice and then only read, so two
 * fifths of each page are left free.
 */
export class CreateOutbox1795219200004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        event_id text COLLATE "C" NOT NULL,
        offset_id text COLLATE "C" NOT NULL,
        type text NOT NULL,
        payload json NOT NULL,
        traceparent text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        published_at timestamptz(3),
        lease_token uuid,
        lease_until timestamptz,
        CONSTRAINT outbox_pkey PRIMARY KEY (event_id),
        CONSTRAINT outbox_lease CHECK (
          (lease_token IS NULL) = (lease_until IS NULL) AND (lease_token IS NULL OR published_at IS NULL)
        )
      ) WITH (fillfactor = 60)
    `);
    await runner.query('CREATE INDEX outbox_unsent ON outbox (created_at, event_id) WHERE published_at IS NULL');
    await runner.query('CREATE INDEX outbox_by_age ON outbox USING brin (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outbox');
  }
}
