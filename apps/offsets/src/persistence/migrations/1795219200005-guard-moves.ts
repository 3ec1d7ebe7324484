import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The time at which an offset became `processing` (null for offsets that did so earlier), and a trigger that refuses
 * every status change that does not exist. It runs after a row is written: a BEFORE trigger would lock each row once
 * more, and this one, with its condition, does nothing for an allowed change.
 */
export class GuardMoves1795219200005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE offsets ADD COLUMN processing_at timestamptz(3)');
    await runner.query(`
      CREATE FUNCTION refuse_offset_move() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'offset % cannot move from % to %', OLD.id, OLD.status, NEW.status
          USING ERRCODE = 'restrict_violation', CONSTRAINT = 'offsets_moves', TABLE = 'offsets';
      END $$
    `);
    await runner.query(`
      CREATE TRIGGER offsets_moves AFTER UPDATE OF status ON offsets FOR EACH ROW
      WHEN ((OLD.status, NEW.status) NOT IN (
        ('queued', 'processing'), ('queued', 'failed'), ('processing', 'completed'), ('processing', 'failed')
      ))
      EXECUTE FUNCTION refuse_offset_move()
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER offsets_moves ON offsets');
    await runner.query('DROP FUNCTION refuse_offset_move');
    await runner.query('ALTER TABLE offsets DROP COLUMN processing_at');
  }
}
