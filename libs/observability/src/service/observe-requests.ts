import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contextOf, type RequestContext, runInContext } from '../context/request-context.js';
import type { Logger } from '../logging/create-logger.js';

const LONGEST_PATH = 200;

/** Gives every request its context, and writes one line for each. To be called before the app is initialised. */
export function observeRequests(app: NestFastifyApplication, logger: Logger): void {
  const fastify = app.getHttpAdapter().getInstance();
  const contexts = new WeakMap<FastifyRequest, RequestContext>();

  fastify.addHook('onRequest', (request, _reply, done) => {
    const context = contextOf(request.id, traceparentOf(request));
    contexts.set(request, context);
    runInContext(context, done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const level = request.routeOptions.url?.startsWith('/health/') ? 'debug' : 'info';
    logger[level]({ ...lineOf(request, reply, contexts.get(request)), status: reply.statusCode }, 'request');
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    logger.info({ ...lineOf(request, undefined, contexts.get(request)), code: 'aborted' }, 'request');
    done();
  });
}

function traceparentOf(request: FastifyRequest): string | undefined {
  const header = request.headers.traceparent;
  return typeof header === 'string' ? header : undefined;
}

/** Never the query: it may hold a customer's reference. The path only where no route says it better. */
function lineOf(request: FastifyRequest, reply: FastifyReply | undefined, context: RequestContext | undefined): object {
  const route = request.is404 ? undefined : request.routeOptions.url;
  const path = request.raw.url?.split('?', 1)[0]?.slice(0, LONGEST_PATH);
  return {
    requestId: request.id,
    ...(context && { traceId: context.traceId }),
    method: request.method,
    ...(route === undefined ? { path } : { route }),
    ...(reply && { ms: Math.round(reply.elapsedTime * 10) / 10 }),
  };
}
