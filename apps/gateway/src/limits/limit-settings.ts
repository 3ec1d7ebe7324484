import {
  integer,
  milliseconds,
  readableFile,
  type Setting,
  type SettingMeta,
  setting,
  text,
  url,
} from '@carbon/config';
import { z } from 'zod';
import { proxiesOf, type TrustedProxies } from './caller-address.js';
import type { Limit } from './token-bucket.js';

/** A limit, or none. */
export type LimitSetting = Limit | 'unlimited';

const MAX_PER_SECOND = 10_000;
const MAX_BURST = 1_000_000;
const LIMIT_FORM = /^(\d{1,5}(?:\.\d{1,3})?)\/(\d{1,7})$/;
const EXPECTED_LIMIT = `must be <requests a second>/<requests at once>, such as 10/20 or 0.1/5 (at most ${MAX_PER_SECOND}/${MAX_BURST}), or unlimited`;
const EXPECTED_PROXIES = 'must be addresses or networks (10.0.0.0/8, fd00::/8), separated by commas';

/** The rate limits of the gateway. The plans of keys are in the key file. */
export const limitSettings = {
  RATE_LIMIT_FAILED_KEYS: limitSetting({
    description:
      'How often one address may send requests without a valid key before it gets 429 instead of 401: a rate and a burst, such as 1/60 for 1 request a second on average and 60 at once, or unlimited.',
    fallback: '1/60',
  }),
  RATE_LIMIT_OPEN: limitSetting({
    description:
      'How often one address may call while the gateway is open (API_KEYS_FILE not set): a rate and a burst, such as 100/200, or unlimited. Not set: without a limit.',
    example: '100/200',
  }).optional(),
  RATE_LIMIT_CALLERS: integer(100, 10_000_000, {
    description:
      'How many callers one process counts separately, keys and addresses each; each takes about 150 bytes of memory. Beyond that, new callers are counted together.',
    fallback: '100000',
  }),
  RATE_LIMIT_REDIS_URL: redisUrl().optional(),
  RATE_LIMIT_REDIS_CA_FILE: readableFile({
    description:
      'The certificates (PEM) of the authorities that sign Redis’ certificate, for rediss://. Not set: those that Node trusts.',
    example: '/etc/redis/ca.pem',
  }).optional(),
  RATE_LIMIT_REDIS_CERT_FILE: readableFile({
    description: 'The client certificate (PEM), if Redis requires one.',
    example: '/etc/redis/client.pem',
  }).optional(),
  RATE_LIMIT_REDIS_KEY_FILE: readableFile({
    description: 'The private key (PEM, not encrypted) of the client certificate.',
    example: '/etc/redis/client.key',
  }).optional(),
  RATE_LIMIT_REDIS_PREFIX: text(
    /^[A-Za-z0-9:._-]{0,64}$/,
    'at most 64 letters, digits, colons, dots, dashes and underscores',
    {
      description: 'The prefix of every key in Redis, so that systems can share one.',
      fallback: 'carbon:limits:',
    },
  ),
  RATE_LIMIT_REDIS_TIMEOUT_MS: milliseconds(
    50,
    'The timeout of Redis, in milliseconds; then the process counts the request itself.',
    { min: 1, max: 1_000 },
  ),
  TRUSTED_PROXIES: trustedProxies(
    'The proxies before the gateway, as addresses and networks separated by commas, whose X-Forwarded-For is trusted. Not set: none, and the address of a request is that of its connection.',
  ).optional(),
};

/** An address with nothing behind host and port, or the number of a database. */
function redisUrl() {
  const about = {
    description:
      'A Redis (5 or newer, or Valkey) that counts for several gateways together; rediss:// for TLS. Not set: each process counts by itself.',
    example: 'rediss://user:password@redis.example:6379',
    secret: true,
  };
  const error = 'must end with its host and port, or with the number of a database behind them';
  return url(['redis', 'rediss'], about)
    .refine((value) => !URL.canParse(value) || /^(\/\d{1,5})?$/.test(new URL(value).pathname), { error })
    .meta({ ...about });
}

type LimitMeta = SettingMeta & { readonly fallback?: string };

function limitSetting(meta: LimitMeta): Setting<LimitSetting> {
  return parsedSetting((text) => (text === 'unlimited' ? text : limitOf(text)), EXPECTED_LIMIT, meta);
}

function limitOf(text: string): Limit | undefined {
  const [, perSecond, burst] = LIMIT_FORM.exec(text) ?? [];
  const limit = { perSecond: Number(perSecond), burst: Number(burst) };
  const isInBounds = limit.perSecond > 0 && limit.perSecond <= MAX_PER_SECOND && limit.burst <= MAX_BURST;
  return isInBounds && limit.burst >= 1 ? limit : undefined;
}

function trustedProxies(description: string): Setting<TrustedProxies> {
  const parse = (list: string) => proxiesOf(list.split(',').map((entry) => entry.trim()));
  return parsedSetting(parse, EXPECTED_PROXIES, { description, example: '10.0.0.0/8,fd00::/8' });
}

function parsedSetting<T>(parse: (text: string) => T | undefined, expected: string, meta: LimitMeta): Setting<T> {
  const schema = z.string().transform((text, context): T => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: expected });
    return z.NEVER;
  });
  return setting(schema, meta);
}
