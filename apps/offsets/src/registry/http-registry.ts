import { Readable } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'undici';
import { CircuitBreaker } from './circuit-breaker.js';
import type { RegistryConfig } from './registry.config.js';
import { Registry, type RegistryAnswer, type RetirementOrder } from './registry.js';
import { answerTo, isAbsent, isFromRunningServer, orderBody, type RawAnswer } from './registry-contract.js';

/** An order with as many lines as an offset may have. */
const MAX_ORDER_BYTES = 1_000_000;
const HEAD_BYTES = 16 * 1024;
/** Shorter than nearly every server's own, so that this side closes. */
const KEEP_ALIVE_MS = 4_000;
const NEVER = new AbortController().signal;

/** An external registry, called over HTTP as docs/registry.md describes: bounded in time and size, without redirects and compression. */
@Injectable()
export class HttpRegistry extends Registry implements OnApplicationShutdown {
  readonly isExternal = true;
  readonly breaker: CircuitBreaker;
  /** Outcomes of attempts since the start. */
  readonly tally: Record<RegistryAnswer['outcome'], number> = { retired: 0, refused: 0, unknown: 0 };
  private readonly pool: Pool;
  private readonly base: string;

  /** @param url scheme, host, port and the path before `/retirements` */
  constructor(
    url: string,
    private readonly config: RegistryConfig,
  ) {
    super();
    const { origin, pathname } = new URL(url);
    this.base = pathname.replace(/\/$/, '');
    this.pool = new Pool(origin, {
      connections: config.REGISTRY_CONCURRENCY,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: config.REGISTRY_CONNECT_TIMEOUT_MS },
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      headersTimeout: config.REGISTRY_TIMEOUT_MS,
      bodyTimeout: config.REGISTRY_TIMEOUT_MS,
      maxHeaderSize: HEAD_BYTES,
    });
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
    await this.pool.destroy();
  }

  private async attempt(order: RetirementOrder, signal: AbortSignal): Promise<RegistryAnswer> {
    try {
      // An earlier attempt may have succeeded. A GET comes first, because registries delete keys sooner than retirements.
      const known = order.isRecovered || order.attempt > 1 ? await this.call('GET', order, signal) : undefined;
      const isKnown = known !== undefined && !isAbsent(known);
      return this.judge(order, isKnown ? known : await this.call('POST', order, signal));
    } catch (error) {
      // An abandoned call must not count against the registry.
      if (!signal.aborted) this.breaker.recordFailure();
      return { outcome: 'unknown', reason: reasonOf(error) };
    }
  }

  /** Returns the answer. Rejects without one in time, or when it is too long. */
  private async call(method: 'GET' | 'POST', order: RetirementOrder, signal: AbortSignal): Promise<RawAnswer> {
    const { REGISTRY_TOKEN: token, REGISTRY_TIMEOUT_MS: timeoutMs, REGISTRY_ANSWER_BYTES } = this.config;
    const end = performance.now() + timeoutMs;
    const body = orderBody(order);
    const orderBytes = Buffer.byteLength(body);
    const answer = await this.pool.request({
      method,
      path: `${this.base}/retirements${method === 'GET' ? `/${order.offset}` : ''}`,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(method === 'POST' && {
          'content-type': 'application/json',
          'content-length': String(orderBytes),
          'idempotency-key': order.offset,
        }),
      },
      ...(method === 'POST' && { body: Readable.from(beforeDeadline(body, end)) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    // The answer repeats the order, or another one if the database was recovered.
    const repeated = method === 'GET' && order.isRecovered ? MAX_ORDER_BYTES : orderBytes;
    const bytes = await readAtMost(answer.body, repeated + REGISTRY_ANSWER_BYTES);
    // A suspended process comes here before the timer of its signal.
    if (performance.now() > end) throw new Error('no answer in time');
    const type = String(answer.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
    const retryAfter = answer.headers['retry-after'];
    return {
      status: answer.statusCode,
      type: type.trim().toLowerCase(),
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      body: bytes,
    };
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

/** The body, read once there is a connection. A process suspended until then would order what others have claimed. */
function* beforeDeadline(body: string, end: number): Generator<string> {
  if (performance.now() > end) throw new Error('no answer in time');
  yield body;
}

/** Leaving the loop closes the connection, so that the server stops sending. */
async function readAtMost(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) throw new Error('an answer that is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Contains nothing from the registry's response. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  return 'code' in error && typeof error.code === 'string' ? `no answer (${error.code})` : error.message;
}
