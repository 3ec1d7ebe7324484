import { Module } from '@nestjs/common';
import { OFFSETS_CONFIG, type OffsetsConfig } from '../offsets.config.js';
import { HttpRegistry } from './http-registry.js';
import { BuiltInRegistry, Registry } from './registry.js';

/** The registry that retires credits: an external one, or the ledger itself. */
@Module({
  providers: [
    {
      provide: Registry,
      inject: [OFFSETS_CONFIG],
      useFactory: (config: OffsetsConfig) =>
        config.REGISTRY_URL === undefined ? new BuiltInRegistry() : new HttpRegistry(config.REGISTRY_URL, config),
    },
  ],
  exports: [Registry],
})
export class RegistryModule {}
