import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type ArgumentsHost, type INestApplication, Logger } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import FindMyWay from 'find-my-way';
import { watchRequests } from './active-requests.js';
import { type ClientError, isCutOff, problemOfClientError, rejectExpectation, writeProblem } from './client-errors.js';
import { compressResponses, VARY_BY_ENCODING } from './compression.js';
import { Cors } from './cors.js';
import { RequestError } from './errors.js';
import { readJson } from './json-reader.js';
import { errorOfStatus, isInternalError, type ProblemResponse, problemOf, SECURITY_HEADERS } from './problem.js';
import { sendProblem } from './replies.js';
import { checkAccept, checkHead, checkMediaType, requestIdOf } from './request-headers.js';
import { HTTP_LIMITS, type HttpLimits, serverOptions } from './server-options.js';

/** The options of an adapter, and callbacks for what happens below the controllers. */
export interface HttpAdapterOptions {
  readonly limits?: Partial<HttpLimits>;
  /** The origins whose pages may send requests and read the responses; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Whether to compress responses for clients that accept it; not by default. */
  readonly compresses?: boolean;
  /** A bug, to be logged with its stack. */
  readonly onInternalError?: (error: unknown, requestId: string) => void;
  /** A response of 4xx below the routes: to a request that is malformed, too large, too slow or for a proxy. */
  readonly onRejected?: (problem: ProblemResponse) => void;
  /** A connection closed because too many are open. */
  readonly onConnectionDropped?: () => void;
}

const logger = new Logger('http');

/**
 * Nest's Fastify adapter with explicit limits, a strict JSON body parser, and problem documents (RFC 9457) for every error
 * of Node, Fastify and Nest. Limits default to {@link HTTP_LIMITS}.
 */
export class HttpAdapter extends FastifyAdapter {
  readonly limits: HttpLimits;
  private readonly routes = new RouteMethods();
  private readonly cors: Cors;
  /** The value of `Vary`: the request headers that every response depends on, if any. */
  private readonly vary: string;

  constructor(private readonly hooks: HttpAdapterOptions = {}) {
    const limits = { ...HTTP_LIMITS, ...hooks.limits };
    super(
      serverOptions(limits, {
        clientErrorHandler: (error, socket) => this.rejectUnparsed(error, socket),
        frameworkErrors: (error, _request, reply) => this.rejectUnroutable(error, reply),
      }),
    );
    this.limits = limits;
    this.cors = new Cors(hooks.corsOrigins);
    this.vary = [...(this.cors.isOn ? ['Origin'] : []), ...(hooks.compresses ? [VARY_BY_ENCODING] : [])].join(', ');
    this.instance.addHook('onRoute', ({ method, url }) => this.routes.add(method, url));
    this.instance.addHook('onRequest', (request, reply, done) => this.checkRequest(request, reply, done));
    watchRequests(this.instance, limits.handlerMs, (reply) => this.sendError(errorOfStatus(503), reply));
    this.addJsonParser();
    this.configureServer();
  }

  /** Nest calls this before it adds routes, and again when the app starts. */
  override async init(): Promise<void> {
    await super.init();
    if (this.hooks.compresses && !this.instance.hasPlugin('@fastify/compress')) await compressResponses(this.instance);
  }

  /** Replies with the problem of an error and reports a bug, unless the client is gone. */
  sendError(error: unknown, reply: FastifyReply): void {
    if (isInternalError(error) && !reply.raw.destroyed) this.reportInternalError(error, reply.request.id);
    if (reply.sent || reply.raw.headersSent) reply.raw.destroy();
    else sendProblem(reply, error);
  }

  /** Nest's handlers would reply in Nest's own format. */
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.instance.setErrorHandler((error, _request, reply) => this.sendError(error, reply));
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.instance.setNotFoundHandler((request, reply) => this.replyUnrouted(request, reply));
  }

  /** Nest would add parsers for forms and a lenient one for JSON. */
  override registerParserMiddleware(): void {}

  private checkRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    void reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    if (this.vary !== '') void reply.header('vary', this.vary);
    this.cors.setHeaders(request, reply);
    const error = checkHead(request.raw, this.limits) ?? checkAccept(request.routeOptions.url, request.headers);
    if (error) this.sendError(error, reply);
    // Replies before the body is read.
    else if (request.is404) this.replyUnrouted(request, reply);
    else done();
  }

  private addJsonParser(): void {
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

  private configureServer(): void {
    const { server } = this.instance;
    server.maxConnections = this.limits.connections;
    server.on('drop', () => this.hooks.onConnectionDropped?.());
    server.on('checkExpectation', (request, response) => {
      this.hooks.onRejected?.(rejectExpectation(request, response));
    });
    // Without a listener Node closes the connection without a response.
    server.on('connect', (request, socket) => this.rejectConnect(request, socket as Socket));
  }

  /** Replies 204 to OPTIONS, 405 with `Allow` to another method, and 404 on an unknown path. */
  private replyUnrouted(request: FastifyRequest, reply: FastifyReply): void {
    const path = request.raw.url?.split('?', 1)[0] ?? '/';
    const methods = this.routes.of(path);
    const allow = methods.join(', ');
    // The router matches no path with an empty last parameter, although its methods are known.
    const isUnknown = allow === '' || (request.method !== 'OPTIONS' && methods.includes(request.method));
    if (isUnknown) {
      this.sendError(errorOfStatus(404), reply);
    } else if (request.method === 'OPTIONS') {
      this.cors.setPreflightHeaders(request, reply, allow);
      void reply.code(204).header('allow', allow).send();
    } else {
      const detail = `This URL does not support ${request.method}. Allowed methods: ${allow}.`;
      this.sendError(new RequestError('method_not_allowed', detail, { headers: { allow } }), reply);
    }
  }

  /** The router could not read the path. Fastify runs no hooks for it, so nothing else counts or logs the request. */
  private rejectUnroutable(error: FastifyError, reply: FastifyReply): void {
    this.sendError(error, reply);
    this.hooks.onRejected?.(problemOf(error, reply.request.id));
  }

  private rejectUnparsed(error: ClientError, socket: Socket): void {
    const problem = problemOfClientError(error, this.limits.urlBytes);
    if (!problem) {
      socket.destroy();
      return;
    }
    writeProblem(socket, problem, () => {
      if (!isCutOff(error)) this.hooks.onRejected?.(problem);
    });
  }

  private rejectConnect({ headers }: IncomingMessage, socket: Socket): void {
    // Node has released the socket: an unhandled error on it would end the process.
    socket.on('error', () => socket.destroy());
    const allow = this.routes.all().join(', ');
    const detail = `This server is not a proxy. Allowed methods: ${allow}.`;
    const error = new RequestError('method_not_allowed', detail, { headers: { allow } });
    const problem = problemOf(error, requestIdOf(headers['x-request-id']));
    writeProblem(socket, problem, () => this.hooks.onRejected?.(problem));
  }

  private reportInternalError(error: unknown, requestId: string): void {
    if (this.hooks.onInternalError) this.hooks.onInternalError(error, requestId);
    else logger.error(error, { requestId });
  }
}

/** The methods of an app's routes by path, for `Allow`. */
class RouteMethods {
  private readonly router = FindMyWay({ maxParamLength: 64 * 1024 });
  private readonly methods = new Set<FindMyWay.HTTPMethod>();

  add(method: string | readonly string[], url: string): void {
    for (const one of [method].flat() as FindMyWay.HTTPMethod[]) {
      this.methods.add(one);
      if (!this.router.hasRoute(one, url)) this.router.on(one, url, () => undefined);
    }
  }

  /** The methods of any path, OPTIONS included. */
  all(): string[] {
    return [...new Set([...this.methods, 'OPTIONS'])].sort();
  }

  /** The methods of a path, OPTIONS included; none when the path is unknown. */
  of(path: string): string[] {
    // The router takes the target of `OPTIONS *` for the root.
    if (!path.startsWith('/')) return [];
    const known = [...this.methods].filter((method) => this.router.find(method, path) !== null);
    return known.length === 0 ? [] : [...new Set([...known, 'OPTIONS'])].sort();
  }
}

/** Makes every error of an app's controllers a problem document. The app must be created on an {@link HttpAdapter}. */
export function useProblemFilter(app: INestApplication): void {
  const adapter = app.getHttpAdapter();
  if (!(adapter instanceof HttpAdapter)) throw new Error('Create the app on an HttpAdapter.');
  app.useGlobalFilters({
    catch: (error: unknown, host: ArgumentsHost) => {
      // The handler of a message has no response; its pipeline needs the error.
      if (host.getType() !== 'http') throw error;
      adapter.sendError(error, host.switchToHttp().getResponse<FastifyReply>());
    },
  });
}
