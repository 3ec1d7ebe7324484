import { type Answer, Client, type Door } from './client.js';

/** Several gateways as one: every request goes to the next, so a retry goes to another than the attempt before it. */
export class Gateways implements Door {
  private readonly clients: readonly Client[];
  private turn = 0;

  constructor(urls: readonly string[], connections: number) {
    this.clients = urls.map((url) => new Client(url, connections));
  }

  /** As a client of the next gateway. */
  createOffset(body: object, idempotencyKey?: string): Promise<Answer> {
    return this.next().createOffset(body, idempotencyKey);
  }

  /** As a client of the next gateway. */
  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.next().get(path, headers);
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
  }

  private next(): Client {
    this.turn = (this.turn + 1) % this.clients.length;
    const client = this.clients[this.turn];
    if (client === undefined) throw new Error('There is no gateway.');
    return client;
  }
}
