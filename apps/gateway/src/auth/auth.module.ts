import { Metrics } from '@carbon/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import type { GatewayConfig } from '../gateway.config.js';
import { keyMetrics } from '../gateway.metrics.js';
import { LimitsModule } from '../limits/limits.module.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { AuthenticationStep } from './authentication-step.js';
import { AnonymousAuthenticator, Authenticator } from './authenticator.js';
import { KeyFileWatcher } from './key-file-watcher.js';

/** Authentication and scopes. With `API_KEYS_FILE` callers need an API key, without it the gateway is open. */
@Module({ imports: [LimitsModule], providers: [AuthenticationStep], exports: [AuthenticationStep] })
export class AuthModule {}

/** {@link AuthModule} with its authenticator. @throws ConfigError for a key file that is missing or invalid */
export function authModule({ API_KEYS_FILE: path }: Pick<GatewayConfig, 'API_KEYS_FILE'>): DynamicModule {
  return { module: AuthModule, providers: path === undefined ? openMode() : keyed(new KeyFileWatcher(path)) };
}

function keyed(keyFile: KeyFileWatcher): Provider[] {
  return [
    { provide: KeyFileWatcher, inject: [Metrics], useFactory: (metrics: Metrics) => keyFile.exportMetrics(metrics) },
    { provide: Authenticator, useClass: ApiKeyAuthenticator },
  ];
}

/** Declares the metrics of keys even without keys, so that they have no values. */
function openMode(): Provider[] {
  const useFactory = (metrics: Metrics) => {
    metrics.of(keyMetrics);
    return new AnonymousAuthenticator();
  };
  return [{ provide: Authenticator, inject: [Metrics], useFactory }];
}
