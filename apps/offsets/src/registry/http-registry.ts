import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CircuitBreaker } from './circuit-breaker.js';
import type { RegistryConfig } from './registry.config.js';
import { Registry, type RegistryAnswer, type RetirementOrder } from './registry.js';
import { RegistryConnection } from './registry-connection.js';
import { answerTo, isAbsent, isFromRunningServer, orderBody, type RawAnswer } from './registry-contract.js';

/** An order with as many lines as an offset may have. */
const MAX_ORDER_BYTES = 1_000_000;
const NEVER = new AbortController().signal;

/** An external registry, called over HTTP as docs/registry.md describes. */
@Injectable()
export class HttpRegistry extends Registry implements OnApplicationShutdown {
  readonly isExternal = true;
  readonly breaker: CircuitBreaker;
  /** Outcomes of attempts since the start. */
  readonly tally: Record<RegistryAnswer['outcome'], number> = { retired: 0, refused: 0, unknown: 0 };
  private readonly connection: RegistryConnection;

  constructor(
    url: string,
    private readonly config: RegistryConfig,
  ) {
    super();
    this.connection = new RegistryConnection(url, config);
    this.breaker = new CircuitBreaker({
      failures: config.REGISTRY_BREAKER_FAILURES,
      initialMs: config.REGISTRY_BREAKER_MIN_MS,
      maxMs: config.REGISTRY_BREAKER_MAX_MS,
    });
  }

  check(): void {
    if (this.breaker.state !== 'closed')
      throw new Error('it gave no definite answer lately: its circuit breaker is open');
  }

  availableCapacity(inProgress: number): number {
    return this.breaker.availableCapacity(this.config.REGISTRY_CONCURRENCY, inProgress);
  }

  async retire(order: RetirementOrder, signal: AbortSignal = NEVER): Promise<RegistryAnswer> {
    const answer = await this.attempt(order, signal);
    this.tally[answer.outcome] += 1;
    return answer;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection.close();
  }

  private async attempt(order: RetirementOrder, signal: AbortSignal): Promise<RegistryAnswer> {
    try {
      const known = order.isRecovered || order.attempt > 1 ? await this.lookUp(order, signal) : 'absent';
      return known === 'absent' ? await this.order(order, signal) : known;
    } catch (error) {
      // An abandoned call must not count against the registry.
      if (!signal.aborted) this.breaker.recordFailure();
      return { outcome: 'unknown', reason: reasonOf(error) };
    }
  }

  /** Checks whether an earlier attempt succeeded. A GET comes first, because registries delete keys sooner than retirements. */
  private async lookUp(order: RetirementOrder, signal: AbortSignal): Promise<RegistryAnswer | 'absent'> {
    const orderBytes = order.isRecovered ? MAX_ORDER_BYTES : Buffer.byteLength(orderBody(order));
    const path = `/retirements/${order.offset}`;
    const raw = await this.connection.call({ method: 'GET', path, orderBytes, signal });
    return isAbsent(raw) ? 'absent' : this.judge(order, raw);
  }

  private async order(order: RetirementOrder, signal: AbortSignal): Promise<RegistryAnswer> {
    const body = orderBody(order);
    const raw = await this.connection.call({
      method: 'POST',
      path: '/retirements',
      headers: { 'content-type': 'application/json', 'idempotency-key': order.offset },
      body,
      orderBytes: Buffer.byteLength(body),
      signal,
    });
    return this.judge(order, raw);
  }

  /** A wait that the registry requests is limited to our maximum, so that it cannot stop us for ever. */
  private judge(order: RetirementOrder, raw: RawAnswer): RegistryAnswer {
    const answer = answerTo(order, raw);
    if (answer.outcome !== 'unknown') {
      this.breaker.recordSuccess();
      return answer;
    }
    if (isFromRunningServer(raw)) return answer;
    const waitMs = Math.min(answer.waitMs ?? 0, this.config.REGISTRY_RETRY_MAX_MS);
    this.breaker.recordFailure(waitMs);
    return { ...answer, waitMs };
  }
}

/** Contains nothing from the registry's response. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  return 'code' in error && typeof error.code === 'string' ? `no answer (${error.code})` : error.message;
}
