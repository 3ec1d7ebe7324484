import { Health, Metrics } from '@carbon/observability';
import { Module } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { limitMetrics } from '../gateway.metrics.js';
import { NO_PROXIES } from './caller-address.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { Counters, LocalCounters } from './counters.js';
import type { LimitSetting } from './limit-settings.js';
import { RateLimiter } from './rate-limiter.js';
import { RedisCounters } from './redis-counters.js';

/** Rate limits, counted in this process or in Redis, and the concurrency limit. */
@Module({
  providers: [
    {
      provide: RedisCounters,
      inject: [GATEWAY_CONFIG, Metrics, Health],
      useFactory: redisCounters,
    },
    {
      provide: RateLimiter,
      inject: [GATEWAY_CONFIG, Metrics, RedisCounters],
      useFactory: rateLimiter,
    },
    ConcurrencyLimit,
  ],
  exports: [RateLimiter, ConcurrencyLimit],
})
export class LimitsModule {}

function rateLimiter(config: GatewayConfig, metrics: Metrics, redis: RedisCounters | undefined): RateLimiter {
  const counters = () => new Counters(new LocalCounters({ maxBuckets: config.RATE_LIMIT_CALLERS }), redis);
  const options = {
    counters: { key: counters(), open: counters(), failed_key: counters() },
    open: limitOf(config.RATE_LIMIT_OPEN),
    failedKeys: limitOf(config.RATE_LIMIT_FAILED_KEYS),
    proxies: config.TRUSTED_PROXIES ?? NO_PROXIES,
  };
  return new RateLimiter(options, metrics);
}

/** Returns undefined without `RATE_LIMIT_REDIS_URL`. */
function redisCounters(config: GatewayConfig, metrics: Metrics, health: Health): RedisCounters | undefined {
  const { RATE_LIMIT_REDIS_URL: url } = config;
  if (url === undefined) return undefined;
  const { redisUp, redisDuration } = metrics.of(limitMetrics);
  const redis = new RedisCounters({
    url,
    tls: {
      ca: config.RATE_LIMIT_REDIS_CA_FILE,
      certificate: config.RATE_LIMIT_REDIS_CERT_FILE,
      key: config.RATE_LIMIT_REDIS_KEY_FILE,
    },
    prefix: config.RATE_LIMIT_REDIS_PREFIX,
    timeoutMs: config.RATE_LIMIT_REDIS_TIMEOUT_MS,
    onCall: (seconds, outcome) => redisDuration.observe({ outcome }, seconds),
  });
  metrics.onScrape(() => redisUp.set(redis.isAvailable ? 1 : 0));
  // The process counts without it, so it is reported and not needed.
  health.register('redis', () => redis.checkHealth(), { affectsReadiness: false });
  return redis;
}

function limitOf(setting: LimitSetting | undefined) {
  return setting === 'unlimited' ? undefined : setting;
}
