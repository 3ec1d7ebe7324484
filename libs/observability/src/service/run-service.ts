import { setTimeout as wait } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Health } from '../health/health.js';
import type { Logger } from '../logging/create-logger.js';
import { drainHttp, InFlight } from './drain-http.js';

/** How an app is run. */
export interface RunOptions {
  readonly name: string;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly logger: Logger;
  /** How long it says "not ready" and still takes connections before it stops, in milliseconds. */
  readonly graceMs?: number;
}

/** Every request has its own deadline below this; see HTTP_LIMITS. */
const DRAIN_MS = 6_000;
/** A stop that takes longer has hung: exit all the same. */
const HARD_EXIT_MS = 10_000;
const GRACE_MS = 500;

/**
 * Runs an app until SIGTERM or SIGINT: listens, starts its message consumers, and says so in one line. The stop cuts
 * nothing: not ready, clients asked to leave, no new connections, everything in flight answered; then Nest's own order:
 * `beforeApplicationShutdown` (background loops end), consumers closed, `onApplicationShutdown` (producers flushed, stores
 * closed); exit 0. What a request or a handler needs must therefore not be closed in `onModuleDestroy`. A stop that hangs
 * ends after 10 s with exit 1, as does an error that nobody caught.
 */
export async function runService(app: NestFastifyApplication, options: RunOptions): Promise<void> {
  const { name, host, port, logger } = options;
  dieOfUncaught(logger);
  const inFlight = new InFlight(app.getHttpServer());
  const started = start(app, { host, port });
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A terminal's Ctrl-C reaches the app both directly and by way of who started it.
      if (stopping) return;
      stopping = true;
      void stop(app, { ...options, inFlight, started, signal });
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
  readonly inFlight: InFlight;
  readonly started: Promise<void>;
  readonly signal: NodeJS.Signals;
}

async function stop(app: NestFastifyApplication, options: Stop): Promise<never> {
  const { name, logger, signal, inFlight, started, graceMs = GRACE_MS } = options;
  logger.info({ signal }, `${name} stops`);
  setTimeout(() => exitHung(logger), HARD_EXIT_MS).unref();
  try {
    app.get(Health, { strict: false }).drain();
    await started;
    await wait(graceMs);
    await drainHttp(app.getHttpServer(), inFlight, DRAIN_MS);
    await app.close();
  } catch (error) {
    logger.fatal({ err: error }, `${name} could not stop in order`);
    process.exit(1);
  }
  logger.info(`${name} has stopped`);
  process.exit(0);
}

function exitUnstarted(error: unknown, { name, port, logger }: RunOptions): never {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  logger.fatal({ err: error, port }, taken ? `${name} cannot start: port ${port} is taken` : `${name} cannot start`);
  process.exit(1);
}

function exitHung(logger: Logger): never {
  logger.fatal(`The stop took longer than ${HARD_EXIT_MS} ms; exiting all the same`);
  process.exit(1);
}

function dieOfUncaught(logger: Logger): void {
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error }, `Nobody caught this (${origin})`);
    process.exit(1);
  });
}
