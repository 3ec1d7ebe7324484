import { bytes, integer, milliseconds, type Setting, setting, url } from '@carbon/config';
import { z } from 'zod';

const TOKEN = /^[\x21-\x7e]{16,4096}$/;

/** The settings of the registry that retires credits: our own ledger unless REGISTRY_URL is set. */
export const registrySettings = {
  REGISTRY_URL: address().optional(),
  REGISTRY_TOKEN: token().optional(),
  REGISTRY_CONCURRENCY: integer(1, 1_000, {
    description: 'The maximum number of concurrent calls of one process to the registry.',
    fallback: '16',
  }),
  REGISTRY_CONNECT_TIMEOUT_MS: milliseconds(2_000, 'The timeout of a connection to the registry, in milliseconds.', {
    min: 100,
    max: 60_000,
  }),
  REGISTRY_TIMEOUT_MS: milliseconds(
    10_000,
    'The timeout of a call to the registry, to the last byte of the answer, in milliseconds; then the outcome is unknown, and the call is retried.',
    { min: 100, max: 120_000 },
  ),
  REGISTRY_ANSWER_BYTES: bytes(16_384, 'By how many bytes a response of the registry may be longer than the request.', {
    min: 256,
    max: 2 ** 20,
  }),
  REGISTRY_RETRY_MIN_MS: milliseconds(
    1_000,
    'The pause before the first retry of an offset at the registry, in milliseconds; doubled each time.',
    { min: 10, max: 600_000 },
  ),
  REGISTRY_RETRY_MAX_MS: milliseconds(
    60_000,
    'The longest pause between two attempts at one offset, in milliseconds; a longer Retry-After of the registry is cut to it.',
    { min: 10, max: 3_600_000 },
  ),
  REGISTRY_BREAKER_FAILURES: integer(1, 1_000, {
    description: 'After so many calls in a row without a definite answer, the registry is not called for a while.',
    fallback: '5',
  }),
  REGISTRY_BREAKER_MIN_MS: milliseconds(
    1_000,
    'How long the registry is not called when the circuit breaker opens, in milliseconds; then one offset is tried, and the time is doubled if it fails.',
    { min: 10, max: 600_000 },
  ),
  REGISTRY_BREAKER_MAX_MS: milliseconds(
    30_000,
    'The longest time for which the registry is not called, in milliseconds.',
    {
      min: 10,
      max: 600_000,
    },
  ),
  REGISTRY_ALARM_ATTEMPTS: integer(1, 10_000, {
    description: 'An error is logged after every so many failed attempts of one offset.',
    fallback: '10',
  }),
};

/** These settings as read. */
export type RegistryConfig = Readonly<z.output<z.ZodObject<typeof registrySettings>>>;

/** A query or a user in the URL would be left out of every call without an error. */
function address(): Setting<string> {
  const error = 'must end with its path and hold no user: set REGISTRY_TOKEN instead';
  const about = {
    description: 'The external registry that retires credits; without it they are retired in our own ledger alone.',
    example: 'https://credits.example/v1',
  };
  return url(['https', 'http'], about)
    .refine((value) => !/[?#@]/.test(value), { error })
    .meta(about);
}

function token(): Setting<string> {
  const error = 'must be 16 to 4096 visible ASCII characters';
  return setting(z.string().regex(TOKEN, { error }), {
    description:
      'The token that authenticates us to the registry, sent as `Authorization: Bearer`. Not set: no token is sent.',
    secret: true,
  });
}
