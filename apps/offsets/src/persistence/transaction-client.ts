import { DecisiveClient } from './decisive-client.js';

type AnyQuery = (...parameters: unknown[]) => unknown;

/**
 * The class of clients whose every transaction begins with these statements, in the round trip that begins it. A statement
 * by itself becomes a transaction of its own. What comes with a callback (`pool.query`) goes without the settings.
 * @param settings `SET LOCAL …`, separated by semicolons
 */
export function transactionClient(settings: string): typeof DecisiveClient {
  return class TransactionClient extends DecisiveClient {
    private readonly direct = this.query as AnyQuery;
    private isInTransaction = false;

    override query = ((...parameters: unknown[]) => {
      const [text] = parameters;
      if (typeof text !== 'string' || typeof parameters.at(-1) === 'function') return this.direct(...parameters);
      if (text === 'START TRANSACTION') return this.begin();
      if (!this.isInTransaction) return this.alone(parameters);
      if (text === 'COMMIT' || text === 'ROLLBACK') this.isInTransaction = false;
      return this.direct(...parameters);
    }) as DecisiveClient['query'];

    private begin(): unknown {
      this.isInTransaction = true;
      return this.direct(`START TRANSACTION; ${settings}`);
    }

    private async alone(parameters: unknown[]): Promise<unknown> {
      await this.begin();
      try {
        const answer = await this.direct(...parameters);
        await this.direct('COMMIT');
        return answer;
      } catch (error) {
        // The error of the statement is the one to tell; a connection that is gone has rolled back by itself.
        await Promise.resolve(this.direct('ROLLBACK')).catch(() => {});
        throw error;
      } finally {
        this.isInTransaction = false;
      }
    }
  };
}
