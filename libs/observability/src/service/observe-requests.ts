import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { contextOf, type RequestContext, runInContext } from '../context/request-context.js';
import { type KnownFields, knownLines, type Logger } from '../logging/create-logger.js';
import { KnownBeginnings } from './known-beginnings.js';

/** Where a request holds its context. */
const CONTEXT = Symbol('context');

type Observed = FastifyRequest & { [CONTEXT]?: RequestContext };

/** Gives every request its context, and writes one line for each. To be called before the app is initialised. */
export function observeRequests(app: NestFastifyApplication, logger: Logger): void {
  const fastify = app.getHttpAdapter().getInstance();
  const lines = knownLines(logger);
  const beginnings = new KnownBeginnings();

  // Declared, so that setting it does not change the shape of every request.
  fastify.decorateRequest(CONTEXT, undefined);
  fastify.addHook('onRoute', ({ url }) => beginnings.add(url));
  fastify.addHook('onRequest', (request: Observed, _reply, done) => {
    const context = contextOf(request.id, traceparentOf(request));
    request[CONTEXT] = context;
    runInContext(context, done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const level = request.routeOptions.url?.startsWith('/health/') ? 'debug' : 'info';
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    lines[level](fieldsOf(request, beginnings, { ms, status: reply.statusCode }), 'request');
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    lines.info(fieldsOf(request, beginnings, { code: 'aborted' }), 'request');
    done();
  });
}

function traceparentOf(request: FastifyRequest): string | undefined {
  const header = request.headers.traceparent;
  return typeof header === 'string' ? header : undefined;
}

/**
 * Never the query, and of a path that no route serves only what is ours: the rest is whatever a client put there, such as a
 * customer's reference, or a key written so that nobody recognises it. Of what is the client's there is only the request
 * id and the trace id, which have their form, and the method, which node knows.
 */
function fieldsOf(request: Observed, beginnings: KnownBeginnings, outcome: KnownFields): KnownFields {
  const { id: requestId, method } = request;
  const route = request.is404 ? undefined : request.routeOptions.url;
  const path = route === undefined ? beginnings.of(request.raw.url?.split('?', 1)[0] ?? '') : undefined;
  return { requestId, traceId: request[CONTEXT]?.traceId, method, route, path, ...outcome };
}
