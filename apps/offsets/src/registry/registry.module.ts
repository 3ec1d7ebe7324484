import { Module } from '@nestjs/common';
import { OFFSETS_CONFIG, type OffsetsConfig } from '../offsets.config.js';
import { HttpRegistry } from './registry.http.js';
import { Registry } from './registry.js';
import { LedgerRegistry } from './registry.ledger.js';

/** The registry that retires credits: an external one, or the ledger itself. */
@Module({
  providers: [
    {
      provide: Registry,
      inject: [OFFSETS_CONFIG],
      useFactory: (config: OffsetsConfig) =>
        config.REGISTRY_URL === undefined ? new LedgerRegistry() : new HttpRegistry(config.REGISTRY_URL, config),
    },
  ],
  exports: [Registry],
})
export class RegistryModule {}
