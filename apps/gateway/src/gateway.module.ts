import { Ids } from '@carbon/contracts';
import { createKafka, Publisher, SelfClockedProducer } from '@carbon/messaging';
import { type Logger, Metrics, managementModule } from '@carbon/observability';
import {
  type DynamicModule,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
  type Type,
} from '@nestjs/common';
import { AskCatalog } from './assets/ask-catalog/ask-catalog.js';
import { AssetsController } from './assets/assets.controller.js';
import { Catalog } from './assets/catalog.js';
import { Accounts } from './edge/accounts.js';
import { OpenAccounts } from './edge/accounts.open.js';
import { CreateEstimate } from './estimates/create-estimate/create-estimate.js';
import { EstimatesController } from './estimates/estimates.controller.js';
import { GetEstimate } from './estimates/get-estimate/get-estimate.js';
import type { GatewayConfig } from './gateway.config.js';
import { WatchDependencies } from './health/watch-dependencies.js';
import { CreateOffset } from './offsets/create-offset/create-offset.js';
import { RecentWishes } from './offsets/create-offset/recent-wishes.js';
import { RecordedFingerprint } from './offsets/create-offset/recorded-fingerprint.js';
import { GetOffset } from './offsets/get-offset/get-offset.js';
import { ListOffsets } from './offsets/list-offsets/list-offsets.js';
import { OffsetsController } from './offsets/offsets.controller.js';
import { OffsetFingerprints, OffsetLookups, OffsetsService } from './offsets/offsets-service.js';
import { GetReceipt } from './retirements/get-receipt/get-receipt.js';
import { RetirementsController } from './retirements/retirements.controller.js';
import type { Upstream } from './upstream/upstream.js';
import { UpstreamNumbers } from './upstream/upstream-numbers.js';

/** The gateway put together. */
@Module({
  controllers: [OffsetsController, EstimatesController, RetirementsController, AssetsController],
  providers: [
    RecordedFingerprint,
    CreateOffset,
    GetOffset,
    ListOffsets,
    CreateEstimate,
    GetEstimate,
    GetReceipt,
    AskCatalog,
    WatchDependencies,
  ],
})
export class GatewayModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly producer: SelfClockedProducer,
    private readonly offsets: OffsetsService,
    private readonly lookups: OffsetLookups,
    private readonly fingerprints: OffsetFingerprints,
    private readonly catalog: Catalog,
  ) {}

  static with(config: GatewayConfig, logger: Logger): DynamicModule {
    return {
      module: GatewayModule,
      imports: [managementModule('gateway', config)],
      providers: [
        { provide: Ids, useValue: new Ids({ ids: config.ID_SECRETS, idempotency: config.IDEMPOTENCY_SECRETS }) },
        { provide: Accounts, useClass: OpenAccounts },
        {
          provide: RecentWishes,
          useValue: new RecentWishes({ most: config.REPLAY_RECENT, forMs: config.REPLAY_RECENT_MS }),
        },
        {
          provide: SelfClockedProducer,
          inject: [Metrics],
          useFactory: (metrics: Metrics) => producer(config, logger, metrics),
        },
        { provide: Publisher, useExisting: SelfClockedProducer },
        ...upstreams(config),
      ],
    };
  }

  onModuleInit(): void {
    this.producer.open();
  }

  /** Called when the last request is answered. */
  async onApplicationShutdown(): Promise<void> {
    const upstreams = [this.offsets, this.lookups, this.fingerprints, this.catalog];
    await Promise.all([this.producer.close(), ...upstreams.map((upstream) => upstream.close())]);
  }
}

function producer(config: GatewayConfig, logger: Logger, metrics: Metrics): SelfClockedProducer {
  const { KAFKA_BROKERS: brokers, TOPIC_PREFIX: topicPrefix, ACCEPT_IN_FLIGHT, ACCEPT_TIMEOUT_MS } = config;
  const kafka = createKafka({ brokers, clientId: 'gateway', topicPrefix, logger, metrics });
  return new SelfClockedProducer(kafka, { inFlight: ACCEPT_IN_FLIGHT, deadlineMs: ACCEPT_TIMEOUT_MS });
}

function upstreams(config: GatewayConfig): Provider[] {
  const { OFFSETS_URL, OFFSETS_TIMEOUT_MS, CATALOG_URL, CATALOG_TIMEOUT_MS } = config;
  const quick = { timeoutMs: config.REPLAY_TIMEOUT_MS, connections: config.REPLAY_CONNECTIONS };
  return [
    upstream(OffsetsService, 'offsets', (numbers) => new OffsetsService(OFFSETS_URL, OFFSETS_TIMEOUT_MS, numbers)),
    upstream(OffsetLookups, 'offset_lookups', (numbers) => new OffsetLookups(OFFSETS_URL, OFFSETS_TIMEOUT_MS, numbers)),
    upstream(
      OffsetFingerprints,
      'offset_fingerprints',
      (numbers) => new OffsetFingerprints(OFFSETS_URL, quick, numbers),
    ),
    upstream(Catalog, 'catalog', (numbers) => new Catalog(CATALOG_URL, CATALOG_TIMEOUT_MS, numbers)),
  ];
}

/** @param name what its questions are counted as */
function upstream<U extends Upstream>(provide: Type<U>, name: string, make: (numbers: UpstreamNumbers) => U): Provider {
  return { provide, inject: [Metrics], useFactory: (metrics: Metrics) => make(new UpstreamNumbers(metrics, name)) };
}
