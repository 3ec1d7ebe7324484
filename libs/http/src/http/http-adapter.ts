import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiError, RequestError } from '../api-error.js';
import { readJson } from '../body/json-reader.js';
import { errorOfStatus } from '../framework-error.js';
import { isBug, type ProblemAnswer, problemOf } from '../problem.js';
import { requestIdOf } from '../request-id.js';
import { type ClientError, problemOfClientError, writeProblem } from './client-error.js';
import { CrossOrigin } from './cross-origin.js';
import { watchHandlers } from './handler-deadline.js';
import { HTTP_LIMITS, type HttpLimits } from './http-limits.js';
import { KnownRoutes } from './known-routes.js';
import { checkAccept, checkHead, checkMediaType } from './request-checks.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { sendProblem } from './send-problem.js';
import { serverOptions } from './server-options.js';
import { refuseExpectation } from './unmet-expectation.js';

/** How an app hears of what went wrong below its controllers. */
export interface HttpReports {
  /** A bug: to be logged with its stack. */
  readonly onBug?: (error: unknown, requestId: string) => void;
  /** A request refused before it could be routed: broken, too large or too slow. */
  readonly onRefused?: (answer: ProblemAnswer) => void;
  /** A connection closed unheard, because there were too many. */
  readonly onDropped?: () => void;
}

/** What an adapter is made with. */
export interface HttpAdapterOptions extends HttpReports {
  readonly limits?: Partial<HttpLimits>;
  /** The origins whose pages may ask and read the answers; none unless given. */
  readonly crossOrigins?: readonly string[];
}

const bugs = new Logger('http');

/**
 * Nest's Fastify adapter with every limit explicit, a strict JSON body parser, and problem documents (RFC 9457) for
 * every error that node, Fastify or Nest can answer with.
 */
export class HttpAdapter extends FastifyAdapter {
  private readonly routes = new KnownRoutes();

  constructor(
    readonly limits: HttpLimits,
    private readonly reports: HttpReports,
    private readonly crossOrigin: CrossOrigin,
  ) {
    super(
      serverOptions(limits, {
        clientError: (error, socket) => this.refuse(error, socket),
        frameworkError: (error, reply) => this.answer(error, reply),
      }),
    );
    this.watchRoutes();
    this.checkRequests();
    watchHandlers(this.instance, limits.handlerMs, (reply) => this.answer(errorOfStatus(503), reply));
    this.parseOnlyJson();
    this.instance.server.maxConnections = limits.connections;
    this.instance.server.on('drop', () => this.reports.onDropped?.());
    this.instance.server.on('checkExpectation', (request, response) => {
      this.reports.onRefused?.(refuseExpectation(request, response));
    });
    // Without a listener node would close the connection without a word.
    this.instance.server.on('connect', (request, socket) => this.refuseTunnel(request, socket as Socket));
  }

  /** Answers an error on a request; a bug is reported, and a client that has gone is left in peace. */
  answer(error: unknown, reply: FastifyReply): void {
    const gone = reply.raw.destroyed;
    if (isBug(error) && !gone) this.reportBug(error, reply.request.id);
    if (reply.sent || reply.raw.headersSent) reply.raw.destroy();
    else sendProblem(reply, error);
  }

  /** Nest's own handlers would answer in Nest's shape. */
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.instance.setErrorHandler((error, _request, reply) => this.answer(error, reply));
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.instance.setNotFoundHandler((request, reply) => this.answerUnrouted(request, reply));
  }

  /** Nest would add parsers for forms and a lenient one for JSON. */
  override registerParserMiddleware(): void {}

  private watchRoutes(): void {
    this.instance.addHook('onRoute', ({ method, url }) => this.routes.add(method, url));
  }

  private checkRequests(): void {
    this.instance.addHook('onRequest', (request, reply, done) => {
      void reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
      this.crossOrigin.mark(request, reply);
      const fault = checkHead(request.raw, this.limits) ?? checkAccept(request.routeOptions.url, request.headers);
      if (fault) this.answer(fault, reply);
      // Before the body is read: whatever it holds, nothing is served here.
      else if (request.is404) this.answerUnrouted(request, reply);
      else done();
    });
  }

  private parseOnlyJson(): void {
    this.instance.removeAllContentTypeParsers();
    this.instance.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      try {
        checkMediaType(request.headers);
        done(null, readJson(body, this.limits.jsonDepth));
      } catch (error) {
        done(error as Error);
      }
    });
  }

  private answerUnrouted(request: FastifyRequest, reply: FastifyReply): void {
    const path = request.raw.url?.split('?', 1)[0] ?? '/';
    const methods = this.routes.methodsOf(path);
    const allow = methods.join(', ');
    // The router takes no path whose last step is empty; who only asks which methods there are is not that strict.
    const unknown = allow === '' || (request.method !== 'OPTIONS' && methods.includes(request.method));
    if (unknown) this.answer(path === '/' ? this.nothingAtRoot() : errorOfStatus(404), reply);
    else if (request.method === 'OPTIONS') {
      this.crossOrigin.preflight(request, reply, allow);
      void reply.code(204).header('allow', allow).send();
    } else {
      const detail = `This URL does not serve ${request.method}. Use one of ${allow}.`;
      this.answer(new RequestError('method_not_allowed', detail, { headers: { allow } }), reply);
    }
  }

  /** Who opens the bare address in a browser is shown the page about the API, where the app has one. */
  private nothingAtRoot(): ApiError | undefined {
    return this.routes.methodsOf('/docs').length === 0
      ? errorOfStatus(404)
      : new RequestError('not_found', 'Nothing is served at this URL. The API is described at /docs.');
  }

  private refuse(error: ClientError, socket: Socket): void {
    const answer = problemOfClientError(error, this.limits.urlBytes);
    if (!answer) {
      socket.destroy();
      return;
    }
    writeProblem(socket, answer);
    this.reports.onRefused?.(answer);
  }

  private refuseTunnel({ headers }: IncomingMessage, socket: Socket): void {
    // Node has let go of the socket: an error that nobody hears would end the process.
    socket.on('error', () => socket.destroy());
    const allow = this.routes.methods().join(', ');
    const fault = new RequestError('method_not_allowed', `This is no proxy. Use one of ${allow}.`, {
      headers: { allow },
    });
    const answer = problemOf(fault, requestIdOf(headers['x-request-id']));
    writeProblem(socket, answer);
    this.reports.onRefused?.(answer);
  }

  private reportBug(error: unknown, requestId: string): void {
    if (this.reports.onBug) this.reports.onBug(error, requestId);
    else bugs.error(error, { requestId });
  }
}

/** The HTTP adapter every app is created on. Limits left out have the defaults of {@link HTTP_LIMITS}. */
export function createHttpAdapter({ limits, crossOrigins, ...reports }: HttpAdapterOptions = {}): HttpAdapter {
  return new HttpAdapter({ ...HTTP_LIMITS, ...limits }, reports, new CrossOrigin(crossOrigins));
}
