import { createHttpAdapter, type HttpLimitSettings, httpLimits, installProblems } from '@carbon/faults';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from '../logging/create-logger.js';
import { NestLogger } from '../logging/nest-logger.js';
import { type HttpCounts, measureRequests } from '../metrics/http-metrics.js';
import { Metrics } from '../metrics/metrics.js';
import { observeRequests } from './observe-requests.js';

/** What an app is made with. */
export interface ServiceOptions {
  readonly logger: Logger;
  /** The limits of its HTTP server; the defaults when left out. */
  readonly settings?: HttpLimitSettings;
}

/**
 * An app on Nest and Fastify, not yet listening: every error a problem document, every limit set, every request logged
 * with its ids and counted. Its module must import `managementModule`. Tests create apps the same way.
 */
export async function createService(
  module: Type | DynamicModule,
  { logger, settings }: ServiceOptions,
): Promise<NestFastifyApplication> {
  const adapter = serviceAdapter({ logger, ...(settings && { settings }) });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  return prepareService(app, logger);
}

/** The adapter of {@link createService}, for an app that is created otherwise, such as by @nestjs/testing. */
export function serviceAdapter({ logger, settings }: ServiceOptions): FastifyAdapter {
  const adapter: FastifyAdapter = createHttpAdapter({
    limits: settings ? httpLimits(settings) : {},
    onBug: (error, requestId) => {
      logger.error({ err: error, requestId }, 'A request met a bug');
      counts.get(adapter)?.bug();
    },
    onRefused: ({ status, body }) => {
      logger.info({ requestId: body.instance, status, code: body.code }, 'A request was refused before it was read');
      counts.get(adapter)?.refused(status);
    },
  });
  return adapter;
}

/** Who counts what an adapter reports: the adapter is there before the app is, whose metrics these are. */
const counts = new WeakMap<object, HttpCounts>();

/** The second half of {@link createService}: filters and hooks, to be called before the app is initialised. */
export function prepareService(app: NestFastifyApplication, logger: Logger): NestFastifyApplication {
  installProblems(app);
  observeRequests(app, logger);
  counts.set(app.getHttpAdapter(), measureRequests(app, app.get(Metrics, { strict: false })));
  return app;
}
