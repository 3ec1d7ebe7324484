import { Client, type ClientOptions } from '@opensearch-project/opensearch';
import type { z } from 'zod';
import type { OpenSearchNumbers } from './open-search-numbers.js';
import { faultOf, Outage } from './refusal.js';

/** One question to OpenSearch. */
export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'HEAD' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: object;
  /** Lines of JSON, for `_bulk`; instead of `body`. */
  readonly lines?: string;
  /** Says that nobody waits for the answer any more: OpenSearch then gives a search up. */
  readonly signal?: AbortSignal;
}

/**
 * The only way to OpenSearch. Every question has a deadline for the whole of it, connecting included, and is asked once:
 * whoever asks knows whether it may be asked again. Every answer is checked by a schema.
 */
export class OpenSearch {
  private readonly client: Client;

  /** @param connection the address of the engine, or the client's options that say where and how it is reached */
  constructor(
    connection: string | ClientOptions,
    private readonly numbers?: OpenSearchNumbers,
  ) {
    const where = typeof connection === 'string' ? { node: connection } : connection;
    this.client = new Client({ ...where, maxRetries: 0, sniffOnStart: false, sniffOnConnectionFault: false });
  }

  /**
   * @throws Outage when it cannot answer now, or not in `deadlineMs`, or nobody waits for it any more
   * @throws Refusal when it has answered that it will not
   */
  async ask<T>(ask: Ask, answer: z.ZodType<T>, deadlineMs: number): Promise<T> {
    return answer.parse(await this.counted(ask, deadlineMs));
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private async counted(ask: Ask, deadlineMs: number): Promise<unknown> {
    const begun = performance.now();
    try {
      const body = await this.send(ask, deadlineMs);
      this.numbers?.answered(ask.path, begun);
      return body;
    } catch (error) {
      this.numbers?.failed(ask.path, begun, error, ask.signal?.aborted === true);
      throw error;
    }
  }

  private async send({ method, path, query, body, lines, signal }: Ask, deadlineMs: number): Promise<unknown> {
    if (signal?.aborted) throw new Outage(false, signal.reason);
    const request = this.client.transport.request(
      { method, path, querystring: { ...query }, ...(body && { body }), ...(lines && { bulkBody: lines }) },
      { requestTimeout: deadlineMs, maxRetries: 0 },
    );
    // The client's own time-out starts anew with every byte that comes. Nothing is returned: of a listener that gives back
    // something like a promise, node would make its rejection an uncaught error.
    const giveUp = () => void request.abort();
    const timer = setTimeout(giveUp, deadlineMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      const response = await request;
      return response.body;
    } catch (error) {
      throw faultOf(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  }
}

/** Whether an error says that OpenSearch is away or overloaded for the moment. */
export function isOutage(error: unknown): error is Outage {
  return error instanceof Outage;
}
