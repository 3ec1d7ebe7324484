import { Agent, type Dispatcher, request } from 'undici';

/** What a client of `/v1` got, or that its connection broke: then nobody can say whether the request was honoured. */
export type Answer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: unknown;
      readonly headers: Dispatcher.ResponseData['headers'];
    }
  | { readonly kind: 'broken'; readonly reason: string };

/** Longer than any POST may take (5.5 s), so a longer wait is a fault of the service. */
const TIMEOUT_MS = 8_000;

/** What a load needs of a client. */
export type Door = Pick<Client, 'createOffset' | 'get'>;

/** A plain HTTP client with keep-alive, as most callers have; it retries nothing by itself. */
export class Client {
  private readonly agent: Agent;

  constructor(
    private readonly baseUrl: string,
    connections: number,
    /** What every request shows, such as a key. */
    private readonly shows: Readonly<Record<string, string>> = {},
  ) {
    this.agent = new Agent({ connections, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, pipelining: 1 });
  }

  /** POSTs one offset under an idempotency key. */
  async createOffset(body: object, idempotencyKey?: string): Promise<Answer> {
    return this.post('/v1/offsets', body, idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey });
  }

  /** POSTs an estimate. */
  async createEstimate(body: object): Promise<Answer> {
    return this.post('/v1/estimates', body);
  }

  /** GETs a path with its query. */
  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send(path, { method: 'GET', headers });
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private post(path: string, body: object, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
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
        headers: { ...this.shows, ...(options.headers as Readonly<Record<string, string>>) },
        dispatcher: this.agent,
      });
      const text = await body.text();
      return { kind: 'answer', status: statusCode, headers, body: text === '' ? undefined : JSON.parse(text) };
    } catch (error) {
      return { kind: 'broken', reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** The id inside the message of a 202, or undefined when the message is not as the interface says. */
export function acceptedId(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined;
  const match = /^Offset event with ID: (off_[0-9a-z]{26}) queued for processing\.$/.exec(String(body.message));
  return match?.[1];
}
