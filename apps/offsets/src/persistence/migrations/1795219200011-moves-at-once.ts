import type { MigrationInterface, QueryRunner } from 'typeorm';

const MOVES = `('queued', 'processing'), ('queued', 'failed'), ('processing', 'completed'), ('processing', 'failed')`;

/**
 * Allows two status changes to be written as one, `queued → processing → completed`, if the row has the times of both: with the
 * built-in registry, credits are reserved and retired in one transaction, and no other session could read the row in between. Every
 * other change is refused as before, and processes of the previous version make none that this trigger refuses.
 */
export class MovesAtOnce1795219200011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await guard(
      runner,
      `(OLD.status, NEW.status) NOT IN (${MOVES})
       AND ((OLD.status, NEW.status) <> ('queued', 'completed') OR NEW.processing_at IS NULL)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await guard(runner, `(OLD.status, NEW.status) NOT IN (${MOVES})`);
  }
}

async function guard(runner: QueryRunner, condition: string): Promise<void> {
  await runner.query(`
    CREATE OR REPLACE TRIGGER offsets_moves AFTER UPDATE OF status ON offsets FOR EACH ROW
    WHEN (${condition}) EXECUTE FUNCTION refuse_offset_move()
  `);
}
