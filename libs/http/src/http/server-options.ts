import type { Socket } from 'node:net';
import type { FastifyHttpOptions, FastifyReply, RawServerDefault } from 'fastify';
import { requestIdOf } from '../request-id.js';
import type { ClientError } from './client-error.js';
import type { HttpLimits } from './http-limits.js';

/** Who answers what fails below the routes. */
export interface ServerErrors {
  readonly clientError: (error: ClientError, socket: Socket) => void;
  readonly frameworkError: (error: unknown, reply: FastifyReply) => void;
}

/** Fastify's and node's settings, every time-out and limit explicit. */
export function serverOptions(limits: HttpLimits, errors: ServerErrors): FastifyHttpOptions<RawServerDefault> {
  return {
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionTimeout: limits.socketIdleMs,
    // While closing, a request that still arrives is served, with "Connection: close": nothing is cut.
    return503OnClosing: false,
    forceCloseConnections: false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    routerOptions: {
      maxParamLength: limits.pathParameterCharacters,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      caseSensitive: true,
      // The query is read strictly by readParameters; parsing it here as well would only cost time.
      querystringParser: () => ({}),
    },
    clientErrorHandler: (error, socket) => errors.clientError(error, socket),
    frameworkErrors: (error, _request, reply) => errors.frameworkError(error, reply),
    http: {
      maxHeaderSize: limits.headBytes,
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      // Node would answer a missing Host with an empty 400; checkHead answers with a problem.
      requireHostHeader: false,
      noDelay: true,
    },
  };
}
