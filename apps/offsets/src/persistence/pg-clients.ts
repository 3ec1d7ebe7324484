import { Client, type ClientConfig, type QueryConfig } from 'pg';

type AnyQuery = (...parameters: unknown[]) => unknown;

/**
 * Closes the connection after a `query_timeout`, before the error is thrown. Otherwise pg may return the connection to the pool, and the
 * next query would wait behind the statement, or fail (https://node-postgres.com/apis/client).
 */
export class QueryTimeoutClient extends Client {
  private readonly timeoutMs: number;
  /** Statements that the server has not responded to. */
  private running = 0;

  constructor(config?: ClientConfig) {
    super(config);
    this.timeoutMs = config?.query_timeout ?? 0;
    // Without a listener, a connection that breaks during a statement would end the process. The statement rejects anyway.
    this.on('error', () => {});
  }

  override query: Client['query'] = (...parameters: unknown[]) => {
    const result = Reflect.apply(Client.prototype.query, this, this.withTimeout(parameters));
    if (!(result instanceof Promise)) return result;
    this.running += 1;
    return result.catch((error: unknown) => this.fail(error)).finally(() => (this.running -= 1));
  };

  /** pg counts from when it sends the statement, and the server may spend the timeout on each of those before it. */
  private withTimeout(parameters: unknown[]): unknown[] {
    const [text, values] = parameters;
    if (this.running === 0 || typeof parameters.at(-1) === 'function') return parameters;
    const query = typeof text === 'string' ? { text, values } : (text as QueryConfig);
    return [{ ...query, query_timeout: (this.running + 1) * this.timeoutMs }];
  }

  /** While a statement is running, `end` closes the socket without a Terminate message. */
  private async fail(error: unknown): Promise<never> {
    if (error instanceof Error && (error.message === 'Query read timeout' || isOutdatedPlan(error))) await this.end();
    throw error;
  }
}

/** After a migration, a prepared statement may return other types than before, and fails until its session ends (0A000). */
function isOutdatedPlan(error: Error): boolean {
  return 'routine' in error && error.routine === 'RevalidateCachedQuery';
}

function isNamed(query: unknown): query is QueryConfig {
  return typeof query === 'object' && query !== null && 'name' in query;
}

/**
 * Returns a client class for PgBouncer in transaction mode, whose transactions begin with `settings` in the same round trip. A single
 * statement becomes a transaction and loses its name, because the next transaction may use another session. Queries with a callback
 * (`pool.query`) go without the settings.
 * @param settings `SET LOCAL …`, separated by semicolons
 */
export function transactionClient(settings: string): typeof QueryTimeoutClient {
  return class TransactionClient extends QueryTimeoutClient {
    private readonly direct = this.query as AnyQuery;
    private isInTransaction = false;

    override query = ((...given: unknown[]) => {
      const parameters = isNamed(given[0]) ? [given[0].text, given[0].values] : given;
      const [text] = parameters;
      if (typeof text !== 'string' || typeof parameters.at(-1) === 'function') return this.direct(...parameters);
      if (text === 'START TRANSACTION') return this.begin();
      if (!this.isInTransaction) return this.inTransaction(parameters);
      if (text === 'COMMIT' || text === 'ROLLBACK') this.isInTransaction = false;
      return this.direct(...parameters);
    }) as QueryTimeoutClient['query'];

    private begin(): unknown {
      this.isInTransaction = true;
      return this.direct(`START TRANSACTION; ${settings}`);
    }

    private async inTransaction(parameters: unknown[]): Promise<unknown> {
      await this.begin();
      try {
        const result = await this.direct(...parameters);
        await this.direct('COMMIT');
        return result;
      } catch (error) {
        // Throws the statement's error; a closed connection has rolled back by itself.
        await Promise.resolve(this.direct('ROLLBACK')).catch(() => {});
        throw error;
      } finally {
        this.isInTransaction = false;
      }
    }
  };
}
