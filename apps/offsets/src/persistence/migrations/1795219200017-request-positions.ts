import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How far `offset.requested` was consumed, by cluster, topic and partition, so that requests that a restored database lacks are read
 * again. Also the topic from which the supply was read, so that another one of the same name is detected; null until the next read.
 */
export class RequestPositions1795219200017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE request_positions (
        cluster_id text COLLATE "C" NOT NULL,
        topic_id uuid NOT NULL,
        partition integer NOT NULL,
        position bigint NOT NULL,
        CONSTRAINT request_positions_pkey PRIMARY KEY (cluster_id, topic_id, partition),
        CONSTRAINT request_positions_not_negative CHECK (position >= 0)
      ) WITH (fillfactor = 50)
    `);
    await runner.query('ALTER TABLE supply_reading ADD cluster_id text COLLATE "C", ADD topic_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE supply_reading DROP COLUMN cluster_id, DROP COLUMN topic_id');
    await runner.query('DROP TABLE request_positions');
  }
}
