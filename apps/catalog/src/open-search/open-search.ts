import { setTimeout as sleep } from 'node:timers/promises';
import type { Metrics } from '@carbon/observability';
import { Client, type ClientOptions } from '@opensearch-project/opensearch';
import { z } from 'zod';
import { openSearchMetrics } from '../catalog.metrics.js';
import { openSearchAdvice } from './open-search-connection.js';
import { faultOf, Outage, Refusal } from './refusal.js';

const OPERATIONS: Readonly<Record<string, string>> = { _search: 'search', _msearch: 'figures', _bulk: 'bulk' };

/** Counts the questions to OpenSearch and what becomes of them. */
export class OpenSearchMetrics {
  private readonly instruments;

  constructor(metrics: Metrics) {
    this.instruments = metrics.of(openSearchMetrics);
  }

  /** @param begun by the process's own clock; milliseconds */
  answered(path: string, begun: number): void {
    this.observe(operationOf(path), 'answered', begun);
  }

  /** @param abandoned whether nobody waited for the answer any more */
  failed(path: string, begun: number, error: unknown, abandoned: boolean): void {
    const operation = operationOf(path);
    if (error instanceof Refusal) this.instruments.refusals.inc({ operation, type: error.type });
    const outcome = error instanceof Refusal ? 'refused' : abandoned ? 'abandoned' : 'outage';
    this.observe(operation, outcome, begun);
  }

  private observe(operation: string, outcome: string, begun: number): void {
    this.instruments.duration.observe({ operation, outcome }, (performance.now() - begun) / 1_000);
  }
}

function operationOf(path: string): string {
  return OPERATIONS[path.slice(path.lastIndexOf('/') + 1)] ?? 'other';
}

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
    private readonly metrics?: OpenSearchMetrics,
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
      this.metrics?.answered(ask.path, begun);
      return body;
    } catch (error) {
      this.metrics?.failed(ask.path, begun, error, ask.signal?.aborted === true);
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

const DEADLINE_MS = 5_000;
const AGAIN_MS = 500;

/**
 * Resolves when OpenSearch answers: a command may be started together with it. A wrong setting is not waited for.
 * @throws the last error once the time is over, or at once one that says which setting is wrong
 */
export async function reachOpenSearch(
  openSearch: OpenSearch,
  withinMs: number,
  onWait: (sentence: string) => void,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let failures = 1; ; failures += 1) {
    try {
      await openSearch.ask({ method: 'GET', path: '/' }, z.object({}), DEADLINE_MS);
      return;
    } catch (error) {
      if (!isOutage(error) || openSearchAdvice(error) !== undefined || performance.now() >= deadline) throw error;
      if (failures === 1) onWait(`OpenSearch does not answer yet; waiting up to ${withinMs / 1_000} s for it.`);
      await sleep(AGAIN_MS);
    }
  }
}
