import { INTERNAL_SECRET, TransientError } from '@carbon/http';
import { currentContext, Metrics } from '@carbon/observability';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
} from 'cockatiel';
import { Pool } from 'undici';
import { upstreamMetrics } from '../gateway.metrics.js';
import { CallAbandoned, Deadline } from './deadline.js';
import { FairQueue, QueueRejected } from './fair-queue.js';
import { ResponseCollector } from './response-collector.js';
import { requireTrusted, UntrustedResponse, type UpstreamResponse } from './upstream-response.js';

/** How another app is called. */
export interface UpstreamOptions {
  /** The app's name in responses to clients: "offsets service". */
  readonly name: string;
  /** The client's name in metrics: `offset_lookups`. */
  readonly label: string;
  /** Scheme, host and port. */
  readonly url: string;
  /** Authenticates the gateway: the first of `INTERNAL_SECRETS`. */
  readonly secret: string;
  /** Milliseconds from the call to the last byte of the response; half of them may pass in the queue. */
  readonly timeoutMs: number;
  /** Concurrent calls, each on a connection of its own; 64 unless given. */
  readonly connections?: number;
}

/** The options of a GET. */
interface GetOptions {
  readonly ifNoneMatch?: string | undefined;
  /** Aborts when the client disconnects: the call is then abandoned, or not sent. */
  readonly client?: AbortSignal;
}

const CONNECTIONS = 64;
/** Calls that wait for a connection; beyond it they fail at once, so that a slow upstream cannot fill our memory. */
const MAX_WAITING = 1_000;
/** The largest page: 100 assets with descriptions of 10,000 characters of four bytes, with room to spare. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** A link to the next page is as long as a URL may be, which is more than undici takes by default. */
const MAX_HEAD_BYTES = 64 * 1024;
const CONNECT_TIMEOUT_MS = 1_000;
/** Shorter than the 65 s for which our apps keep an idle connection, so that we close first. */
const KEEP_ALIVE_MS = 30_000;
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 1_000;
const PROBE_TIMEOUT_MS = 500;

const JSON_BODY = { 'content-type': 'application/json' } as const;
/** Calls without an account are one caller of the fair queue. */
const NO_ACCOUNT = '';

/** The connection was closed during the call, without a response, so the call is sent again. */
const STALE_CONNECTION = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
/** The upstream responded with too large a body: one such call must not open the circuit breaker for all. */
const TOO_LONG = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_EXCEEDED_MAX_SIZE']);

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The status of a success. */
  readonly success: 200 | 201;
}

/**
 * Calls another app over kept-alive connections: with a deadline, through a fair queue and behind a circuit breaker. Every
 * call must be idempotent, because it may be sent twice.
 */
export class UpstreamClient implements OnApplicationShutdown {
  private readonly logger = new Logger('upstream');
  private readonly pool: Pool;
  /** Separate from the pool: a busy gateway must not report its upstream as down. */
  private readonly probes: Pool;
  private readonly breaker: CircuitBreakerPolicy;
  private readonly queue: FairQueue;
  private readonly instruments;

  constructor(
    private readonly options: UpstreamOptions,
    metrics: Metrics,
  ) {
    const { connections = CONNECTIONS, timeoutMs, url, label } = options;
    this.queue = new FairQueue({ slots: connections, maxWaiting: MAX_WAITING, waitMs: timeoutMs / 2 });
    this.pool = new Pool(url, poolOptions(connections, timeoutMs));
    this.probes = new Pool(url, poolOptions(1, PROBE_TIMEOUT_MS));
    this.breaker = circuitBreaker(
      handleWhen((error) => !(error instanceof CallAbandoned) && !TOO_LONG.has(codeOf(error))),
      { halfOpenAfter: OPEN_MS, breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN) },
    );
    this.breaker.onFailure(({ reason }) => this.logFailure('error' in reason ? reason.error : undefined));
    this.instruments = metrics.of(upstreamMetrics);
    const { breakerOpen } = this.instruments;
    metrics.onScrape(() => breakerOpen.set({ upstream: label }, this.isClosed ? 0 : 1));
  }

  /**
   * Returns the response to `GET path` for an account, success or problem.
   * @throws TransientError `service_unavailable`: down, too slow, abandoned, or not one of our responses
   */
  async get(path: string, account: string, { ifNoneMatch, client }: GetOptions = {}): Promise<UpstreamResponse> {
    const headers = { ...callHeaders(account), ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }) };
    return await this.call(account, { method: 'GET', path, headers, success: 200 }, client);
  }

  /**
   * Returns the response to a POST of JSON for an account, success (201) or problem. The POST must be idempotent.
   * @throws TransientError `service_unavailable`: as above; the upstream may have executed the request
   */
  async post(path: string, account: string, body: object): Promise<UpstreamResponse> {
    const headers = { ...callHeaders(account), ...JSON_BODY };
    return await this.call(account, { method: 'POST', path, headers, body: JSON.stringify(body), success: 201 });
  }

  /**
   * Returns the response to a POST of JSON that only reads, success (200) or problem. It belongs to no single request, so it has
   * no `x-account`: its body names the accounts that it reads for.
   * @throws TransientError `service_unavailable`: as above
   */
  async query(path: string, body: object): Promise<UpstreamResponse> {
    const call = { method: 'POST', path, headers: JSON_BODY, body: JSON.stringify(body), success: 200 } as const;
    return await this.call(NO_ACCOUNT, call);
  }

  /** Calls `/health/live`, even if the circuit breaker is open. Rejects unless the app is alive. */
  async checkHealth(): Promise<void> {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const { statusCode, body } = await this.probes.request({ method: 'GET', path: '/health/live', signal });
    await body.dump();
    if (statusCode !== 200) throw new UntrustedResponse(`responded ${statusCode} to a health check`);
  }

  /** Called when the last request has been answered. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pool.destroy(), this.probes.destroy()]);
  }

  private get isClosed(): boolean {
    return this.breaker.state === CircuitState.Closed;
  }

  private async call(account: string, call: Call, client?: AbortSignal): Promise<UpstreamResponse> {
    const deadline = new Deadline(this.options.timeoutMs);
    const startedAt = performance.now();
    try {
      // The queue is outside the circuit breaker: a busy gateway says nothing about the upstream.
      const response = await this.queue.run(account, () => this.start(call, deadline, client), client);
      this.observe(startedAt, 'answered');
      return response;
    } catch (cause) {
      this.observe(startedAt, outcomeOf(cause));
      throw upstreamUnavailable(this.options.name, cause);
    } finally {
      deadline.close();
    }
  }

  private async start(call: Call, deadline: Deadline, client: AbortSignal | undefined): Promise<UpstreamResponse> {
    // cockatiel would park this call until the half-open probe ends, and count it as a failure once it has expired.
    if (this.breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    // A half-open probe runs to its end and always counts.
    if (this.isClosed) {
      deadline.start();
      if (client !== undefined) deadline.abandonOn(client);
    }
    return await this.breaker.execute(() => this.send(call, deadline.signal));
  }

  private async send(call: Call, signal: AbortSignal): Promise<UpstreamResponse> {
    try {
      return await this.sendOnce(call, signal);
    } catch (error) {
      if (signal.aborted || !STALE_CONNECTION.has(codeOf(error))) throw error;
      return await this.sendOnce(call, signal);
    }
  }

  private async sendOnce(call: Call, signal: AbortSignal): Promise<UpstreamResponse> {
    const { success, ...request } = call;
    const headers = { ...call.headers, [INTERNAL_SECRET]: this.options.secret };
    const collector = new ResponseCollector(signal);
    this.pool.dispatch({ ...request, headers }, collector);
    return requireTrusted(await collector.response, {
      success,
      isConditional: call.headers['if-none-match'] !== undefined,
    });
  }

  private observe(startedAt: number, outcome: string): void {
    const seconds = (performance.now() - startedAt) / 1_000;
    this.instruments.duration.observe({ upstream: this.options.label, outcome }, seconds);
  }

  private logFailure(error: unknown): void {
    if (error instanceof CallAbandoned) return;
    this.logger.warn('A call to another app failed', error, { dependency: this.options.name });
  }
}

/** The 503 for a call that failed. @param name the app's name in responses to clients */
export function upstreamUnavailable(name: string, cause?: unknown): TransientError {
  const detail = `The ${name} does not answer at the moment. Try again shortly.`;
  return new TransientError('service_unavailable', detail, { cause });
}

function poolOptions(connections: number, timeoutMs: number): Pool.Options {
  return {
    connections,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: MAX_HEAD_BYTES,
    maxResponseSize: MAX_BODY_BYTES,
  };
}

/** The account, and the request and trace the call belongs to. */
function callHeaders(account: string): Record<string, string> {
  const context = currentContext();
  if (context === undefined) return { 'x-account': account };
  return { 'x-account': account, 'x-request-id': context.requestId, traceparent: context.traceparent };
}

function outcomeOf(error: unknown): string {
  if (isBrokenCircuitError(error)) return 'breaker_open';
  if (error instanceof QueueRejected) return 'rejected';
  return error instanceof CallAbandoned ? 'abandoned' : 'failed';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
