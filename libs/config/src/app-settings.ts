import { z } from 'zod';
import { bytes, choice, integer, milliseconds, port, secretList, text } from './setting.js';

/** The address of an app and the limits of its HTTP server. */
export function httpSettings(defaultPort: number) {
  return {
    HOST: text(/^\S+$/, 'an address or a host name', {
      description: 'The address to listen on. Only this machine reaches 127.0.0.1; use 0.0.0.0 inside a container.',
      fallback: '127.0.0.1',
    }),
    PORT: port(defaultPort),
    MANAGEMENT_PORT: integer(0, 65_535, {
      description:
        'A separate port for /metrics and the details of /health/ready, which are then served only there; 0 lets the operating system choose one. If it is not set, PORT serves them.',
      example: '9000',
    }).optional(),
    MANAGEMENT_HOST: text(/^\S+$/, 'an address or a host name', {
      description:
        'The address that the management port listens on. In a container use 0.0.0.0, so that Prometheus can reach it.',
      fallback: '127.0.0.1',
    }),
    HTTP_BODY_BYTES: bytes(16_384, 'The maximum size of a body, in bytes (else 413).'),
    HTTP_URL_BYTES: bytes(16_384, 'The maximum length of path and query, in bytes (else 414).'),
    HTTP_HEAD_BYTES: bytes(
      24_576,
      'The maximum size of the head of a request, request line and headers, in bytes (else 431).',
    ),
    HTTP_JSON_DEPTH: integer(1, 64, {
      description: 'The maximum nesting of objects and arrays in a body (else 400).',
      fallback: '8',
    }),
    HTTP_CONNECTIONS: integer(1, 1_000_000, {
      description:
        'The maximum number of connections; more are closed at once. Keep it some hundreds below `ulimit -Hn`: the process needs files and connections of its own.',
      fallback: '10000',
    }),
    HTTP_REQUEST_MS: milliseconds(
      10_000,
      'How long a request may take to arrive, in milliseconds (else 408); its head at most 5 s of this.',
    ),
    SHUTDOWN_GRACE_MS: milliseconds(
      500,
      'How long the app reports that it is not ready, and still serves, before it stops, in milliseconds. Behind a load balancer, set it to more than the load balancer needs to notice. The app exits at the latest 30 s after this period: a supervisor must wait longer than both before it kills the process.',
      { min: 0, max: 60_000 },
    ),
  };
}

/** How the apps authenticate to each other. */
export const internalSettings = {
  INTERNAL_SECRETS: secretList(
    'Secrets with which the gateway authenticates to the offsets service and the catalog, which reject all other callers. Set the same value for all three.',
  ),
};

/** The prefix of the names of indices, as OpenSearch allows it. */
export const indexSettings = {
  INDEX_PREFIX: text(
    /^([a-z0-9][a-z0-9_-]{0,63})?$/,
    'at most 64 lower-case letters, digits, dashes and underscores, starting with a letter or a digit',
    {
      description: 'Prefix of every index and alias, so that systems can share an OpenSearch.',
      fallback: '',
    },
  ),
};

/** The environment and the logs of an app. */
export const logSettings = {
  NODE_ENV: choice(['development', 'test', 'production'], {
    description: 'The environment; in production an app does not start with an unsafe configuration.',
    fallback: 'development',
  }),
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    description: 'The minimum level of log lines.',
    fallback: 'info',
  }),
};

/** The settings of every command that connects to an engine, besides those of the engine. */
export const commandSettings = z.object({
  ENGINE_WAIT_MS: milliseconds(
    30_000,
    'How long a command waits for an engine that does not answer yet, in milliseconds; 0 tries once. A wrong setting, such as a password, fails at once.',
    { min: 0, max: 600_000 },
  ),
});
