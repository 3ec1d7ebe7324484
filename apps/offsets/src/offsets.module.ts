import { Cursors, ServiceAuthenticator } from '@carbon/http';
import { createKafka, type KafkaHandle, kafkaConnection, Publisher, SelfClockedProducer } from '@carbon/messaging';
import { type Logger, Metrics, managementModule } from '@carbon/observability';
import { type DynamicModule, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Consumers } from './consumers.js';
import { Preference } from './domain/preference.js';
import { EstimatesController } from './estimates/estimates.controller.js';
import { FindEstimate } from './estimates/find-estimate.js';
import { MakeEstimate } from './estimates/make-estimate.js';
import { PruneEstimates } from './estimates/prune-estimates.js';
import { QueuedOffsets } from './fulfillment/queued-offsets.js';
import { SupplyGate } from './fulfillment/readiness-gate.js';
import { AnswerRecorder } from './fulfillment/record-answers.js';
import { CreditReserver } from './fulfillment/reserve.js';
import { CreditRetirer, RetrySettings } from './fulfillment/retire.js';
import { SingleTransactionPath } from './fulfillment/single-transaction.js';
import { WakeSignals } from './fulfillment/wake-signal.js';
import { KafkaReach } from './health/kafka-reach.js';
import { WatchDependencies } from './health/watch-dependencies.js';
import { ProcessFigures } from './metrics/process-figures.js';
import { ProgressNumbers } from './metrics/progress-numbers.js';
import { RequestNumbers } from './metrics/request-numbers.js';
import { StoreFigures } from './metrics/store-figures.js';
import { SupplyFigures } from './metrics/supply-figures.js';
import type { OffsetsConfig } from './offsets.config.js';
import { FreshEvents } from './outbox/fresh-events.js';
import { OutboxRetention, PruneOutbox } from './outbox/prune-outbox.js';
import { RelayEvents } from './outbox/relay-events.js';
import { FindAssetNames } from './persistence/asset-names.js';
import { dataSourceOptions } from './persistence/data-source-options.js';
import { Database } from './persistence/database.js';
import { KnownPositions } from './persistence/outcome-positions.js';
import { OwnRows } from './persistence/own-rows.js';
import { FindFingerprint } from './query/find-fingerprint.js';
import { FindOffset } from './query/find-offset.js';
import { FindReceipt } from './query/find-receipt.js';
import { FingerprintController } from './query/fingerprint.controller.js';
import { ListOffsets } from './query/list-offsets.js';
import { ReadController } from './query/read.controller.js';
import { ReceiptController } from './query/receipt.controller.js';
import { ReceiveController } from './receive/receive.controller.js';
import { OffsetRecorder } from './receive/record-offsets.js';
import { FollowRequests } from './recovery/follow-requests.js';
import { ProcessExit, SupervisedExit } from './recovery/process-exit.js';
import { Recovery } from './recovery/recover.js';
import { StartCheck } from './recovery/start-check.js';
import { HttpRegistry } from './registry/http-registry.js';
import { BuiltInRegistry, Registry } from './registry/registry.js';
import { FollowSupply } from './supply/follow-supply.js';
import { SupplyController } from './supply/supply.controller.js';
import { Workers } from './workers.js';

/** An offset retired from very many assets makes a large event; Kafka takes 1 MiB. */
const LARGEST_EVENT_BYTES = 1_000_000;

const STATEMENT_MS = 5_000;

/** What tests replace of how a process ends and recovers. */
export interface Supervision {
  readonly exit?: ProcessExit;
  readonly lastSendMs?: number;
}

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
    KnownPositions,
    OwnRows,
    FindAssetNames,
    WakeSignals,
    FreshEvents,
    SupplyGate,
    QueuedOffsets,
    SingleTransactionPath,
    OffsetRecorder,
    CreditReserver,
    AnswerRecorder,
    CreditRetirer,
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

  static with(config: OffsetsConfig, logger: Logger, supervision: Supervision = {}): DynamicModule {
    const newKafka = (metrics: Metrics) => kafkaOf(config, logger, metrics);
    return {
      module: OffsetsModule,
      imports: [managementModule('offsets', config), dataSourceOf(config, logger)],
      providers: [
        { provide: Registry, useFactory: () => registryOf(config) },
        { provide: RetrySettings, useValue: retrySettingsOf(config) },
        { provide: OutboxRetention, useValue: new OutboxRetention(config.OUTBOX_RETENTION_DAYS) },
        {
          provide: SelfClockedProducer,
          inject: [Metrics],
          useFactory: (metrics: Metrics) =>
            // One request at a time: events keep their order when Kafka has to be asked again.
            new SelfClockedProducer(newKafka(metrics), { messageBytes: LARGEST_EVENT_BYTES, requests: 1 }),
        },
        { provide: Publisher, useExisting: SelfClockedProducer },
        { provide: Preference, useValue: config.PREFERENCE },
        { provide: Cursors, useValue: new Cursors(config.CURSOR_SECRETS) },
        {
          provide: ServiceAuthenticator,
          inject: [HttpAdapterHost],
          useFactory: (host: HttpAdapterHost) => new ServiceAuthenticator(host, config.INTERNAL_SECRETS),
        },
        { provide: ProcessExit, useFactory: () => supervision.exit ?? new SupervisedExit() },
        {
          provide: StartCheck,
          inject: [Database, KnownPositions, ProcessExit, Metrics],
          useFactory: (database: Database, positions: KnownPositions, exit: ProcessExit, metrics: Metrics) => {
            const kafka = newKafka(metrics);
            const recovery = new Recovery(database, kafka, supervision.lastSendMs);
            return new StartCheck(database, kafka, positions, recovery, exit);
          },
        },
        {
          provide: KafkaReach,
          inject: [Metrics],
          useFactory: (metrics: Metrics) => new KafkaReach(newKafka(metrics)),
        },
        {
          provide: FollowSupply,
          inject: [Database, SupplyGate, ProcessExit, Metrics],
          useFactory: (database: Database, gate: SupplyGate, processExit: ProcessExit, metrics: Metrics) =>
            new FollowSupply(database, newKafka(metrics), gate, processExit),
        },
        {
          provide: FollowRequests,
          inject: [Database, ProcessExit, Metrics],
          useFactory: (database: Database, processExit: ProcessExit, metrics: Metrics) =>
            new FollowRequests(database, newKafka(metrics), processExit, new RequestNumbers(metrics)),
        },
        {
          provide: Consumers,
          inject: [StartCheck, FollowSupply, FollowRequests, Metrics],
          useFactory: (check: StartCheck, supply: FollowSupply, requests: FollowRequests, metrics: Metrics) =>
            new Consumers(() => newKafka(metrics), check, supply, requests),
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
  return config.REGISTRY_URL === undefined ? new BuiltInRegistry() : new HttpRegistry(config.REGISTRY_URL, config);
}

function retrySettingsOf(config: OffsetsConfig): RetrySettings {
  const { REGISTRY_RETRY_MIN_MS: firstMs, REGISTRY_RETRY_MAX_MS: lastMs } = config;
  return { firstMs, lastMs, alarmAttempts: config.REGISTRY_ALARM_ATTEMPTS };
}

function kafkaOf(config: OffsetsConfig, logger: Logger, metrics: Metrics): KafkaHandle {
  return createKafka({ ...kafkaConnection(config), clientId: 'offsets', logger, metrics });
}

/** `Database` opens it, in the background, for it must not matter to the app's start whether PostgreSQL is there. */
function dataSourceOf({ DATABASE_URL, DATABASE_POOL, DATABASE_POOLER }: OffsetsConfig, logger: Logger): DynamicModule {
  const options = dataSourceOptions({
    url: DATABASE_URL,
    applicationName: 'offsets',
    poolSize: DATABASE_POOL,
    statementMs: STATEMENT_MS,
    session: DATABASE_POOLER === 'transaction' ? 'pooled' : 'direct',
    onIdleError: (err) => logger.warn({ err }, 'An idle connection to PostgreSQL broke'),
  });
  return TypeOrmModule.forRoot({ ...options, manualInitialization: true });
}
