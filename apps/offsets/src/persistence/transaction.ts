import type pg from 'pg';
import { QueryFailedError } from 'typeorm';

/** Runs one statement and returns its rows. */
export type Statement = <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>;

/** How a transaction begins. */
export interface TransactionOptions {
  /**
   * The statements that `work` sends before it first awaits one share the round trip of `START TRANSACTION`. They must only read or
   * lock: if the start failed, each would be committed by itself.
   */
  readonly beginsWithRead?: boolean;
}

/**
 * Runs `work` in a transaction of a session. Once it has ended, a part of it that still runs can send no statement: it would be
 * committed by itself. The session returns to its pool, or is closed if it may still be in the transaction.
 */
export async function inTransaction<T>(
  session: pg.PoolClient,
  configOf: (sql: string, parameters: readonly unknown[]) => pg.QueryConfig,
  work: (statement: Statement) => Promise<T>,
  { beginsWithRead = false }: TransactionOptions = {},
): Promise<T> {
  let isOver = false;
  let mayBeOpen = true;
  const send = async (query: string | pg.QueryConfig, parameters: readonly unknown[] = []) => {
    try {
      return await session.query(query);
    } catch (error) {
      // As TypeORM reports the error of a statement.
      throw new QueryFailedError(typeof query === 'string' ? query : query.text, [...parameters], error as Error);
    }
  };
  const statement = async <Row extends object>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> => {
    if (isOver) throw new Error('The transaction of this statement has ended.');
    const [{ rows }] = await Promise.all([send(configOf(sql, parameters), parameters), begun]);
    return rows as Row[];
  };
  const begun = send('START TRANSACTION');
  // Awaited below, unless `work` fails before.
  begun.catch(() => {});
  try {
    if (!beginsWithRead) await begun;
    const outcome = await work(statement).finally(() => {
      isOver = true;
    });
    await begun;
    const { command } = await send('COMMIT');
    if (command !== 'COMMIT') throw new Error('A statement of the transaction failed, and nothing is committed.');
    mayBeOpen = false;
    return outcome;
  } catch (error) {
    mayBeOpen = await send('ROLLBACK').then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    session.release(mayBeOpen);
  }
}
