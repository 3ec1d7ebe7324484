import { Health, Metrics } from '@carbon/observability';
import { Module, type OnModuleInit, type Provider, type Type } from '@nestjs/common';
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { CatalogClient, FingerprintClient, OffsetLookupClient, OffsetsClient } from './clients.js';
import type { UpstreamClient, UpstreamOptions } from './upstream-client.js';

/** As many reads by id as may wait at a time, each for up to 1 s, for an offset that is being recorded. */
const LOOKUP_CONNECTIONS = 1_000;

function client<C extends UpstreamClient>(
  provide: Type<C>,
  options: (config: GatewayConfig) => Omit<UpstreamOptions, 'secret'>,
): Provider {
  return {
    provide,
    inject: [GATEWAY_CONFIG, Metrics],
    useFactory: (config: GatewayConfig, metrics: Metrics) => {
      const [secret = ''] = config.INTERNAL_SECRETS;
      return new provide({ ...options(config), secret }, metrics);
    },
  };
}

const offsets = ({ OFFSETS_URL: url, OFFSETS_TIMEOUT_MS: timeoutMs }: GatewayConfig) => ({
  name: 'offsets service',
  url,
  timeoutMs,
});

/** The clients of the other apps. The gateway stays ready while any dependency answers, because each serves other routes. */
@Module({
  providers: [
    client(OffsetsClient, (config) => ({ ...offsets(config), label: 'offsets' })),
    client(OffsetLookupClient, (config) => ({
      ...offsets(config),
      label: 'offset_lookups',
      connections: LOOKUP_CONNECTIONS,
    })),
    client(FingerprintClient, (config) => ({
      ...offsets(config),
      label: 'offset_fingerprints',
      timeoutMs: config.REPLAY_TIMEOUT_MS,
      connections: config.REPLAY_CONNECTIONS,
    })),
    client(CatalogClient, (config) => ({
      name: 'catalog',
      label: 'catalog',
      url: config.CATALOG_URL,
      timeoutMs: config.CATALOG_TIMEOUT_MS,
      connections: config.CATALOG_CONNECTIONS,
    })),
  ],
  exports: [OffsetsClient, OffsetLookupClient, FingerprintClient, CatalogClient],
})
export class UpstreamModule implements OnModuleInit {
  constructor(
    private readonly health: Health,
    private readonly offsets: OffsetsClient,
    private readonly catalog: CatalogClient,
  ) {}

  onModuleInit(): void {
    this.health.register('offsets', () => this.offsets.checkHealth());
    this.health.register('catalog', () => this.catalog.checkHealth());
  }
}
