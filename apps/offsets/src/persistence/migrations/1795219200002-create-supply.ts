import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The supply of assets as the asset topic states it, the reserved and retired credits, and how far the topic has been
 * read. No foreign keys: the audit verifies `reserved` and `retired`, and a lookup per row would be the most expensive
 * part of a batch.
 */
export class CreateSupply1795219200002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE supply (
        asset_id text COLLATE "C" NOT NULL,
        type text NOT NULL,
        active boolean NOT NULL,
        price_micros bigint,
        rating double precision,
        ticker text,
        address text,
        published_issued bigint,
        issued bigint NOT NULL,
        reserved bigint NOT NULL DEFAULT 0,
        retired bigint NOT NULL DEFAULT 0,
        version bigint NOT NULL,
        brought_in integer NOT NULL,
        CONSTRAINT supply_pkey PRIMARY KEY (asset_id),
        CONSTRAINT supply_type CHECK (type IN ('POOL', 'PROJECT')),
        CONSTRAINT supply_not_negative CHECK (
          issued >= 0 AND reserved >= 0 AND retired >= 0 AND published_issued >= 0 AND price_micros >= 0
        ),
        CONSTRAINT supply_not_oversold CHECK (issued >= reserved + retired)
      ) WITH (fillfactor = 50)
    `);
    await runner.query(`
      CREATE INDEX supply_by_preference ON supply (price_micros, rating DESC NULLS LAST, asset_id)
      WHERE active AND price_micros IS NOT NULL AND published_issued IS NOT NULL
    `);
    await runner.query(`
      CREATE TABLE reservations (
        offset_id text COLLATE "C" NOT NULL,
        asset_id text COLLATE "C" NOT NULL,
        grams bigint NOT NULL,
        price_micros bigint NOT NULL,
        CONSTRAINT reservations_pkey PRIMARY KEY (offset_id, asset_id),
        CONSTRAINT reservations_amounts CHECK (grams > 0 AND price_micros >= 0)
      )
    `);
    await runner.query(`
      CREATE TABLE supply_positions (
        reading integer NOT NULL,
        partition integer NOT NULL,
        position bigint NOT NULL,
        CONSTRAINT supply_positions_pkey PRIMARY KEY (reading, partition)
      )
    `);
    await runner.query(`
      CREATE TABLE supply_reading (
        single boolean NOT NULL DEFAULT true,
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        number integer NOT NULL DEFAULT 1,
        CONSTRAINT supply_reading_pkey PRIMARY KEY (single),
        CONSTRAINT supply_reading_single CHECK (single)
      )
    `);
    await runner.query('INSERT INTO supply_reading DEFAULT VALUES');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE supply_reading, supply_positions, reservations, supply');
  }
}
