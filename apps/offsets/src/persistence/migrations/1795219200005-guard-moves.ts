import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When offsets came to be `processing` (unknown of those that did before), and a guard that refuses every move between
 * states that does not exist, whoever makes it. The guard looks once a row is written: a trigger before that would lock
 * each row once more, and this one, with its condition, does nothing at all for a move that is allowed.
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
