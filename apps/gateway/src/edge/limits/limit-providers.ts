import { Health, Metrics } from '@carbon/observability';
import type { Provider } from '@nestjs/common';
import { limitMetrics } from '../../gateway.metrics.js';
import { Doorkeeper } from '../doorkeeper.js';
import type { Limit } from './bucket.js';
import { CallerLimit } from './caller-limit.js';
import { Counters } from './counters.js';
import type { LimitSetting } from './limit-setting.js';
import { LimitedDoor } from './limited-door.js';
import { OwnCounters } from './own-counters.js';
import { RateLimits } from './rate-limits.js';
import { RedisCounters } from './redis-counters.js';
import { NO_PROXIES, type TrustedProxies } from './trusted-proxies.js';

/** The settings that limits are made from. */
export interface LimitConfig {
  readonly RATE_LIMIT_FAILED_KEYS: LimitSetting;
  readonly RATE_LIMIT_OPEN?: LimitSetting | undefined;
  readonly RATE_LIMIT_CALLERS: number;
  readonly RATE_LIMIT_REDIS_URL?: string | undefined;
  readonly RATE_LIMIT_REDIS_CA_FILE?: string | undefined;
  readonly RATE_LIMIT_REDIS_CERT_FILE?: string | undefined;
  readonly RATE_LIMIT_REDIS_KEY_FILE?: string | undefined;
  readonly RATE_LIMIT_REDIS_PREFIX: string;
  readonly RATE_LIMIT_REDIS_TIMEOUT_MS: number;
  readonly TRUSTED_PROXIES?: TrustedProxies | undefined;
}

/** The two steps of the admission that limit how often one may call, and what they count with. */
export function limitProviders(config: LimitConfig): Provider[] {
  const proxies = config.TRUSTED_PROXIES ?? NO_PROXIES;
  const failures = limitOf(config.RATE_LIMIT_FAILED_KEYS);
  const open = limitOf(config.RATE_LIMIT_OPEN);
  return [
    {
      provide: RateLimits,
      inject: [Metrics, Health],
      useFactory: (metrics: Metrics, health: Health) => rateLimits(config, metrics, health),
    },
    {
      provide: LimitedDoor,
      inject: [Doorkeeper, RateLimits],
      useFactory: (door: Doorkeeper, limits: RateLimits) => new LimitedDoor(door, limits, { failures, proxies }),
    },
    {
      provide: CallerLimit,
      inject: [RateLimits],
      useFactory: (limits: RateLimits) => new CallerLimit(limits, { open, proxies }),
    },
  ];
}

function rateLimits(config: LimitConfig, metrics: Metrics, health: Health): RateLimits {
  const redis = redisCounters(config, metrics, health);
  const counters = () => new Counters(new OwnCounters({ most: config.RATE_LIMIT_CALLERS }), redis);
  const close = () => redis?.close();
  return new RateLimits({ key: counters(), open: counters(), failed_key: counters() }, metrics, close);
}

function redisCounters(config: LimitConfig, metrics: Metrics, health: Health): RedisCounters | undefined {
  const {
    RATE_LIMIT_REDIS_URL: url,
    RATE_LIMIT_REDIS_PREFIX: prefix,
    RATE_LIMIT_REDIS_TIMEOUT_MS: deadlineMs,
  } = config;
  if (url === undefined) return undefined;
  const tls = {
    ca: config.RATE_LIMIT_REDIS_CA_FILE,
    certificate: config.RATE_LIMIT_REDIS_CERT_FILE,
    key: config.RATE_LIMIT_REDIS_KEY_FILE,
  };
  const { redisAnswers, redisDuration } = metrics.of(limitMetrics);
  const onAsked = (seconds: number, outcome: string) => redisDuration.observe({ outcome }, seconds);
  const redis = new RedisCounters({ url, tls, prefix, deadlineMs, onAsked });
  metrics.onScrape(() => redisAnswers.set(redis.answers ? 1 : 0));
  // Without it the process counts by itself: it is shown, and decides nothing.
  health.register('redis', () => redis.check(), { isNeeded: false });
  return redis;
}

function limitOf(setting: LimitSetting | undefined): Limit | undefined {
  return setting === 'unlimited' ? undefined : setting;
}
