import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

const line = z.object({ asset: z.string(), grams: z.string(), priceMicros: z.string() });
const order = z.object({ offset: z.string(), lines: z.array(line) });

/** A retirement under a key: the lines of one offset. */
export type Retired = z.output<typeof order>;

/** One call about an offset. */
export interface RegistryCall {
  readonly offset: string;
  /** The time of arrival, ms of `performance.now()`. */
  readonly at: number;
}

/**
 * A correct but slow external registry: it retires at once, and answers after a delay. Its ledger is a second record of
 * the retirements, and its calls show which process had claimed which offset when.
 */
export class WitnessRegistry {
  /** The retirements by offset; each is written once. */
  readonly ledger = new Map<string, Retired>();
  readonly calls: RegistryCall[] = [];
  /** Errors: an offset that is ordered again with another key or other lines, or a call that is not an order. */
  readonly violations: string[] = [];
  /** By offset: the lines and the key of the first order. */
  private readonly orders = new Map<string, string>();
  private readonly open = new Set<RegistryCall>();
  private going = Promise.resolve();
  private go = () => {};
  private server: Server | undefined;

  constructor(private readonly answerAfterMs: number) {}

  /** Starts to listen; returns the address for REGISTRY_URL. */
  async start(): Promise<string> {
    const server = createServer((request, response) => void this.take(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.server = server;
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => (this.server ? this.server.close(resolve) : resolve(undefined)));
  }

  /** Answers no call until `release`. */
  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    [this.going, this.go] = [promise, resolve];
  }

  /** Answers again, including the calls that have waited. */
  release(): void {
    this.go();
  }

  /** The offsets whose calls are waiting for an answer. */
  get waiting(): ReadonlySet<string> {
    return new Set([...this.open].map(({ offset }) => offset));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The caller may have been killed during the call.
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const key = String(request.headers['idempotency-key']);
    const found = request.method === 'POST' ? this.retire(body, key) : this.find(request.url ?? '');
    if (found === undefined) return;
    const call = { offset: found.offset, at: performance.now() };
    this.calls.push(call);
    this.open.add(call);
    response.on('error', () => {});
    response.on('close', () => this.open.delete(call));
    await pause(this.answerAfterMs);
    await this.going;
    const { retired } = found;
    response.writeHead(retired === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(retired ?? { code: 'not_found' }));
  }

  /** A registry identifies an order by its key alone: the same offset under another key is retired once more. */
  private retire(body: string, key: string): { offset: string; retired: Retired } {
    const requested = order.parse(JSON.parse(body));
    const now = `${linesOf(requested)} under ${key}`;
    const before = this.orders.get(requested.offset) ?? now;
    if (now !== before) this.violations.push(`${requested.offset}: ${now}, after ${before}`);
    this.orders.set(requested.offset, before);
    const retired = this.ledger.get(requested.offset) ?? requested;
    this.ledger.set(requested.offset, retired);
    return { offset: requested.offset, retired };
  }

  private find(path: string): { offset: string; retired: Retired | undefined } | undefined {
    const offset = /^\/retirements\/(off_[0-9a-z]{26})$/.exec(path)?.[1];
    if (offset === undefined) this.violations.push(`GET ${path}`);
    return offset === undefined ? undefined : { offset, retired: this.ledger.get(offset) };
  }
}

function linesOf({ lines }: Retired): string {
  return JSON.stringify([...lines].sort((a, b) => (a.asset < b.asset ? -1 : 1)));
}
