import {
  httpSettings,
  internalSettings,
  kafkaSettings,
  logSettings,
  milliseconds,
  origins,
  secretList,
  text,
  url,
  whole,
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
      'The file of the keys that callers are known by, made by `npm run keys`; read at the start, and again within a few seconds of a change. Not set: the gateway is open, asks nobody for a key, and refuses NODE_ENV=production.',
    example: '.local/keys.json',
  }).optional(),
  OFFSETS_URL: url(['http'], {
    description: 'Where the offsets service answers.',
    fallback: 'http://127.0.0.1:3001',
  }),
  OFFSETS_TIMEOUT_MS: milliseconds(
    2_500,
    'How long the offsets service may take to answer, in milliseconds; it waits up to 1 s for a new offset by itself.',
    { min: 1_200, max: 10_000 },
  ),
  CATALOG_URL: url(['http'], { description: 'Where the catalog answers.', fallback: 'http://127.0.0.1:3002' }),
  CATALOG_TIMEOUT_MS: milliseconds(
    1_600,
    'How long the catalog may take to answer, in milliseconds; above 1,900 a search may be answered later than in 2 s.',
    {
      min: 100,
      max: 10_000,
    },
  ),
  ACCEPT_TIMEOUT_MS: milliseconds(
    5_000,
    'How long a new offset may wait for its confirmation by Kafka before it is answered with 503, in milliseconds.',
    { min: 100, max: 5_200 },
  ),
  ACCEPT_IN_FLIGHT: whole(1, 100_000, {
    description: 'How many new offsets may wait for Kafka at a time; more are answered with 503.',
    fallback: '2000',
  }),
  REQUESTS_IN_FLIGHT: whole(1, 1_000_000, {
    description: 'How many requests under /v1 may be begun and not answered at a time; more are answered with 503.',
    fallback: '4000',
  }),
  REQUESTS_PER_ACCOUNT: whole(1, 1_000_000, {
    description:
      'How many of these may be of one account, whatever keys it shows. Not set: a quarter. An open gateway does not ask.',
    example: '1000',
  }).optional(),
  REQUESTS_PER_CONNECTION: whole(1, 100_000, {
    description: 'How many of these may be of one connection, which then sends on without waiting for answers.',
    fallback: '100',
  }),
  ...limitSettings,
  CORS_ORIGINS: origins(
    'The origins whose pages may ask the gateway and read its answers, separated by commas. Not set: none.',
  ).optional(),
  REPLAY_RECENT: whole(1, 10_000_000, {
    description:
      'How many offsets one process remembers to know a replay by itself; each takes about 300 bytes of memory.',
    fallback: '100000',
  }),
  REPLAY_RECENT_MS: milliseconds(600_000, 'How long it remembers them, in milliseconds.'),
  REPLAY_TIMEOUT_MS: milliseconds(
    150,
    'How long the offsets service may take to say whether it knows an Idempotency-Key, in milliseconds; then the offset is accepted without.',
    { min: 1, max: 200 },
  ),
  REPLAY_CONNECTIONS: whole(1, 1_000, {
    description: 'How many such questions are asked at a time.',
    fallback: '16',
  }),
  ID_SECRETS: secretList('What makes the ids of offsets provable.'),
  IDEMPOTENCY_SECRETS: secretList(
    'What an id is derived with from an Idempotency-Key; a new first one forgets the keys of the past.',
  ),
});

/** The gateway's settings, by their environment names. */
export const gatewaySettings = settings.refine(isNotOpenInProduction, {
  path: ['NODE_ENV'],
  error: OPEN_IN_PRODUCTION,
  // Also when another setting is invalid: all faults are reported at once.
  when: () => true,
});

function isNotOpenInProduction(settings: { readonly NODE_ENV?: string; readonly API_KEYS_FILE?: string | undefined }) {
  return settings.NODE_ENV !== 'production' || settings.API_KEYS_FILE !== undefined;
}

/** The gateway's settings as read. */
export type GatewayConfig = Readonly<z.output<typeof gatewaySettings>>;
