import { onDisconnect } from '@carbon/http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { counter, gauge, histogram, REQUEST_SECONDS } from './metric-definitions.js';
import type { Metrics } from './metrics.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const CODE = /"code":\s*"([a-z][a-z_]{1,40})"/;
const MANAGEMENT_ROUTES = /^\/(health\/|metrics$)/;

/** The metrics of the requests to an app. */
export function httpMetrics(app: string) {
  const route = 'The pattern of the route, never the path; `none` if no route matches the path and the method.';
  const method = 'The method; `other` for unusual ones.';
  return {
    requests: counter(
      `carbon_${app}_http_requests_total`,
      'Requests whose head was accepted, including those for unknown paths.',
      {
        route,
        method,
        status:
          'The status of the response; `aborted` if the connection closed before it was complete, as when the client disconnects, the body is rejected, or a shutdown runs out of time.',
      },
    ),
    problems: counter(
      `carbon_${app}_http_problems_total`,
      'Requests whose head was accepted and which were answered with a problem.',
      {
        route,
        method,
        code: 'The `code` of the problem document; `none` if the response has none.',
      },
    ),
    duration: histogram(
      `carbon_${app}_http_request_duration_seconds`,
      'From the head of a request to the end of its response.',
      REQUEST_SECONDS,
      { route, method },
    ),
    rejected: counter(
      `carbon_${app}_http_rejected_requests_total`,
      'Requests rejected by the HTTP server, not by a route: malformed, too large, too slow, or a CONNECT, which only a proxy serves.',
      { status: 'The status of the response.' },
    ),
    internalErrors: counter(
      `carbon_${app}_http_internal_errors_total`,
      'Requests that failed with `internal_error`: each is a bug and is logged.',
    ),
    inFlight: gauge(
      `carbon_${app}_http_requests_in_flight`,
      'Requests in progress, except those to the management routes.',
    ),
  };
}

/** Measures every request. Call it before the app is initialized. Returns the counters that the caller increments. */
export function measureRequests(app: NestFastifyApplication, metrics: Metrics) {
  const { requests, problems, duration, rejected, internalErrors, inFlight } = metrics.of(httpMetrics(metrics.app));
  const fastify = app.getHttpAdapter().getInstance();
  let open = 0;
  metrics.onScrape(() => inFlight.set(open));
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!MANAGEMENT_ROUTES.test(request.routeOptions.url ?? '')) {
      open += 1;
      reply.raw.once('close', () => {
        open -= 1;
      });
    }
    onDisconnect(reply, () => requests.inc({ ...labelsOf(request), status: 'aborted' }));
    done();
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    // A client that has disconnected gets no response, so its request does not count as a problem.
    if (reply.statusCode >= 400 && !reply.raw.destroyed) problems.inc({ ...labelsOf(request), code: codeOf(payload) });
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const labels = labelsOf(request);
    requests.inc({ ...labels, status: reply.statusCode });
    duration.observe(labels, reply.elapsedTime / 1_000);
    done();
  });
  return { rejected, internalErrors };
}

/** The code of a problem document, ours or an upstream's. */
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
