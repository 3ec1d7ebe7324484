import { connect, type Socket } from 'node:net';
import { loadConfig } from '@carbon/config';
import { createKafka, SelfClockedProducer } from '@carbon/messaging';
import { createLogger, prepareService, serviceAdapter } from '@carbon/observability';
import { testEngines, testLog } from '@carbon/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { gatewaySettings } from './gateway.config.js';
import { GatewayModule } from './gateway.module.js';
import { makeTestTopics, TEST_SECRETS, type TestGateway, testGateway } from './test-gateway.js';
import { startTcp } from './test-upstream.js';

/** A way to the real Kafka whose answers can be held back: what is sent still arrives there. */
export interface FreezableKafka {
  readonly port: number;
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

async function freezable(host: string, port: number): Promise<FreezableKafka> {
  const answers = new Set<Socket>();
  let frozen = false;
  const way = await startTcp((client) => {
    const broker = connect({ host, port, noDelay: true });
    answers.add(broker);
    broker.on('error', () => client.destroy());
    client.on('close', () => broker.destroy());
    broker.on('close', () => answers.delete(broker) && client.destroy());
    client.pipe(broker);
    broker.pipe(client);
    if (frozen) broker.unpipe(client);
    broker.on('thaw', () => broker.pipe(client));
  });
  return {
    port: way.port,
    freeze: () => {
      frozen = true;
      for (const broker of answers) broker.unpipe();
    },
    thaw: () => {
      frozen = false;
      for (const broker of answers) broker.emit('thaw');
    },
    close: () => way.close(),
  };
}

/** A gateway whose producer reaches Kafka only over such a way, whatever address Kafka gives. */
export async function startFreezableGateway(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ gateway: TestGateway; kafka: FreezableKafka }> {
  const [host = '', port] = testEngines().kafkaBrokers.split(',')[0]?.split(':') ?? [];
  const way = await freezable(host, Number(port));
  const { kafka: direct, topicPrefix } = await makeTestTopics();
  const throughWay = createKafka({
    clientId: 'gateway-test',
    topicPrefix,
    brokers: [`${host}:${port}`],
    sockets: ({ onConnect }) => connect({ host: '127.0.0.1', port: way.port, noDelay: true }, onConnect),
  });
  const config = loadConfig(gatewaySettings, { ...TEST_SECRETS, LOG_LEVEL: 'info', ...settings });
  const { ACCEPT_TIMEOUT_MS: deadlineMs, ACCEPT_IN_FLIGHT: inFlight } = config;
  const logger = createLogger({ app: 'gateway', level: 'info', stream: testLog('gateway') });
  const module = await Test.createTestingModule({ imports: [GatewayModule.with(config, logger)] })
    .overrideProvider(SelfClockedProducer)
    .useValue(new SelfClockedProducer(throughWay, { deadlineMs, inFlight }))
    .compile();
  const app = module.createNestApplication<NestFastifyApplication>(serviceAdapter({ logger }), { logger: false });
  await prepareService(app, logger).listen({ host: '127.0.0.1', port: 0 });
  return { gateway: testGateway(app, await app.getUrl(), direct), kafka: way };
}
