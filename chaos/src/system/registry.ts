import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

const line = z.object({ asset: z.string(), grams: z.string(), priceMicros: z.string() });
const order = z.object({ offset: z.string(), lines: z.array(line) });
const ANSWER_AFTER_MS = 20;

/** A registry outside of the system that retires at once and answers a little later. Its ledger is a witness. */
export class Registry {
  /** What was retired, by offset. */
  readonly retired = new Map<string, z.output<typeof order>>();
  /** Offsets that were retired twice, or for which other lines were ordered than had been retired. */
  readonly contradictions = new Set<string>();
  private readonly keys = new Map<string, string>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Registry> {
    const server = createServer();
    const registry = new Registry(server);
    server.on('request', (request, response) => void registry.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  /** For REGISTRY_URL. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    const text = await bodyOf(request);
    if (text === undefined) return;
    const id =
      request.method === 'POST'
        ? this.retire(text, String(request.headers['idempotency-key']))
        : (request.url ?? '').replace('/retirements/', '');
    await pause(ANSWER_AFTER_MS);
    const retired = this.retired.get(id);
    response.writeHead(retired === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(retired ?? { code: 'not_found' }));
  }

  /** A registry knows an order by its key alone: the same offset under another key is retired once more. */
  private retire(text: string, key: string): string {
    const asked = order.parse(JSON.parse(text));
    const before = this.retired.get(asked.offset);
    if (before === undefined) {
      this.retired.set(asked.offset, asked);
      this.keys.set(asked.offset, key);
    } else if (this.keys.get(asked.offset) !== key || linesOf(before) !== linesOf(asked)) {
      this.contradictions.add(asked.offset);
    }
    return asked.offset;
  }
}

/** Undefined when the process that asked has ended while it asked. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString();
}

function linesOf({ lines }: z.output<typeof order>): string {
  return JSON.stringify([...lines].sort((one, other) => (one.asset < other.asset ? -1 : 1)));
}
