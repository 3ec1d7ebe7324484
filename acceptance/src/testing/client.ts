import { setTimeout as sleep } from 'node:timers/promises';
import { responseErrors } from './described.js';

/** The response to a request; status 0 if the connection broke or timed out. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string unchanged. */
  readonly body?: unknown;
}

interface Line {
  readonly asset: string;
  readonly credits: number;
  readonly price: number;
}

/** The members of an offset that tests check. */
export interface Offset {
  readonly id: string;
  readonly status: string;
  readonly kgCO2e: number;
  readonly credits: number;
  readonly creditsMatched: number;
  readonly retirements: readonly (Line & { readonly cost: number })[];
  readonly cost?: number;
  readonly customerRef?: string;
  readonly createdAt: string;
  readonly failure?: { readonly code: string };
}

export interface Estimate {
  readonly id: string;
  readonly cost: number;
  readonly allocations: Offset['retirements'];
}

export interface Entry extends Line {
  readonly sequence: number;
  readonly at: string;
  readonly previousHash: string;
  readonly hash: string;
}

const IS_JSON = /^application\/(problem\+)?json/;
const EVERY_MS = 100;
const DEADLINE_MS = 90_000;
/** Longer than any request may take, also on a machine that stalls; a longer wait counts as a broken connection. */
const TIMEOUT_MS = 15_000;

/** A plain HTTP client of a gateway. Responses of described paths are validated against the frozen OpenAPI description. */
export class Client {
  constructor(
    readonly url: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Returns a client that also sends these headers. */
  with(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.url, { ...this.headers, ...headers });
  }

  /** Sends one request, once. */
  async requestOnce(path: string, { method = 'GET', headers = {}, body }: Question = {}): Promise<Answer> {
    const type = body === undefined ? undefined : { 'content-type': 'application/json' };
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sent = {
      method,
      headers: { ...type, ...this.headers, ...headers },
      signal,
      ...(text !== undefined && { body: text }),
    };
    const answer = await fetch(this.url + path, sent)
      .then(async (response) => ({ response, content: await response.text() }))
      .catch(() => undefined);
    if (answer === undefined) return { status: 0, headers: {}, body: undefined };
    const { response, content } = answer;
    const given = response.headers.get('content-type') ?? '';
    const read = IS_JSON.test(given) && content !== '' ? JSON.parse(content) : content;
    const errors = responseErrors(method, path.split('?')[0] ?? '', response.status, given.split(';')[0] ?? '', read);
    if (errors.length > 0) throw new Error(`${method} ${path}: ${response.status} ${content}\n${errors.join('\n')}`);
    return { status: response.status, headers: Object.fromEntries(response.headers), body: read };
  }

  /** Retries a request until the response is not a transient error, as a careful client does. */
  async ask(path: string, question: Question = {}): Promise<Answer> {
    const deadline = Date.now() + DEADLINE_MS;
    for (let { headers = {} } = question; ; await sleep(EVERY_MS)) {
      const answer = await this.requestOnce(path, { ...question, headers });
      if ((answer.status !== 0 && answer.status !== 503) || Date.now() > deadline) return answer;
      const { retryKey } = Object(answer.body) as { retryKey?: string };
      if (retryKey !== undefined) headers = { ...headers, 'idempotency-key': retryKey };
    }
  }

  /** Returns the body of a 200. */
  async get<T>(path: string): Promise<T> {
    const answer = await this.ask(path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  /** Posts a body, by default to create an offset. */
  post(body: unknown, key?: string, path = '/v1/offsets'): Promise<Answer> {
    return this.ask(path, { method: 'POST', body, ...(key !== undefined && { headers: { 'idempotency-key': key } }) });
  }

  /** Posts an offset and returns its id. */
  async accepted(body: unknown, key?: string): Promise<string> {
    return idOf(await this.post(body, key));
  }

  /** Posts an offset and returns its record once it is completed or failed. */
  async settled(body: unknown, key?: string): Promise<Offset> {
    return await this.ended(await this.accepted(body, key));
  }

  /** Returns the record of an offset once it is completed or failed. */
  async ended(id: string): Promise<Offset> {
    return await eventually(async () => {
      const offset = await this.get<Offset>(`/v1/offsets?id=${id}`);
      if (!['completed', 'failed'].includes(offset.status)) throw new Error(`${id} is ${offset.status}`);
      return offset;
    });
  }

  async estimate(kgCO2e: number): Promise<Estimate> {
    return (await this.post({ kgCO2e }, undefined, '/v1/estimates')).body as Estimate;
  }

  async receipt(id: string): Promise<readonly Entry[]> {
    return (await this.get<{ entries: Entry[] }>(`/v1/retirements?offset=${id}`)).entries;
  }

  /** Returns everything on the pages of a list, starting at a path. */
  async walk<T>(path: string): Promise<T[]> {
    const items: T[] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const { body, headers, status } = await this.ask(next);
      if (status !== 200) throw new Error(`${next}: ${status} ${JSON.stringify(body)}`);
      items.push(...(body as T[]));
      next = nextOf(headers);
    }
    return items;
  }
}

/** Returns the path of the next page. */
export function nextOf({ link = '' }: Answer['headers']): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(link)?.[1];
}

/** Returns the id in a 202. */
export function idOf({ status, body }: Answer): string {
  const { message = '' } = Object(body) as { message?: string };
  const [, id] = /^Offset event with ID: (off_[0-9a-z]{26}) queued for processing\.$/.exec(message) ?? [];
  if (status !== 202 || id === undefined) throw new Error(`Not accepted: ${status} ${JSON.stringify(body)}`);
  return id;
}

/**
 * Retries until the attempt neither throws nor rejects, and returns its result; after the timeout throws the last
 * error.
 */
export async function eventually<T>(attempt: () => T | Promise<T>, timeoutMs = DEADLINE_MS): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(EVERY_MS);
    }
  }
}

/** Returns the items of a problem, each as its field and its code, sorted. */
export function itemsOf({ body }: Answer): string[] {
  const { errors = [] } = Object(body) as { errors?: { field: string; code: string }[] };
  return errors.map(({ field, code }) => `${field} ${code}`).sort();
}
