import { Client } from 'pg';

/**
 * pg's client, but after a time-out of its own (`query_timeout`) the connection is closed before the error is told. pg
 * only stops waiting: the connection would go back to the pool with the statement still on it, and whoever gets it next
 * would wait as long (https://node-postgres.com/apis/client).
 */
export class DecisiveClient extends Client {
  override query: Client['query'] = (...parameters: unknown[]) => {
    const answer = Reflect.apply(Client.prototype.query, this, parameters);
    return answer instanceof Promise ? answer.catch((error: unknown) => this.giveUp(error)) : answer;
  };

  /** With a statement still on it, `end` does not say goodbye but closes at once. */
  private async giveUp(error: unknown): Promise<never> {
    if (error instanceof Error && error.message === 'Query read timeout') await this.end();
    throw error;
  }
}
