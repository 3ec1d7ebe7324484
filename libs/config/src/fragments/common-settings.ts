import { secretList } from './secrets.js';
import { bytes, choice, milliseconds, port, text, whole } from './values.js';

/** Where an app listens, and the limits of its HTTP server. */
export function httpSettings(defaultPort: number) {
  return {
    HOST: text(/^\S+$/, 'an address or a host name', {
      description: 'The address it listens on. Only this machine reaches 127.0.0.1; use 0.0.0.0 inside a container.',
      fallback: '127.0.0.1',
    }),
    PORT: port(defaultPort),
    MANAGEMENT_PORT: whole(0, 65_535, {
      description:
        'A port for /metrics and the detail of /health/ready, which are then told there alone; 0 lets the system choose. Not set: beside the routes.',
      example: '9000',
    }).optional(),
    MANAGEMENT_HOST: text(/^\S+$/, 'an address or a host name', {
      description: 'The address the management port listens on; in a container 0.0.0.0, so that Prometheus reaches it.',
      fallback: '127.0.0.1',
    }),
    HTTP_BODY_BYTES: bytes(16_384, 'The largest body of a request, in bytes (413 beyond).'),
    HTTP_URL_BYTES: bytes(16_384, 'The longest path and query, in bytes (414 beyond).'),
    HTTP_HEAD_BYTES: bytes(24_576, 'The largest head of a request, in bytes, its first line included (431 beyond).'),
    HTTP_JSON_DEPTH: whole(1, 64, {
      description: 'How deep objects and arrays of a body may be nested (400 beyond).',
      fallback: '8',
    }),
    HTTP_CONNECTIONS: whole(1, 1_000_000, {
      description:
        'How many connections it holds at a time; more are closed at once. Stay some hundreds below what `ulimit -Hn` allows the process: it needs files and connections of its own.',
      fallback: '10000',
    }),
    HTTP_REQUEST_MS: milliseconds(10_000, 'How long a request may take to arrive, in milliseconds (408 beyond).'),
    SHUTDOWN_GRACE_MS: milliseconds(
      500,
      'How long it says that it is not ready, and still serves, before it stops, in milliseconds. Behind a load balancer: longer than that needs to notice. The app exits at the latest 30 s after that: whatever stops it must wait longer before it kills.',
      { min: 0, max: 60_000 },
    ),
  };
}

/** How the apps know one another. */
export const internalSettings = {
  INTERNAL_SECRETS: secretList(
    'What the gateway proves itself with to the offsets service and the catalog, which answer nobody else; the same for all three.',
  ),
};

/** What the names of an app's indices begin with; what OpenSearch takes at the beginning of a name. */
export const indexSettings = {
  INDEX_PREFIX: text(/^([a-z0-9][a-z0-9_-]{0,63})?$/, 'at most 64 lower-case letters, digits, dashes and underscores', {
    description: 'Put before the name of every index and alias, so that systems can share an OpenSearch.',
    fallback: '',
  }),
};

/** How an app speaks about itself. */
export const logSettings = {
  NODE_ENV: choice(['development', 'test', 'production'], {
    description: 'Where it runs; production refuses to start in an unsafe configuration.',
    fallback: 'development',
  }),
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    description: 'The least severe lines that are logged.',
    fallback: 'info',
  }),
};
