import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { counter, gauge, histogram, REQUEST_SECONDS } from './metric-definition.js';
import type { Metrics } from './metrics.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const CODE = /"code":\s*"([a-z][a-z_]{1,40})"/;
const OPERATIONS = /^\/(health\/|metrics$)/;

/** What every app counts of the requests to its routes. */
export function httpMetrics(app: string) {
  const route = 'The route as the app knows it, `none` where nothing is served; never the path that was asked for.';
  const method = 'The method; `other` for unusual ones.';
  return {
    requests: counter(`carbon_${app}_http_requests_total`, 'Requests answered.', {
      route,
      method,
      status: 'The status of the answer; `aborted` when the client left before it.',
    }),
    problems: counter(`carbon_${app}_http_problems_total`, 'Requests answered with a problem, by its code.', {
      route,
      method,
      code: 'The `code` of the problem document.',
    }),
    duration: histogram(
      `carbon_${app}_http_request_duration_seconds`,
      'From the request, its head read, to the end of its answer.',
      REQUEST_SECONDS,
      { route, method },
    ),
    refusals: counter(
      `carbon_${app}_http_refusals_total`,
      'Requests that were refused before they could be read: broken, too large or too slow.',
      { status: 'The status of the answer.' },
    ),
    bugs: counter(
      `carbon_${app}_http_bugs_total`,
      'Requests answered with `internal_error`: each is a bug, and logged.',
    ),
    inFlight: gauge(`carbon_${app}_http_requests_in_flight`, 'Requests that are not answered yet.'),
  };
}

/** What is counted below the routes. */
export interface HttpCounts {
  /** A request was refused before it was read. */
  refused(status: number): void;
  bug(): void;
}

/** Counts every request; to be called before the app is initialised. */
export function measureRequests(app: NestFastifyApplication, metrics: Metrics): HttpCounts {
  const { requests, problems, duration, refusals, bugs, inFlight } = metrics.of(httpMetrics(metrics.app));
  const fastify = app.getHttpAdapter().getInstance();
  let open = 0;
  metrics.onScrape(() => inFlight.set(open));
  fastify.addHook('onRequest', (request, reply, done) => {
    // What looks after the app is no part of its work.
    if (!OPERATIONS.test(request.routeOptions.url ?? '')) {
      open += 1;
      reply.raw.once('close', () => {
        open -= 1;
      });
    }
    done();
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode >= 400) problems.add(1, { ...labelsOf(request), code: codeOf(payload) });
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const labels = labelsOf(request);
    requests.add(1, { ...labels, status: String(reply.statusCode) });
    duration.observe(reply.elapsedTime / 1_000, labels);
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    requests.add(1, { ...labelsOf(request), status: 'aborted' });
    done();
  });
  return { refused: (status) => refusals.add(1, { status: String(status) }), bug: () => bugs.add(1) };
}

/** Of a problem document, be it ours or one that is passed on. Ours are words; what is none is not let in as a label. */
function codeOf(payload: unknown): string {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return 'none';
  return CODE.exec(payload.toString())?.[1] ?? 'none';
}

function labelsOf(request: FastifyRequest): { route: string; method: string } {
  return {
    route: (request.is404 ? undefined : request.routeOptions.url) ?? 'none',
    method: METHODS.has(request.method) ? request.method : 'other',
  };
}
