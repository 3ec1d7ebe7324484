import type { FastifyReply, FastifyRequest } from 'fastify';

/** The response headers that pages of other origins may read besides the safelisted ones. */
const EXPOSED_HEADERS =
  'ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Search-Hints, X-Total-Count';

/** The request headers that such pages may send. */
const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Traceparent, X-API-Key, X-Request-Id';

/** How long a browser may cache a preflight, in seconds: Chromium's maximum. */
const MAX_AGE_SECONDS = '7200';

/**
 * Cross-origin resource sharing for a list of origins. Never allows cookies: keys are sent in headers, which a page sets on
 * purpose. @fastify/cors would reply to OPTIONS on every path and turn our 404 and 405 into 204.
 */
export class Cors {
  private readonly origins: ReadonlySet<string>;

  /** @param origins scheme, host and port each, as browsers send them */
  constructor(origins: readonly string[] = []) {
    this.origins = new Set(origins);
  }

  /** Whether any origin is allowed; then every response depends on `Origin`. */
  get isOn(): boolean {
    return this.origins.size > 0;
  }

  /** Lets a page of a configured origin read the response, also an error. */
  setHeaders({ headers }: FastifyRequest, reply: FastifyReply): void {
    if (!this.allows(headers.origin)) return;
    void reply.headers({
      'access-control-allow-origin': headers.origin,
      'access-control-expose-headers': EXPOSED_HEADERS,
    });
  }

  /** Sets the headers of the reply to a preflight request. @param methods those of the path */
  setPreflightHeaders({ headers }: FastifyRequest, reply: FastifyReply, methods: string): void {
    if (!this.allows(headers.origin) || headers['access-control-request-method'] === undefined) return;
    void reply.headers({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': MAX_AGE_SECONDS,
    });
  }

  private allows(origin: string | undefined): origin is string {
    return origin !== undefined && this.origins.has(origin);
  }
}
