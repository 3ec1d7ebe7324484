import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Line {
  readonly asset: string;
  readonly grams: string;
  readonly priceMicros: string;
}

/** A retirement that the registry has applied. */
export interface Applied {
  readonly offset: string;
  readonly lines: readonly Line[];
  readonly reference: string;
}

/** One call, and what the registry may do with it. */
export interface Exchange {
  readonly method: string;
  readonly offset: string;
  readonly key: string | undefined;
  readonly headers: IncomingMessage['headers'];
  /** The time of arrival, ms. */
  readonly at: number;
  readonly response: ServerResponse;
  /** Applies the order, once per key however often it is repeated, and does not answer. */
  apply(): Applied | undefined;
  /** Applies the order and confirms it. */
  confirmOrder(): void;
}

/** How the registry treats a call. */
export type Behaviour = (exchange: Exchange) => void;

/** Behaves like a correct registry. */
export const confirmOrder: Behaviour = (exchange) => exchange.confirmOrder();

/** A real HTTP server in the place of an external registry, with its own append-only ledger. */
export class TestRegistry {
  /** All retirements. */
  readonly ledger: Applied[] = [];
  /** All calls, oldest first. */
  readonly calls: Exchange[] = [];
  /** How each call is treated. */
  behaviour: Behaviour = confirmOrder;
  private server: Server | undefined;
  private port = 0;

  static async start(): Promise<TestRegistry> {
    const registry = new TestRegistry();
    await registry.start();
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** Starts it, each time at the same address. */
  async start(): Promise<void> {
    const server = createServer((request, response) => void this.take(request, response));
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** Stops it, whatever is in progress. The ledger is kept. */
  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => (this.server ? this.server.close(resolve) : resolve(undefined)));
  }

  /** Returns the calls about one offset. */
  callsAbout(offset: string): Exchange[] {
    return this.calls.filter((call) => call.offset === offset);
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now();
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    response.on('error', () => {});
    const exchange = this.exchange(request, body, response, at);
    this.calls.push(exchange);
    this.behaviour(exchange);
  }

  private exchange(request: IncomingMessage, text: string, response: ServerResponse, at: number): Exchange {
    const method = request.method ?? '';
    const order = method === 'POST' ? (JSON.parse(text) as { offset: string; lines: Line[] }) : undefined;
    const offset = order?.offset ?? decodeURIComponent(/^\/v1\/retirements\/(.+)$/.exec(request.url ?? '')?.[1] ?? '');
    const key = request.headers['idempotency-key'];
    const apply = () => (order === undefined ? this.find(offset) : this.apply(String(key), order.lines));
    const confirmOrder = () => {
      const isNew = this.find(offset) === undefined;
      const applied = apply();
      if (applied === undefined) answerJson(404, { code: 'not_found' })({ response });
      else answerJson(isNew ? 201 : 200, applied)({ response });
    };
    return {
      method,
      offset,
      at,
      key: key as string | undefined,
      headers: request.headers,
      response,
      apply,
      confirmOrder,
    };
  }

  private find(offset: string): Applied | undefined {
    return this.ledger.find((applied) => applied.offset === offset);
  }

  private apply(key: string, lines: readonly Line[]): Applied {
    const before = this.find(key);
    if (before !== undefined) return before;
    const applied = { offset: key, lines, reference: `R-${this.ledger.length + 1}` };
    this.ledger.push(applied);
    return applied;
  }
}

/** Answers with this status and this JSON. */
export function answerJson(status: number, body: unknown, headers: Record<string, string> = {}) {
  return ({ response }: Pick<Exchange, 'response'>): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Answers with these bytes. */
export function answerBytes(status: number, type: string, body: string | Buffer, headers: Record<string, string> = {}) {
  return ({ response }: Pick<Exchange, 'response'>): void => {
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
  };
}

/** Refuses this offset. */
export function refuse(status: number, code = 'asset_frozen'): Behaviour {
  return (exchange) => answerJson(status, { offset: exchange.offset, code })(exchange);
}

/** Applies the order, and then misbehaves instead of confirming it. */
export function applyThen(then: Behaviour): Behaviour {
  return (exchange) => {
    exchange.apply();
    then(exchange);
  };
}

/** Applies the behaviours in turn, by calls about the same offset; repeats the last. */
export function inSequence(...behaviours: Behaviour[]): Behaviour {
  const turns = new Map<string, number>();
  return (exchange) => {
    const turn = turns.get(exchange.offset) ?? 0;
    turns.set(exchange.offset, turn + 1);
    (behaviours[turn] ?? behaviours.at(-1) ?? confirmOrder)(exchange);
  };
}
