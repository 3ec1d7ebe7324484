import { HttpAdapter, useProblemFilter } from '@carbon/http';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Health } from '../health/health.js';
import type { Logger } from '../logging/create-logger.js';
import { NestLogger } from '../logging/nest-logger.js';
import { Metrics } from '../metrics/metrics.js';
import { HttpDrain } from '../service/http-drain.js';
import { observeRequests } from '../service/observe-requests.js';
import { Management } from './management.js';
import { managementModuleAbout } from './management.module.js';

/** The management port of an app, which may have none. */
export interface ManagementServer {
  close(): Promise<void>;
}

const DRAIN_MS = 1_000;

/**
 * Serves what is to be known about an app on the port that is set for it. Opened before anything else, so that an app that
 * waits at its start can be asked what for, and closed last.
 */
export async function openManagement(app: NestFastifyApplication, logger: Logger): Promise<ManagementServer> {
  const { port, host } = app.get(Management, { strict: false });
  if (port === undefined) return { close: async () => {} };
  const server = await managementApp(app, logger);
  const drain = new HttpDrain(server.getHttpServer());
  await server.listen({ port, host });
  const url = await server.getUrl();
  logger.info({ host, port: Number(new URL(url).port) }, `Metrics and health are told on ${url}`);
  return {
    close: async () => {
      await drain.drain(DRAIN_MS);
      await server.close();
    },
  };
}

async function managementApp(app: NestFastifyApplication, logger: Logger): Promise<NestFastifyApplication> {
  const about = managementModuleAbout(app.get(Health, { strict: false }), app.get(Metrics, { strict: false }));
  const server = await NestFactory.create<NestFastifyApplication>(about, new HttpAdapter(), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  useProblemFilter(server);
  observeRequests(server, logger);
  return server;
}
