import { Ids } from '@carbon/contracts';
import { createKafka, kafkaConnection, Publisher, SelfClockedProducer } from '@carbon/messaging';
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
import { DocsPageController } from './docs-page/docs-page.controller.js';
import { Admission } from './edge/admission.js';
import { Doorkeeper } from './edge/doorkeeper.js';
import { InWork } from './edge/in-work.js';
import { KeyFileInForce } from './edge/keys/key-file.js';
import { KeyedDoor } from './edge/keys/keyed-door.js';
import { limitProviders } from './edge/limits/limit-providers.js';
import { OpenDoor } from './edge/open-door.js';
import { CreateEstimate } from './estimates/create-estimate/create-estimate.js';
import { EstimatesController } from './estimates/estimates.controller.js';
import { GetEstimate } from './estimates/get-estimate/get-estimate.js';
import type { GatewayConfig } from './gateway.config.js';
import { keyMetrics } from './gateway.metrics.js';
import { WatchDependencies } from './health/watch-dependencies.js';
import { CreateOffset } from './offsets/create-offset/create-offset.js';
import { RecentWishes } from './offsets/create-offset/recent-wishes.js';
import { RecordedFingerprint } from './offsets/create-offset/recorded-fingerprint.js';
import { TooBusy } from './offsets/create-offset/too-busy.js';
import { GetOffset } from './offsets/get-offset/get-offset.js';
import { ListOffsets } from './offsets/list-offsets/list-offsets.js';
import { OffsetsController } from './offsets/offsets.controller.js';
import { OffsetFingerprints, OffsetLookups, OffsetsService } from './offsets/offsets-service.js';
import { OpenapiController } from './openapi/openapi.controller.js';
import { ProblemsController } from './problems/problems.controller.js';
import { GetReceipt } from './retirements/get-receipt/get-receipt.js';
import { RetirementsController } from './retirements/retirements.controller.js';
import type { Upstream } from './upstream/upstream.js';
import { UpstreamNumbers } from './upstream/upstream-numbers.js';

/** The gateway put together. */
@Module({
  controllers: [
    OffsetsController,
    EstimatesController,
    RetirementsController,
    AssetsController,
    ProblemsController,
    OpenapiController,
    DocsPageController,
  ],
  providers: [
    RecordedFingerprint,
    CreateOffset,
    TooBusy,
    GetOffset,
    ListOffsets,
    CreateEstimate,
    GetEstimate,
    GetReceipt,
    AskCatalog,
    WatchDependencies,
    Admission,
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

  /** @throws ConfigError for a key file that cannot be used */
  static with(config: GatewayConfig, logger: Logger): DynamicModule {
    return {
      module: GatewayModule,
      imports: [managementModule('gateway', config)],
      providers: [
        { provide: Ids, useValue: new Ids({ ids: config.ID_SECRETS, idempotency: config.IDEMPOTENCY_SECRETS }) },
        ...doorkeeper(config),
        ...limitProviders(config),
        { provide: InWork, inject: [TooBusy], useFactory: (tooBusy: TooBusy) => inWork(config, tooBusy) },
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

/** Whether callers are known by keys is decided once, at the start, by whether a key file is named. */
function doorkeeper({ API_KEYS_FILE: file }: GatewayConfig): Provider[] {
  if (file === undefined) return [{ provide: Doorkeeper, inject: [Metrics], useFactory: openDoor }];
  const inForce = new KeyFileInForce(file);
  return [
    { provide: KeyFileInForce, inject: [Metrics], useFactory: (metrics: Metrics) => inForce.showOn(metrics) },
    { provide: Doorkeeper, useClass: KeyedDoor },
  ];
}

/** The metrics of keys are named all the same, and have no values. */
function openDoor(metrics: Metrics): OpenDoor {
  metrics.of(keyMetrics);
  return new OpenDoor();
}

/** An account has a quarter unless told otherwise, so that it takes four greedy ones to turn the others away. */
function inWork(config: GatewayConfig, tooBusy: TooBusy): InWork {
  const { REQUESTS_IN_FLIGHT: most, REQUESTS_PER_CONNECTION: mostOfConnection } = config;
  const mostOfAccount = config.REQUESTS_PER_ACCOUNT ?? Math.ceil(most / 4);
  return new InWork({ most, mostOfAccount, mostOfConnection }, { not_accepted: (visit) => tooBusy.fault(visit) });
}

function producer(config: GatewayConfig, logger: Logger, metrics: Metrics): SelfClockedProducer {
  const { ACCEPT_IN_FLIGHT, ACCEPT_TIMEOUT_MS } = config;
  const kafka = createKafka({ ...kafkaConnection(config), clientId: 'gateway', logger, metrics });
  return new SelfClockedProducer(kafka, { inFlight: ACCEPT_IN_FLIGHT, deadlineMs: ACCEPT_TIMEOUT_MS });
}

function upstreams(config: GatewayConfig): Provider[] {
  const [secret = ''] = config.INTERNAL_SECRETS;
  const offsets = { url: config.OFFSETS_URL, timeoutMs: config.OFFSETS_TIMEOUT_MS, secret };
  const quick = { ...offsets, timeoutMs: config.REPLAY_TIMEOUT_MS, connections: config.REPLAY_CONNECTIONS };
  const catalog = { url: config.CATALOG_URL, timeoutMs: config.CATALOG_TIMEOUT_MS, secret };
  return [
    upstream(OffsetsService, 'offsets', (numbers) => new OffsetsService(offsets, numbers)),
    upstream(OffsetLookups, 'offset_lookups', (numbers) => new OffsetLookups(offsets, numbers)),
    upstream(OffsetFingerprints, 'offset_fingerprints', (numbers) => new OffsetFingerprints(quick, numbers)),
    upstream(Catalog, 'catalog', (numbers) => new Catalog(catalog, numbers)),
  ];
}

/** @param name what its questions are counted as */
function upstream<U extends Upstream>(provide: Type<U>, name: string, make: (numbers: UpstreamNumbers) => U): Provider {
  return { provide, inject: [Metrics], useFactory: (metrics: Metrics) => make(new UpstreamNumbers(metrics, name)) };
}
