import { InternalDoor } from '@carbon/faults';
import { createKafka, type KafkaHandle, Publisher, SelfClockedProducer } from '@carbon/messaging';
import { type Logger, Metrics, managementModule } from '@carbon/observability';
import { Cursors } from '@carbon/paging';
import { type DynamicModule, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ReserveCredits } from './allocate/reserve-credits.js';
import { PruneOutbox } from './announce/prune-outbox.js';
import { RelayEvents } from './announce/relay-events.js';
import { Consumers } from './consumers.js';
import { Preference } from './domain/preference.js';
import { EstimatesController } from './estimates/estimates.controller.js';
import { FindEstimate } from './estimates/find-estimate.js';
import { MakeEstimate } from './estimates/make-estimate.js';
import { PruneEstimates } from './estimates/prune-estimates.js';
import { WatchDependencies } from './health/watch-dependencies.js';
import { ProcessFigures } from './metrics/process-figures.js';
import { ProgressNumbers } from './metrics/progress-numbers.js';
import { StoreFigures } from './metrics/store-figures.js';
import { SupplyFigures } from './metrics/supply-figures.js';
import type { OffsetsConfig } from './offsets.config.js';
import { Bells } from './pace/bell.js';
import { FreshEvents } from './pace/fresh-events.js';
import { SupplyGate } from './pace/gate.js';
import { FindAssetNames } from './persistence/asset-names.js';
import { dataSourceOptions } from './persistence/data-source-options.js';
import { Database } from './persistence/database.js';
import { OwnRows } from './persistence/own-rows.js';
import { FindFingerprint } from './read/find-fingerprint.js';
import { FindOffset } from './read/find-offset.js';
import { FindReceipt } from './read/find-receipt.js';
import { FingerprintController } from './read/fingerprint.controller.js';
import { ListOffsets } from './read/list-offsets.js';
import { ReadController } from './read/read.controller.js';
import { ReceiptController } from './read/receipt.controller.js';
import { ReceiveController } from './receive/receive.controller.js';
import { RecordOffsets } from './receive/record-offsets.js';
import { AskRegistry, AskSettings } from './retire/ask-registry.js';
import { HttpRegistry } from './retire/registry.http.js';
import { Registry } from './retire/registry.js';
import { LedgerRegistry } from './retire/registry.ledger.js';
import { RetireOffsets } from './retire/retire-offsets.js';
import { SettleAnswers } from './retire/settle-answers.js';
import { StraightThrough } from './straight-through.js';
import { FollowSupply } from './supply/follow-supply.js';
import { SupplyController } from './supply/supply.controller.js';
import { Workers } from './workers.js';

/** An offset retired from very many assets makes a large event; Kafka takes 1 MiB. */
const LARGEST_EVENT_BYTES = 1_000_000;

const STATEMENT_MS = 5_000;

/** The offsets service put together, in the order in which an offset passes through. */
@Module({
  controllers: [
    ReceiveController,
    SupplyController,
    ReadController,
    ReceiptController,
    EstimatesController,
    FingerprintController,
  ],
  providers: [
    Database,
    OwnRows,
    FindAssetNames,
    Bells,
    FreshEvents,
    SupplyGate,
    StraightThrough,
    RecordOffsets,
    ReserveCredits,
    SettleAnswers,
    AskRegistry,
    RetireOffsets,
    RelayEvents,
    PruneOutbox,
    FindOffset,
    FindReceipt,
    FindFingerprint,
    ListOffsets,
    FindEstimate,
    MakeEstimate,
    PruneEstimates,
    Workers,
    WatchDependencies,
    ProgressNumbers,
    StoreFigures,
    SupplyFigures,
    ProcessFigures,
  ],
})
export class OffsetsModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly producer: SelfClockedProducer) {}

  static with(config: OffsetsConfig, logger: Logger): DynamicModule {
    const newKafka = (metrics: Metrics) => kafkaOf(config, logger, metrics);
    return {
      module: OffsetsModule,
      imports: [managementModule('offsets', config), dataSourceOf(config, logger)],
      providers: [
        { provide: Registry, useFactory: () => registryOf(config) },
        { provide: AskSettings, useValue: askSettingsOf(config) },
        {
          provide: SelfClockedProducer,
          inject: [Metrics],
          useFactory: (metrics: Metrics) =>
            new SelfClockedProducer(newKafka(metrics), { messageBytes: LARGEST_EVENT_BYTES }),
        },
        { provide: Publisher, useExisting: SelfClockedProducer },
        { provide: Preference, useValue: config.PREFERENCE },
        { provide: Cursors, useValue: new Cursors(config.CURSOR_SECRETS) },
        {
          provide: InternalDoor,
          inject: [HttpAdapterHost],
          useFactory: (host: HttpAdapterHost) => new InternalDoor(host, config.INTERNAL_SECRETS),
        },
        {
          provide: FollowSupply,
          inject: [Database, SupplyGate, Metrics],
          useFactory: (database: Database, gate: SupplyGate, metrics: Metrics) =>
            new FollowSupply(database, newKafka(metrics), gate),
        },
        {
          provide: Consumers,
          inject: [Database, FollowSupply, Metrics],
          useFactory: (database: Database, follow: FollowSupply, metrics: Metrics) =>
            new Consumers(() => newKafka(metrics), database, follow),
        },
      ],
    };
  }

  onModuleInit(): void {
    this.producer.open();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.producer.close();
  }
}

function registryOf(config: OffsetsConfig): Registry {
  return config.REGISTRY_URL === undefined ? new LedgerRegistry() : new HttpRegistry(config.REGISTRY_URL, config);
}

function askSettingsOf(config: OffsetsConfig): AskSettings {
  const { REGISTRY_RETRY_MIN_MS: firstMs, REGISTRY_RETRY_MAX_MS: lastMs } = config;
  return { firstMs, lastMs, alarmAttempts: config.REGISTRY_ALARM_ATTEMPTS };
}

function kafkaOf({ KAFKA_BROKERS, TOPIC_PREFIX }: OffsetsConfig, logger: Logger, metrics: Metrics): KafkaHandle {
  return createKafka({ brokers: KAFKA_BROKERS, clientId: 'offsets', topicPrefix: TOPIC_PREFIX, logger, metrics });
}

/** `Database` opens it, in the background, for it must not matter to the app's start whether PostgreSQL is there. */
function dataSourceOf({ DATABASE_URL, DATABASE_POOL }: OffsetsConfig, logger: Logger): DynamicModule {
  const options = dataSourceOptions({
    url: DATABASE_URL,
    applicationName: 'offsets',
    poolSize: DATABASE_POOL,
    statementMs: STATEMENT_MS,
    onIdleError: (err) => logger.warn({ err }, 'An idle connection to PostgreSQL broke'),
  });
  return TypeOrmModule.forRoot({ ...options, manualInitialization: true });
}
