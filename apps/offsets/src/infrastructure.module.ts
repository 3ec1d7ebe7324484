import { createKafka, type KafkaHandle, kafkaConnection, SelfClockedProducer } from '@carbon/messaging';
import { type Logger, Metrics } from '@carbon/observability';
import { type DynamicModule, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Preference } from './domain/preference.js';
import { OFFSETS_CONFIG, type OffsetsConfig } from './offsets.config.js';
import { ProcessExit } from './recovery/process-exit.js';

/** An offset retired from very many assets has a large event; Kafka accepts 1 MiB. */
const MAX_EVENT_BYTES = 1_000_000;

/** Creates Kafka clients. kafkajs shares positions among the consumers of one client, so each feature has its own. */
export class KafkaClients {
  constructor(readonly create: () => KafkaHandle) {}
}

/** The parts of exit and recovery that tests replace. */
export class Supervision {
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

/** Settings, Kafka and the end of the process, for every module. */
export function infrastructureModule(config: OffsetsConfig, logger: Logger, supervision: Supervision): DynamicModule {
  return {
    module: InfrastructureModule,
    global: true,
    providers: [
      { provide: OFFSETS_CONFIG, useValue: config },
      { provide: Preference, useValue: config.PREFERENCE },
      { provide: Supervision, useValue: supervision },
      { provide: ProcessExit, useFactory: () => supervision.exit ?? new ProcessExit() },
      {
        provide: KafkaClients,
        inject: [Metrics],
        useFactory: (metrics: Metrics) =>
          new KafkaClients(() => createKafka({ ...kafkaConnection(config), clientId: 'offsets', logger, metrics })),
      },
      {
        provide: SelfClockedProducer,
        inject: [KafkaClients],
        useFactory: (kafka: KafkaClients) =>
          // One request at a time: events keep their order when Kafka must be retried.
          new SelfClockedProducer(kafka.create(), { messageBytes: MAX_EVENT_BYTES, requests: 1 }),
      },
    ],
    exports: [OFFSETS_CONFIG, Preference, Supervision, ProcessExit, KafkaClients, SelfClockedProducer],
  };
}
