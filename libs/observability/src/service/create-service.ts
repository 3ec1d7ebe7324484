import { HttpAdapter, type HttpLimitSettings, httpLimits, useProblemFilter } from '@carbon/http';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from '../logging/create-logger.js';
import { FewASecond } from '../logging/few-a-second.js';
import { NestLogger } from '../logging/nest-logger.js';
import { type HttpCounts, measureRequests } from '../metrics/http-metrics.js';
import { Metrics } from '../metrics/metrics.js';
import { observeRequests } from './observe-requests.js';

/** What an app is made with. */
export interface ServiceOptions {
  readonly logger: Logger;
  /** The limits of its HTTP server; the defaults when left out. */
  readonly settings?: HttpLimitSettings & CrossOriginSettings;
}

/** The setting of an app that pages of other origins may ask. */
export interface CrossOriginSettings {
  /** The origins; none when left out. */
  readonly CORS_ORIGINS?: readonly string[] | undefined;
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
  const refusals = new FewASecond(LINES_A_SECOND, (count) =>
    logger.info({ count }, 'More requests were refused before they were read'),
  );
  const drops = new FewASecond(1, (count) => logger.warn({ count }, 'More connections were closed unheard'));
  const adapter: FastifyAdapter = new HttpAdapter({
    limits: settings ? httpLimits(settings) : {},
    corsOrigins: settings?.CORS_ORIGINS ?? [],
    onInternalError: (error, requestId) => {
      logger.error({ err: error, requestId }, 'A request met a bug');
      counts.get(adapter)?.bug();
    },
    onRejected: ({ status, body }) => {
      const line = { requestId: body.instance, status, code: body.code };
      refusals.write(() => logger.info(line, 'A request was refused before it was read'));
      counts.get(adapter)?.refused(status);
    },
    onConnectionDropped: () =>
      drops.write(() => logger.warn('A connection was closed unheard: HTTP_CONNECTIONS are open')),
  });
  return adapter;
}

/** Whoever can open a connection can have requests refused. All of them are counted in the metrics. */
const LINES_A_SECOND = 10;

/** Who counts what an adapter reports: the adapter is there before the app is, whose metrics these are. */
const counts = new WeakMap<object, HttpCounts>();

/** The second half of {@link createService}: filters and hooks, to be called before the app is initialised. */
export function prepareService(app: NestFastifyApplication, logger: Logger): NestFastifyApplication {
  useProblemFilter(app);
  observeRequests(app, logger);
  counts.set(app.getHttpAdapter(), measureRequests(app, app.get(Metrics, { strict: false })));
  return app;
}
