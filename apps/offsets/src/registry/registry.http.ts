import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Breaker } from './breaker.js';
import type { RegistryConfig } from './registry.config.js';
import { type AttemptedOrder, Registry, type RegistryAnswer } from './registry.js';
import { RegistryConnection } from './registry-connection.js';
import { answerTo, isAbsent, orderBody, type RawAnswer, showsLife } from './registry-contract.js';

/** A retirement with as many lines as an offset may have. */
const LARGEST_ORDER_BYTES = 1_000_000;
const NEVER = new AbortController().signal;

/** An external registry, asked by HTTP as docs/registry.md says. */
@Injectable()
export class HttpRegistry extends Registry implements OnApplicationShutdown {
  readonly isAtHand = false;
  readonly breaker: Breaker;
  /** How many calls ended how, since the start. */
  readonly tally: Record<RegistryAnswer['outcome'], number> = { retired: 0, refused: 0, unknown: 0 };
  private readonly connection: RegistryConnection;

  constructor(
    url: string,
    private readonly config: RegistryConfig,
  ) {
    super();
    this.connection = new RegistryConnection({
      url,
      token: config.REGISTRY_TOKEN,
      connections: config.REGISTRY_CONCURRENCY,
      connectMs: config.REGISTRY_CONNECT_TIMEOUT_MS,
      timeoutMs: config.REGISTRY_TIMEOUT_MS,
      answerBytes: config.REGISTRY_ANSWER_BYTES,
    });
    this.breaker = new Breaker({
      failures: config.REGISTRY_BREAKER_FAILURES,
      firstMs: config.REGISTRY_BREAKER_MIN_MS,
      lastMs: config.REGISTRY_BREAKER_MAX_MS,
    });
  }

  check(): void {
    if (this.breaker.state !== 'closed') throw new Error('it said nothing certain several times in a row');
  }

  room(underWay: number): number {
    return this.breaker.room(this.config.REGISTRY_CONCURRENCY, underWay);
  }

  async retire(
    orders: readonly AttemptedOrder[],
    signal: AbortSignal = NEVER,
  ): Promise<ReadonlyMap<string, RegistryAnswer>> {
    const answers = orders.map(async (order) => [order.offset, await this.ask(order, signal)] as const);
    return new Map(await Promise.all(answers));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection.close();
  }

  private async ask(order: AttemptedOrder, signal: AbortSignal): Promise<RegistryAnswer> {
    const answer = await this.outcome(order, signal);
    this.tally[answer.outcome] += 1;
    return answer;
  }

  private async outcome(order: AttemptedOrder, signal: AbortSignal): Promise<RegistryAnswer> {
    try {
      const known = order.isRecovered || (order.attempt ?? 1) > 1 ? await this.lookUp(order, signal) : 'absent';
      return known === 'absent' ? await this.order(order, signal) : known;
    } catch (error) {
      if (!signal.aborted) this.breaker.failedOnce();
      return { outcome: 'unknown', reason: reasonOf(error) };
    }
  }

  /** What an earlier attempt may have done. Asked first, for registries forget keys sooner than retirements. */
  private async lookUp(order: AttemptedOrder, signal: AbortSignal): Promise<RegistryAnswer | 'absent'> {
    const askedBytes = order.isRecovered ? LARGEST_ORDER_BYTES : Buffer.byteLength(orderBody(order));
    const path = `/retirements/${order.offset}`;
    const raw = await this.connection.call({ method: 'GET', path, askedBytes, signal });
    return isAbsent(raw) ? 'absent' : this.judged(order, raw);
  }

  private async order(order: AttemptedOrder, signal: AbortSignal): Promise<RegistryAnswer> {
    const body = orderBody(order);
    const raw = await this.connection.call({
      method: 'POST',
      path: '/retirements',
      headers: { 'content-type': 'application/json', 'idempotency-key': order.offset },
      body,
      askedBytes: Buffer.byteLength(body),
      signal,
    });
    return this.judged(order, raw);
  }

  /** A wait that the registry asks for is honoured within our bounds: it cannot send us away for ever. */
  private judged(order: AttemptedOrder, raw: RawAnswer): RegistryAnswer {
    const answer = answerTo(order, raw);
    if (answer.outcome !== 'unknown') {
      this.breaker.succeeded();
      return answer;
    }
    if (showsLife(raw)) return answer;
    const waitMs = Math.min(answer.waitMs ?? 0, this.config.REGISTRY_RETRY_MAX_MS);
    this.breaker.failedOnce(waitMs);
    return { ...answer, waitMs };
  }
}

/** Holds nothing of the registry's own words. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  return 'code' in error && typeof error.code === 'string' ? `no answer (${error.code})` : error.message;
}
