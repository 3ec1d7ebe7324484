import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexes, withoutLimits } from './build-indexes.js';

/** Two more than the retention is divided into (outbox-pruner.ts): one in use and one free. */
const SLOTS = 8;

const COLUMNS = `
  event_id text COLLATE "C" NOT NULL,
  offset_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  payload json NOT NULL,
  traceparent text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  published_at timestamptz(3),
  lease_token uuid,
  lease_until timestamptz,
  CONSTRAINT outbox_lease CHECK (
    (lease_token IS NULL) = (lease_until IS NULL) AND (lease_token IS NULL OR published_at IS NULL)
  )`;

/**
 * Makes the outbox a ring of slots, so that events published long ago are removed a slot at a time, by TRUNCATE,
 * instead of row by row. The old table becomes the first slot: its new key is built concurrently, nothing is copied,
 * and the table is locked only while it is attached. Processes of the previous version continue to work, because the
 * slot of a new row has a default.
 */
export class OutboxSlots1795219200013 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const made: unknown[] = await runner.query(`SELECT WHERE to_regclass('outbox_slots') IS NOT NULL`);
    if (made.length > 0) return;
    await runner.query('ALTER TABLE outbox ADD COLUMN IF NOT EXISTS slot smallint NOT NULL DEFAULT 0');
    await runner.query('ALTER TABLE outbox DROP CONSTRAINT IF EXISTS outbox_0_slot');
    await runner.query('ALTER TABLE outbox ADD CONSTRAINT outbox_0_slot CHECK (slot = 0) NOT VALID');
    // A validated constraint saves the later ATTACH from scanning every row.
    await withoutLimits(runner, () => runner.query('ALTER TABLE outbox VALIDATE CONSTRAINT outbox_0_slot'));
    await buildIndexes(runner, 'outbox', { outbox_0_pkey: { unique: true, key: '(event_id, slot)' } });
    await runner.startTransaction();
    try {
      for (const statement of exchange()) await runner.query(statement);
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE outbox_before (${COLUMNS}) WITH (fillfactor = 60)`);
    await runner.query(`INSERT INTO outbox_before
      SELECT event_id, offset_id, type, payload, traceparent, created_at, published_at, lease_token, lease_until FROM outbox`);
    await runner.query('DROP TABLE outbox');
    await runner.query('DROP FUNCTION current_outbox_slot, empty_outbox_slot');
    await runner.query('DROP TABLE outbox_slots');
    await runner.query('ALTER TABLE outbox_before RENAME TO outbox');
    await runner.query('ALTER TABLE outbox ADD CONSTRAINT outbox_pkey PRIMARY KEY (event_id)');
    await runner.query('CREATE INDEX outbox_unsent ON outbox (created_at, event_id) WHERE published_at IS NULL');
    await runner.query('CREATE INDEX outbox_by_age ON outbox USING brin (created_at)');
  }
}

function exchange(): string[] {
  const others = Array.from({ length: SLOTS - 1 }, (_, n) => n + 1);
  return [
    'ALTER TABLE outbox RENAME TO outbox_0',
    'ALTER TABLE outbox_0 DROP CONSTRAINT outbox_pkey',
    'ALTER TABLE outbox_0 ADD CONSTRAINT outbox_0_pkey PRIMARY KEY USING INDEX outbox_0_pkey',
    'ALTER INDEX outbox_unsent RENAME TO outbox_0_unsent',
    'DROP INDEX outbox_by_age',
    ...ring(),
    `CREATE TABLE outbox (${COLUMNS}, slot smallint NOT NULL DEFAULT current_outbox_slot(),
       CONSTRAINT outbox_pkey PRIMARY KEY (event_id, slot)) PARTITION BY LIST (slot)`,
    'CREATE INDEX outbox_unsent ON outbox (created_at, event_id) WHERE published_at IS NULL',
    'ALTER TABLE outbox ATTACH PARTITION outbox_0 FOR VALUES IN (0)',
    'ALTER TABLE outbox_0 DROP CONSTRAINT outbox_0_slot',
    ...others.map((n) => `CREATE TABLE outbox_${n} PARTITION OF outbox FOR VALUES IN (${n}) WITH (fillfactor = 60)`),
    GRANTS,
    EMPTY_SLOT,
  ];
}

/** The current slot was opened last. A free slot has no times. In a closed slot, everything is published since `drained_at`. */
function ring(): string[] {
  return [
    `CREATE TABLE outbox_slots (
       slot smallint NOT NULL,
       opened_at timestamptz,
       drained_at timestamptz,
       CONSTRAINT outbox_slots_pkey PRIMARY KEY (slot),
       CONSTRAINT outbox_slots_times CHECK (drained_at IS NULL OR opened_at IS NOT NULL)
     )`,
    `INSERT INTO outbox_slots (slot, opened_at)
     SELECT n, CASE n WHEN 0 THEN now() - interval '1 s' WHEN 1 THEN now() END FROM generate_series(0, ${SLOTS - 1}) AS n`,
    `CREATE FUNCTION current_outbox_slot() RETURNS smallint STABLE LANGUAGE sql
     RETURN (SELECT slot FROM outbox_slots WHERE opened_at IS NOT NULL ORDER BY opened_at DESC LIMIT 1)`,
  ];
}

/** Copies the privileges of the old outbox to the new one. */
const GRANTS = `DO $$
  DECLARE given record;
  BEGIN
    FOR given IN
      SELECT coalesce(quote_ident(rolname), 'PUBLIC') AS role, string_agg(privilege_type, ', ') AS privileges
      FROM pg_class, aclexplode(relacl) AS acl LEFT JOIN pg_roles ON pg_roles.oid = grantee
      WHERE pg_class.oid = 'outbox_0'::regclass AND grantee <> relowner GROUP BY 1
    LOOP
      EXECUTE format('GRANT %s ON outbox, outbox_slots TO %s', given.privileges, given.role);
    END LOOP;
  END $$`;

/**
 * The service may not TRUNCATE, so this function does it for every role that may delete the rows: one slot, and only
 * when nothing in it is unsent. It needs an exclusive lock on the slot and waits for it only briefly, because other
 * sessions wait behind it; false: not now.
 */
const EMPTY_SLOT = `DO $do$
  BEGIN
    EXECUTE format($create$
      CREATE FUNCTION empty_outbox_slot(asked smallint) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = %I, pg_temp SET lock_timeout = '100ms' AS $$
      BEGIN
        IF NOT has_table_privilege(session_user, 'outbox', 'DELETE') THEN
          RAISE EXCEPTION 'permission denied to delete from the outbox' USING ERRCODE = 'insufficient_privilege';
        END IF;
        BEGIN
          EXECUTE format('LOCK TABLE outbox_%%s IN ACCESS EXCLUSIVE MODE', asked);
        EXCEPTION WHEN lock_not_available THEN
          RETURN false;
        END;
        IF EXISTS (SELECT FROM outbox WHERE slot = asked AND published_at IS NULL) THEN
          RETURN false;
        END IF;
        EXECUTE format('TRUNCATE outbox_%%s', asked);
        UPDATE outbox_slots SET opened_at = NULL, drained_at = NULL WHERE slot = asked;
        RETURN true;
      END $$
    $create$, current_schema());
  END $do$`;
