import type { MigrationInterface, QueryRunner } from 'typeorm';

const MOVES = `('queued', 'processing'), ('queued', 'failed'), ('processing', 'completed'), ('processing', 'failed')`;

/**
 * Lets two moves be written as one, `queued → processing → completed`, as long as both are dated: where the registry is built
 * in, credits are reserved and retired in one transaction, and nobody could see the row in between. Every other move is
 * refused as before, and processes of the version before make none that this refuses.
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
