import { createKafka, type KafkaHandle, kafkaConnection, SelfClockedProducer } from '@carbon/messaging';
import { type Logger, Metrics } from '@carbon/observability';
import { type DynamicModule, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Preference } from './domain/preference.js';
import { OFFSETS_CONFIG, type OffsetsConfig } from './offsets.config.js';
import { ProcessExit } from './recovery/process-exit.js';

/** The event of an offset retired from many assets is large; Kafka's default limit is 1 MiB. */
const MAX_EVENT_BYTES = 1_000_000;

/** Creates Kafka clients. kafkajs shares positions among the consumers of one client, so each feature creates its own. */
export class KafkaClientFactory {
  constructor(readonly create: () => KafkaHandle) {}
}

/** The parts of exit and recovery that tests replace. */
export class RecoveryOverrides {
  readonly exit?: ProcessExit;
  readonly lastSendMs?: number;
}

/** The module class behind {@link infrastructureModule}. */
@Module({})
export class InfrastructureModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly producer: SelfClockedProducer) {}

  onModuleInit(): void {
    this.producer.open();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.producer.close();
  }
}

/** Returns the module that provides settings, Kafka clients and process exit to every other module. */
export function infrastructureModule(
  config: OffsetsConfig,
  logger: Logger,
  overrides: RecoveryOverrides,
): DynamicModule {
  return {
    module: InfrastructureModule,
    global: true,
    providers: [
      { provide: OFFSETS_CONFIG, useValue: config },
      { provide: Preference, useValue: config.PREFERENCE },
      { provide: RecoveryOverrides, useValue: overrides },
      { provide: ProcessExit, useFactory: () => overrides.exit ?? new ProcessExit() },
      {
        provide: KafkaClientFactory,
        inject: [Metrics],
        useFactory: (metrics: Metrics) =>
          new KafkaClientFactory(() =>
            createKafka({ ...kafkaConnection(config), clientId: 'offsets', logger, metrics }),
          ),
      },
      {
        provide: SelfClockedProducer,
        inject: [KafkaClientFactory],
        useFactory: (kafka: KafkaClientFactory) =>
          // One request at a time, so that events keep their order when a send is retried.
          new SelfClockedProducer(kafka.create(), { messageBytes: MAX_EVENT_BYTES, requests: 1 }),
      },
    ],
    exports: [OFFSETS_CONFIG, Preference, RecoveryOverrides, ProcessExit, KafkaClientFactory, SelfClockedProducer],
  };
}
