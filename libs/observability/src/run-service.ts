import { setTimeout as wait } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { HttpDrain, hardExitMs, SHUTDOWN_PHASES, type ShutdownPhases } from './graceful-shutdown.js';
import { Health } from './health.js';
import type { Logger } from './logger.js';
import { type ManagementServer, openManagement } from './management.js';

/** The options of {@link runService}. */
export interface RunOptions {
  readonly name: string;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly logger: Logger;
  /** How long the app reports "not ready" and still accepts connections before it stops, in milliseconds. */
  readonly graceMs?: number;
  /** How long the server must be idle before open connections are closed, in milliseconds. */
  readonly idleMs?: number;
  /** The maximum durations of the phases of the shutdown; with the grace period they add up to the hard exit. */
  readonly phases?: ShutdownPhases;
}

const GRACE_MS = 500;

/**
 * Runs an app until SIGTERM or SIGINT: opens its management port if it has one, listens, starts its consumers, and logs one
 * line. The shutdown cuts no request: not ready, then no new connections, clients told to disconnect, active requests
 * answered; then Nest's order: `beforeApplicationShutdown` (background loops end), consumers closed,
 * `onApplicationShutdown` (producers flushed, stores closed); the management port closes last; exit 0. A resource that a
 * request or handler needs must therefore not be closed in `onModuleDestroy`. A shutdown that hangs exits with 1 after
 * `hardExitMs`; an uncaught error exits with 1 at once.
 */
export async function runService(app: NestFastifyApplication, options: RunOptions): Promise<void> {
  const { name, host, port, logger } = options;
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error }, `Uncaught error (${origin})`);
    process.exit(1);
  });
  const drain = new HttpDrain(app.getHttpServer(), options.idleMs);
  const management = openManagement(app, logger);
  const started = management.then(() => start(app, { host, port }));
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // Ctrl-C in a terminal arrives both directly and from the parent process.
      if (isStopping) return;
      isStopping = true;
      void stop(app, { ...options, drain, started, management, signal });
    });
  }
  const url = await started.catch((error: unknown) => exitUnstarted(error, options));
  logger.info({ host, port: Number(new URL(url).port) }, `${name} listens on ${url}`);
}

/** Returns the URL, which is read before a shutdown can close the server. */
async function start(app: NestFastifyApplication, address: { host: string; port: number }): Promise<string> {
  await app.listen(address);
  const url = await app.getUrl();
  await app.startAllMicroservices();
  app.get(Health, { strict: false }).listening();
  return url;
}

interface StopOptions extends RunOptions {
  readonly drain: HttpDrain;
  readonly started: Promise<string>;
  readonly management: Promise<ManagementServer>;
  readonly signal: NodeJS.Signals;
}

async function stop(app: NestFastifyApplication, options: StopOptions): Promise<never> {
  const { name, logger, signal, drain, started, management, graceMs = GRACE_MS, phases = SHUTDOWN_PHASES } = options;
  logger.info({ signal }, `${name} stops`);
  const exitMs = hardExitMs(graceMs, phases);
  setTimeout(() => {
    logger.fatal(`The shutdown took longer than ${exitMs} ms`);
    process.exit(1);
  }, exitMs).unref();
  try {
    app.get(Health, { strict: false }).drain();
    await wait(graceMs);
    const hasStarted = await Promise.race([started.then(() => true), wait(phases.startMs, false)]);
    if (!hasStarted) {
      // Nothing has been accepted yet, and the dependency that the start waits for, such as a database, may never respond.
      logger.info(`${name} stopped before it had started`);
      process.exit(0);
    }
    await drain.drain(phases.drainMs);
    await app.close();
    await (await management).close();
  } catch (error) {
    logger.fatal({ err: error }, `${name} failed to stop`);
    process.exit(1);
  }
  logger.info(`${name} has stopped`);
  process.exit(0);
}

function exitUnstarted(error: unknown, { name, logger, ...options }: RunOptions): never {
  const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const port = isPortTaken && 'port' in error ? error.port : options.port;
  logger.fatal({ err: error, port }, `${name} cannot start${isPortTaken ? `: port ${port} is in use` : ''}`);
  process.exit(1);
}
