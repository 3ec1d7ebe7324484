import type { FastifyHttpOptions, RawServerDefault } from 'fastify';
import { requestIdOf } from './request-headers.js';

/** The timeouts and limits of an app's HTTP server. Sizes in bytes, times in milliseconds. */
export interface HttpLimits {
  /** Simultaneous connections; more are closed at once, so that idle ones cannot take every file descriptor. */
  readonly connections: number;
  /** Body: else 413. */
  readonly bodyBytes: number;
  /** Nesting of a JSON body: else 400. */
  readonly jsonDepth: number;
  /** Request target, path and query: else 414. */
  readonly urlBytes: number;
  /** Request line and headers together: else 431. */
  readonly headBytes: number;
  /** From the first to the last byte of a request: else 408. */
  readonly requestMs: number;
  /** From the first byte to the end of the head: else 408. */
  readonly headMs: number;
  /** How often Node checks the two timeouts above. */
  readonly checkEveryMs: number;
  /**
   * From routing to the last byte of the response: else 503, or its connection is closed. Longer than the handlers' own deadlines and a
   * slow body together.
   */
  readonly handlerMs: number;
  /** How long an idle connection stays open; longer than the 60 s of common load balancers. */
  readonly keepAliveMs: number;
  /** How long a socket may neither send nor receive a byte, also when the client reads a response slowly. */
  readonly socketIdleMs: number;
}

/** The default limits. */
export const HTTP_LIMITS: HttpLimits = {
  connections: 10_000,
  bodyBytes: 16 * 1024,
  jsonDepth: 8,
  urlBytes: 16 * 1024,
  headBytes: 24 * 1024,
  requestMs: 10_000,
  headMs: 5_000,
  checkEveryMs: 1_000,
  handlerMs: 16_000,
  keepAliveMs: 65_000,
  socketIdleMs: 70_000,
};

/** The settings of the limits. */
export interface HttpLimitSettings {
  readonly HTTP_CONNECTIONS: number;
  readonly HTTP_BODY_BYTES: number;
  readonly HTTP_URL_BYTES: number;
  readonly HTTP_HEAD_BYTES: number;
  readonly HTTP_JSON_DEPTH: number;
  readonly HTTP_REQUEST_MS: number;
}

/** Returns the limits of an app's settings. */
export function httpLimits(settings: HttpLimitSettings): Partial<HttpLimits> {
  return {
    connections: settings.HTTP_CONNECTIONS,
    bodyBytes: settings.HTTP_BODY_BYTES,
    urlBytes: settings.HTTP_URL_BYTES,
    headBytes: settings.HTTP_HEAD_BYTES,
    jsonDepth: settings.HTTP_JSON_DEPTH,
    requestMs: settings.HTTP_REQUEST_MS,
    headMs: Math.min(HTTP_LIMITS.headMs, settings.HTTP_REQUEST_MS),
    handlerMs: settings.HTTP_REQUEST_MS + 6_000,
  };
}

type ErrorHandlers = Pick<FastifyHttpOptions<RawServerDefault>, 'clientErrorHandler' | 'frameworkErrors'>;

/** Returns the options of Fastify and Node with every timeout and limit. */
export function serverOptions(limits: HttpLimits, handlers: ErrorHandlers): FastifyHttpOptions<RawServerDefault> {
  return {
    ...handlers,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionTimeout: limits.socketIdleMs,
    // While closing, requests that still arrive are served, with "Connection: close".
    return503OnClosing: false,
    forceCloseConnections: false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    routerOptions: {
      // Never reached: checkHead replies 414 to a longer URL, with its parameters.
      maxParamLength: limits.headBytes,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      caseSensitive: true,
      // readParameters parses the query.
      querystringParser: () => ({}),
    },
    http: {
      maxHeaderSize: limits.headBytes,
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      // Node would reply to a missing Host with an empty 400; checkHead replies with a problem.
      requireHostHeader: false,
      noDelay: true,
    },
  };
}
