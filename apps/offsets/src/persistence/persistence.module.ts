import type { Logger } from '@carbon/observability';
import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { OffsetsConfig } from '../offsets.config.js';
import { dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { OutcomePositions } from './outcome-positions.js';
import { OwnRows } from './own-rows.js';

const STATEMENT_TIMEOUT_MS = 5_000;

/** The module class behind {@link persistenceModule}. */
@Module({ providers: [Database, OwnRows, OutcomePositions], exports: [Database, OwnRows, OutcomePositions] })
export class PersistenceModule {}

/** Provides PostgreSQL. {@link Database} connects in the background, because the app must start without it. */
export function persistenceModule(config: OffsetsConfig, logger: Logger): DynamicModule {
  const options = dataSourceOptions({
    url: config.DATABASE_URL,
    applicationName: 'offsets',
    poolSize: config.DATABASE_POOL,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    session: config.DATABASE_POOLER === 'transaction' ? 'pooled' : 'direct',
    onIdleError: (err) => logger.warn({ err }, 'An idle connection to PostgreSQL broke'),
  });
  return {
    module: PersistenceModule,
    global: true,
    imports: [TypeOrmModule.forRoot({ ...options, manualInitialization: true })],
  };
}
