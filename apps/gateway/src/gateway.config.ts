import {
  flag,
  httpSettings,
  integer,
  internalSettings,
  kafkaSettings,
  logSettings,
  milliseconds,
  origins,
  type Setting,
  secretList,
  text,
  url,
} from '@carbon/config';
import { z } from 'zod';
import { limitSettings } from './limits/limit-settings.js';

/** Injection token of the {@link GatewayConfig}. */
export const GATEWAY_CONFIG = Symbol('gateway config');

/** Injection token of the process's logger. */
export const LOGGER = Symbol('logger');

const OPEN_IN_PRODUCTION =
  'must not be production while the gateway is open: it requires no API key; set API_KEYS_FILE';

const settings = z.object({
  ...httpSettings(3000),
  ...kafkaSettings,
  ...logSettings,
  ...internalSettings,
  API_KEYS_FILE: text(/^[^\0]+$/, 'a path', {
    description:
      'The file of API keys, made by `npm run keys`; read at the start, and again within a few seconds of a change. Not set: the gateway is open, requires no key, and refuses NODE_ENV=production.',
    example: '.local/keys.json',
  }).optional(),
  OFFSETS_URL: origin({
    description: 'The URL of the offsets service, http://host:port without a path; there is no TLS between the apps.',
    fallback: 'http://127.0.0.1:3001',
  }),
  OFFSETS_TIMEOUT_MS: milliseconds(
    2_500,
    'The timeout of calls to the offsets service, in milliseconds. That service itself waits up to 1 s for a new offset.',
    { min: 1_200, max: 10_000 },
  ),
  CATALOG_URL: origin({
    description: 'The URL of the catalog, http://host:port without a path; there is no TLS between the apps.',
    fallback: 'http://127.0.0.1:3002',
  }),
  CATALOG_TIMEOUT_MS: milliseconds(
    1_600,
    'The timeout of calls to the catalog, in milliseconds; above 1,900 a search may take longer than 2 s.',
    {
      min: 100,
      max: 10_000,
    },
  ),
  CATALOG_CONNECTIONS: integer(1, 1_000, {
    description:
      'How many calls to the catalog run at a time; further calls wait in a fair queue by account. With far more than two for each core of OpenSearch, searches queue there during an overload and time out together.',
    fallback: '8',
  }),
  ACCEPT_TIMEOUT_MS: milliseconds(
    5_000,
    'How long a new offset may wait for Kafka to confirm it, in milliseconds; then it is answered with 503.',
    { min: 100, max: 5_200 },
  ),
  ACCEPT_IN_FLIGHT: integer(1, 100_000, {
    description: 'How many new offsets may wait for Kafka at a time; more are answered with 503.',
    fallback: '2000',
  }),
  REQUESTS_IN_FLIGHT: integer(1, 1_000_000, {
    description: 'How many requests under /v1 may be in progress at a time; more are answered with 503.',
    fallback: '4000',
  }),
  REQUESTS_PER_ACCOUNT: integer(1, 1_000_000, {
    description:
      'How many requests under /v1 one account may have in progress, over all its keys. Not set: a quarter of REQUESTS_IN_FLIGHT. Not used while the gateway is open.',
    example: '1000',
  }).optional(),
  REQUESTS_PER_CONNECTION: integer(1, 100_000, {
    description: 'How many requests one connection may have in progress, by pipelining.',
    fallback: '100',
  }),
  ...limitSettings,
  CORS_ORIGINS: origins(
    'The origins whose pages may call the gateway and read its responses, separated by commas. Not set: none.',
  ).optional(),
  CONSOLE_DIR: text(/^[^\0]+$/, 'a path', {
    description:
      'The folder of the built console, served under /console; `npm start` sets it. Not set: there is no console.',
    example: 'apps/console/dist',
  }).optional(),
  REPLAY_RECENT: integer(1, 10_000_000, {
    description: 'How many offsets one process caches to recognize replays; each takes about 300 bytes of memory.',
    fallback: '100000',
  }),
  REPLAY_RECENT_MS: milliseconds(
    600_000,
    'How long one process caches an offset to recognize replays, in milliseconds.',
  ),
  REPLAY_TIMEOUT_MS: milliseconds(
    150,
    'The timeout of the look-up of an Idempotency-Key in the offsets service, in milliseconds; then the offset is accepted without it.',
    { min: 1, max: 200 },
  ),
  REPLAY_CONNECTIONS: integer(1, 1_000, {
    description:
      'How many requests that look up Idempotency-Keys run at a time; under load one request looks up many keys.',
    fallback: '16',
  }),
  IDEMPOTENCY_KEY_REQUIRED: flag(
    false,
    'Whether every new offset needs an Idempotency-Key. When false, only those of API keys made with --require-idempotency-key.',
  ),
  ID_SECRETS: secretList(
    'The secrets that sign the ids of estimates, and of offsets created without an Idempotency-Key.',
  ),
  IDEMPOTENCY_SECRETS: secretList(
    'The secrets that derive an id from an Idempotency-Key; when the first one changes, earlier keys are no longer recognized.',
  ),
});

/** The gateway's settings, by their environment names. */
export const gatewaySettings = settings.refine(isNotOpenInProduction, {
  path: ['NODE_ENV'],
  error: OPEN_IN_PRODUCTION,
  // Also when another setting is invalid: all errors are reported at once.
  when: () => true,
});

function isNotOpenInProduction(settings: { readonly NODE_ENV?: string; readonly API_KEYS_FILE?: string | undefined }) {
  return settings.NODE_ENV !== 'production' || settings.API_KEYS_FILE !== undefined;
}

/** The gateway's settings as read. */
export type GatewayConfig = Readonly<z.output<typeof gatewaySettings>>;

/** A URL without path, query or user, because the clients of the apps would ignore them. */
function origin(about: { readonly description: string; readonly fallback: string }): Setting<string> {
  const error = 'must be http://host or http://host:port alone';
  return url(['http'], about)
    .refine((value) => !URL.canParse(value) || new URL(value).href === `${new URL(value).origin}/`, { error })
    .meta(about);
}
