import { HttpAdapter, TransientError, useProblemFilter } from '@carbon/http';
import { Controller, type DynamicModule, Get, Header, Module, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { HttpDrain } from './graceful-shutdown.js';
import { Health, type Readiness } from './health.js';
import type { Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { NestLogger } from './nest-logger.js';
import { logRequests } from './request-log.js';

/**
 * Where an app serves its health and metrics: on its own port, or on the management port alone if there is one. Also the Nest token
 * of the settings.
 */
export abstract class ManagementSettings {
  readonly MANAGEMENT_PORT?: number | undefined;
  readonly MANAGEMENT_HOST?: string | undefined;
}

/** Liveness and readiness with every dependency. */
@Controller('health')
class HealthController {
  constructor(protected readonly health: Health) {}

  /** Checks no dependency: a process must not be restarted because something else is down. */
  @Get('live')
  @Header('cache-control', 'no-store')
  live() {
    return { state: 'live' };
  }

  @Get('ready')
  @Header('cache-control', 'no-store')
  async ready(): Promise<Partial<Readiness>> {
    const readiness = await this.health.readiness();
    if (readiness.state === 'ready') return readiness;
    throw new TransientError('service_unavailable', `Not ready: ${readiness.state}.`, { members: { ...readiness } });
  }
}

/** Liveness and readiness without details, for a public port if there is a management port. */
@Controller('health')
class PublicHealthController extends HealthController {
  @Get('ready')
  @Header('cache-control', 'no-store')
  override async ready(): Promise<Partial<Readiness>> {
    const { state } = await this.health.readiness();
    if (state === 'ready') return { state };
    throw new TransientError('service_unavailable', 'Not ready.');
  }
}

@Controller('metrics')
class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    const text = await this.metrics.text();
    await reply.header('cache-control', 'no-store').type(this.metrics.contentType).send(text);
  }
}

/** The class behind {@link managementModule}. */
@Module({})
export class ManagementModule {}

/**
 * Provides {@link Health} and {@link Metrics} to every module, and serves `/health/live`, `/health/ready` and `/metrics`.
 * With `MANAGEMENT_PORT` the app's own port serves only `live` and `ready` without details.
 * @param app the name of the app in the names of its metrics
 */
export function managementModule(app: string, settings: ManagementSettings = {}): DynamicModule {
  const hasOwnPort = settings.MANAGEMENT_PORT !== undefined;
  return {
    module: ManagementModule,
    global: true,
    controllers: hasOwnPort ? [PublicHealthController] : [HealthController, MetricsController],
    providers: [
      Health,
      { provide: Metrics, useFactory: () => new Metrics(app) },
      { provide: ManagementSettings, useValue: settings },
    ],
    exports: [Health, Metrics, ManagementSettings],
  };
}

/** The server on the management port of an app, if it has one. */
export interface ManagementServer {
  close(): Promise<void>;
}

const DRAIN_MS = 1_000;

/**
 * Serves an app's health and metrics on its management port. Opened before the app starts, so that the port tells what the
 * start waits for, and closed last.
 */
export async function openManagement(app: NestFastifyApplication, logger: Logger): Promise<ManagementServer> {
  const settings = app.get(ManagementSettings, { strict: false });
  const { MANAGEMENT_PORT: port, MANAGEMENT_HOST: host = '127.0.0.1' } = settings;
  if (port === undefined) return { close: async () => {} };
  const module: DynamicModule = {
    module: ManagementModule,
    controllers: [HealthController, MetricsController],
    providers: [Health, Metrics].map((provide) => ({ provide, useValue: app.get(provide, { strict: false }) })),
  };
  const server = await NestFactory.create<NestFastifyApplication>(module, new HttpAdapter(), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  useProblemFilter(server);
  logRequests(server, logger);
  const drain = new HttpDrain(server.getHttpServer());
  await server.listen({ port, host });
  const url = await server.getUrl();
  logger.info({ host, port: Number(new URL(url).port) }, `Serving health and metrics on ${url}`);
  return {
    close: async () => {
      await drain.drain(DRAIN_MS);
      await server.close();
    },
  };
}
