import { setTimeout as wait } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Health } from '../health/health.js';
import type { Logger } from '../logging/create-logger.js';
import { type ManagementServer, openManagement } from '../management/open-management.js';
import { HttpDrain } from './http-drain.js';
import { hardExitMs, SHUTDOWN_PHASES, type ShutdownPhases } from './shutdown-times.js';

/** How an app is run. */
export interface RunOptions {
  readonly name: string;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly logger: Logger;
  /** How long it says "not ready" and still takes connections before it stops, in milliseconds. */
  readonly graceMs?: number;
  /** The longest that each phase of the stop may take. With the grace they give when a stop that hangs ends. */
  readonly phases?: ShutdownPhases;
}

const GRACE_MS = 500;

/**
 * Runs an app until SIGTERM or SIGINT: opens its management port where it has one, listens, starts its message consumers, and says so in one line. The stop cuts
 * nothing: not ready, then no new connections, clients asked to leave, everything in flight answered; then Nest's own order:
 * `beforeApplicationShutdown` (background loops end), consumers closed, `onApplicationShutdown` (producers flushed, stores
 * closed); the management port goes last; exit 0. What a request or a handler needs must therefore not be closed in `onModuleDestroy`. A stop that hangs
 * ends with exit 1 after `hardExitMs`, as does an error that nobody caught.
 */
export async function runService(app: NestFastifyApplication, options: RunOptions): Promise<void> {
  const { name, host, port, logger } = options;
  dieOfUncaught(logger);
  const drain = new HttpDrain(app.getHttpServer());
  const management = openManagement(app, logger);
  const started = management.then(() => start(app, { host, port }));
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A terminal's Ctrl-C reaches the app both directly and by way of who started it.
      if (stopping) return;
      stopping = true;
      void stop(app, { ...options, drain, started, management, signal });
    });
  }
  await started.catch((error: unknown) => exitUnstarted(error, options));
  logger.info({ host, port: Number(new URL(await app.getUrl()).port) }, `${name} listens on ${await app.getUrl()}`);
}

async function start(app: NestFastifyApplication, address: { host: string; port: number }): Promise<void> {
  await app.listen(address);
  await app.startAllMicroservices();
  app.get(Health, { strict: false }).listening();
}

interface Stop extends RunOptions {
  readonly drain: HttpDrain;
  readonly started: Promise<void>;
  readonly management: Promise<ManagementServer>;
  readonly signal: NodeJS.Signals;
}

async function stop(app: NestFastifyApplication, options: Stop): Promise<never> {
  const { name, logger, signal, drain, started, management, graceMs = GRACE_MS, phases = SHUTDOWN_PHASES } = options;
  logger.info({ signal }, `${name} stops`);
  const exitMs = hardExitMs(graceMs, phases);
  setTimeout(() => exitHung(logger, exitMs), exitMs).unref();
  try {
    app.get(Health, { strict: false }).drain();
    if (!(await hasStarted(started, graceMs, phases))) exitEarly(options);
    await drain.drain(phases.drainMs);
    await app.close();
    await (await management).close();
  } catch (error) {
    logger.fatal({ err: error }, `${name} could not stop in order`);
    process.exit(1);
  }
  logger.info(`${name} has stopped`);
  process.exit(0);
}

/** Waits for the grace time and tells whether the start was through by its end. */
async function hasStarted(started: Promise<void>, graceMs: number, { startMs }: ShutdownPhases): Promise<boolean> {
  const through = started.then(() => true);
  await wait(graceMs);
  return Promise.race([through, wait(startMs, false)]);
}

/** Nothing was accepted yet, and what the start still waits for, a database perhaps, may never come. */
function exitEarly({ name, logger }: RunOptions): never {
  logger.info(`${name} has stopped before it had started`);
  process.exit(0);
}

function exitUnstarted(error: unknown, { name, logger, ...options }: RunOptions): never {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const port = taken && 'port' in error ? error.port : options.port;
  logger.fatal({ err: error, port }, taken ? `${name} cannot start: port ${port} is taken` : `${name} cannot start`);
  process.exit(1);
}

function exitHung(logger: Logger, afterMs: number): never {
  logger.fatal(`The stop took longer than ${afterMs} ms; exiting all the same`);
  process.exit(1);
}

function dieOfUncaught(logger: Logger): void {
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error }, `Nobody caught this (${origin})`);
    process.exit(1);
  });
}
