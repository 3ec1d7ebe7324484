import { HttpAdapter, type HttpLimitSettings, httpLimits, useProblemFilter } from '@carbon/http';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { measureRequests } from './http-metrics.js';
import { RateLimitedLog } from './log-streams.js';
import type { Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { NestLogger } from './nest-logger.js';
import { logRequests } from './request-log.js';

/** The options of {@link createService}. */
export interface ServiceOptions {
  readonly logger: Logger;
  /** The limits of the HTTP server and the origins of CORS; the defaults when omitted. */
  readonly settings?: HttpLimitSettings & { readonly CORS_ORIGINS?: readonly string[] | undefined };
  /** Whether to compress responses for clients that accept it; not by default, as calls between apps are local. */
  readonly compresses?: boolean;
}

/** Rejected requests logged in a second; all are counted. Any client can cause them. */
const MAX_LINES_PER_SECOND = 10;

/**
 * Creates an app on Nest and Fastify that does not listen yet: every error is a problem document, every limit is set, every
 * request is logged and measured. Its module must import `managementModule`.
 */
export async function createService(
  module: Type | DynamicModule,
  { logger, settings, compresses = false }: ServiceOptions,
): Promise<NestFastifyApplication> {
  let counters: ReturnType<typeof measureRequests> | undefined;
  const rejections = new RateLimitedLog(MAX_LINES_PER_SECOND, (count) =>
    logger.info({ count }, 'More requests rejected by the HTTP server'),
  );
  const drops = new RateLimitedLog(1, (count) => logger.warn({ count }, 'More connections dropped'));
  const adapter = new HttpAdapter({
    limits: settings ? httpLimits(settings) : {},
    corsOrigins: settings?.CORS_ORIGINS ?? [],
    compresses,
    onInternalError: (error, requestId) => {
      logger.error({ err: error, requestId }, 'Internal error in a request');
      counters?.internalErrors.inc();
    },
    onRejected: ({ status, body }) => {
      const fields = { requestId: body.instance, status, code: body.code };
      rejections.write(() => logger.info(fields, 'Request rejected by the HTTP server'));
      counters?.rejected.inc({ status });
    },
    onConnectionDropped: () => drops.write(() => logger.warn('Connection dropped: HTTP_CONNECTIONS are open')),
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  useProblemFilter(app);
  logRequests(app, logger);
  counters = measureRequests(app, app.get(Metrics, { strict: false }));
  return app;
}
