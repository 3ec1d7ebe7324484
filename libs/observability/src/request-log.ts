import { onDisconnect } from '@carbon/http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { type KnownFields, type Logger, unfilteredLogger } from './logger.js';
import { createContext, type RequestContext, runInContext } from './request-context.js';

const CONTEXT = Symbol('context');

type RequestWithContext = FastifyRequest & { [CONTEXT]?: RequestContext };

/** Gives every request its context and logs one line for each. Call it before the app is initialized. */
export function logRequests(app: NestFastifyApplication, logger: Logger): void {
  const fastify = app.getHttpAdapter().getInstance();
  const lines = unfilteredLogger(logger);
  const prefixes = new RoutePrefixes();

  // Declares the property, so that setting it does not change the hidden class of every request.
  fastify.decorateRequest(CONTEXT, undefined);
  fastify.addHook('onRoute', ({ url }) => prefixes.add(url));
  fastify.addHook('onRequest', (request: RequestWithContext, reply, done) => {
    const { traceparent } = request.headers;
    const context = createContext(request.id, typeof traceparent === 'string' ? traceparent : undefined);
    request[CONTEXT] = context;
    onDisconnect(reply, () => lines.info(fieldsOf(request, prefixes, { code: 'aborted' }), 'request'));
    runInContext(context, done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const level = request.routeOptions.url?.startsWith('/health/') ? 'debug' : 'info';
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    lines[level](fieldsOf(request, prefixes, { ms, status: reply.statusCode }), 'request');
    done();
  });
}

/**
 * Never logs the query, and logs only the route prefix of an unknown path, because the rest may be a customer's
 * reference or a key that no filter recognizes. The request id, trace id and method have a fixed form.
 */
function fieldsOf(request: RequestWithContext, prefixes: RoutePrefixes, outcome: KnownFields): KnownFields {
  const { id: requestId, method } = request;
  const route = request.is404 ? undefined : request.routeOptions.url;
  const path = route === undefined ? prefixes.of(request.raw.url?.split('?', 1)[0] ?? '') : undefined;
  return { requestId, traceId: request[CONTEXT]?.traceId, method, route, path, ...outcome };
}

/** The prefixes of an app's routes. The log shows only such a prefix of a path without a route. */
export class RoutePrefixes {
  private readonly prefixes = new Set<string>();

  /** Adds a route up to its first parameter or wildcard. */
  add(route: string): void {
    let prefix = '';
    for (const segment of route.split('/').slice(1)) {
      if (/[:*]/.test(segment)) return;
      prefix += `/${segment}`;
      this.prefixes.add(prefix);
    }
  }

  /** Returns the longest known prefix of a path, with `…` for the rest. */
  of(path: string): string {
    let known = '';
    while (known.length < path.length) {
      const end = path.indexOf('/', known.length + 1);
      const longer = end < 0 ? path : path.slice(0, end);
      if (!this.prefixes.has(longer)) return `${known}/…`;
      known = longer;
    }
    return known;
  }
}
