import type { FastifyReply, FastifyRequest } from 'fastify';

/** The headers of an answer that a page of another origin may read beside those it always may. */
const EXPOSED = [
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
  'X-Total-Count',
].join(', ');

/** The headers that such a page may send. */
const SENT = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Traceparent',
  'X-API-Key',
  'X-Request-Id',
].join(', ');

/** How long a browser may remember a preflight, in seconds: Chromium's most. */
const REMEMBERED_SECONDS = '7200';

/**
 * Cross-origin resource sharing for a list of origins; none is asked for by an empty list. Cookies are never allowed: keys
 * travel in headers, which a page has to set on purpose. @fastify/cors answers OPTIONS on every path, known or not,
 * which would turn our 404 and 405 into 204.
 */
export class CrossOrigin {
  private readonly origins: ReadonlySet<string>;

  /** @param origins scheme, host and port each, as browsers send them */
  constructor(origins: readonly string[] = []) {
    this.origins = new Set(origins);
  }

  /** Lets the asking page read the answer, be it good or bad, when its origin is one of ours. */
  mark({ headers }: FastifyRequest, reply: FastifyReply): void {
    if (this.origins.size === 0) return;
    void reply.header('vary', 'Origin');
    if (!this.knows(headers.origin)) return;
    void reply.headers({ 'access-control-allow-origin': headers.origin, 'access-control-expose-headers': EXPOSED });
  }

  /** Answers the question that a browser asks before it sends such a request. @param methods those of the path */
  preflight({ headers }: FastifyRequest, reply: FastifyReply, methods: string): void {
    if (!this.knows(headers.origin) || headers['access-control-request-method'] === undefined) return;
    void reply.headers({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': SENT,
      'access-control-max-age': REMEMBERED_SECONDS,
    });
  }

  private knows(origin: string | undefined): origin is string {
    return origin !== undefined && this.origins.has(origin);
  }
}
