import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { contextOf, type RequestContext, runInContext } from '../context/request-context.js';
import type { Logger } from '../logging/create-logger.js';
import { KnownBeginnings } from './known-beginnings.js';

/** Gives every request its context, and writes one line for each. To be called before the app is initialised. */
export function observeRequests(app: NestFastifyApplication, logger: Logger): void {
  const fastify = app.getHttpAdapter().getInstance();
  const contexts = new WeakMap<FastifyRequest, RequestContext>();
  const beginnings = new KnownBeginnings();
  const fieldsOf = (request: FastifyRequest) => ({
    ...lineOf(request, contexts.get(request)),
    ...placeOf(request, beginnings),
  });

  fastify.addHook('onRoute', ({ url }) => beginnings.add(url));
  fastify.addHook('onRequest', (request, _reply, done) => {
    const context = contextOf(request.id, traceparentOf(request));
    contexts.set(request, context);
    runInContext(context, done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const level = request.routeOptions.url?.startsWith('/health/') ? 'debug' : 'info';
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    logger[level]({ ...fieldsOf(request), ms, status: reply.statusCode }, 'request');
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    logger.info({ ...fieldsOf(request), code: 'aborted' }, 'request');
    done();
  });
}

function traceparentOf(request: FastifyRequest): string | undefined {
  const header = request.headers.traceparent;
  return typeof header === 'string' ? header : undefined;
}

function lineOf(request: FastifyRequest, context: RequestContext | undefined): object {
  return { requestId: request.id, ...(context && { traceId: context.traceId }), method: request.method };
}

/**
 * Never the query, and of a path that no route serves only what is ours: the rest is whatever a client put there, such as a
 * customer's reference, or a key written so that nobody recognises it.
 */
function placeOf(request: FastifyRequest, beginnings: KnownBeginnings): object {
  const route = request.is404 ? undefined : request.routeOptions.url;
  return route === undefined ? { path: beginnings.of(request.raw.url?.split('?', 1)[0] ?? '') } : { route };
}
