import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Quoted prices for offsets. A row never changes, except that `kept` is set once it is old and an offset names it. */
export class CreateEstimates1795219200006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE estimates (
        id text COLLATE "C" NOT NULL,
        account text COLLATE "C" NOT NULL,
        kg_co2e double precision NOT NULL,
        grams bigint NOT NULL,
        asset_id text COLLATE "C",
        lines json NOT NULL,
        line_count integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        kept boolean NOT NULL DEFAULT false,
        CONSTRAINT estimates_pkey PRIMARY KEY (id),
        CONSTRAINT estimates_grams CHECK (grams > 0),
        CONSTRAINT estimates_held CHECK (expires_at > created_at)
      )
    `);
    await runner.query('CREATE INDEX estimates_by_expiry ON estimates (expires_at, id) WHERE NOT kept');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE estimates');
  }
}
