import { Agent, type Dispatcher, request } from 'undici';

/** An answer of `/v1`, or a broken connection: then the request may have been processed, or not. */
export type Answer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: unknown;
      readonly headers: Dispatcher.ResponseData['headers'];
    }
  | { readonly kind: 'broken'; readonly reason: string };

/** Longer than any POST may take (5.5 s), so a longer wait is an error of the service. */
const TIMEOUT_MS = 8_000;

/** The part of a client that a load uses. */
export type LoadClient = Pick<Client, 'createOffset' | 'get'>;

/** An HTTP client with keep-alive; it never retries by itself. */
export class Client {
  private readonly agent: Agent;

  constructor(
    private readonly baseUrl: string,
    connections: number,
    /** Headers of every request, such as a key. */
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {
    this.agent = new Agent({ connections, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, pipelining: 1 });
  }

  /** POSTs one offset under an idempotency key. */
  async createOffset(body: object, idempotencyKey?: string): Promise<Answer> {
    return this.post('/v1/offsets', body, idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey });
  }

  /** GETs a path with its query. */
  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send(path, { method: 'GET', headers });
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private post(path: string, body: object, more: Readonly<Record<string, string>>): Promise<Answer> {
    const headers = { 'content-type': 'application/json', ...more };
    return this.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  private async send(
    path: string,
    options: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body'>,
  ): Promise<Answer> {
    try {
      const { statusCode, headers, body } = await request(`${this.baseUrl}${path}`, {
        ...options,
        headers: { ...this.headers, ...(options.headers as Readonly<Record<string, string>>) },
        dispatcher: this.agent,
      });
      const text = await body.text();
      return { kind: 'answer', status: statusCode, headers, body: text === '' ? undefined : JSON.parse(text) };
    } catch (error) {
      return { kind: 'broken', reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** Several gateways as one: each request goes to the next, so a retry goes to another gateway. */
export class Gateways implements LoadClient {
  private readonly clients: readonly Client[];
  private next = 0;

  constructor(urls: readonly string[], connections: number) {
    this.clients = urls.map((url) => new Client(url, connections));
  }

  /** POSTs one offset to the next gateway. */
  createOffset(body: object, idempotencyKey?: string): Promise<Answer> {
    return this.nextClient().createOffset(body, idempotencyKey);
  }

  /** GETs a path from the next gateway. */
  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.nextClient().get(path, headers);
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
  }

  private nextClient(): Client {
    this.next = (this.next + 1) % this.clients.length;
    const client = this.clients[this.next];
    if (client === undefined) throw new RangeError('There is no gateway.');
    return client;
  }
}

/** Returns the id in the message of a 202; undefined when the message is not as documented. */
export function acceptedId(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  const match = /^Offset event with ID: (off_[0-9a-z]{26}) queued for processing\.$/.exec(String(body.message));
  return match?.[1];
}
