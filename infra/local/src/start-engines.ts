import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINES, type EngineAddresses, type EngineName, engineParts } from './engines/engine-parts.js';
import type { FetchProgress } from './engines/fetch.js';
import { freePorts, type Ports } from './ports.js';
import { endOrphans } from './processes/pids.js';
import type { AdaptCommand, PartEvent } from './supervise/part.js';
import { startParts } from './supervise/running-parts.js';
import type { SupervisedPart } from './supervise/supervised-part.js';
import { keptSecrets } from './system/addresses.js';

/** How to start engines without the apps. */
export interface StartEnginesOptions {
  /** Their folder: data, logs, pid files. Used by one caller at a time. */
  readonly dir: string;
  /** The engines; all by default. */
  readonly which?: readonly EngineName[];
  /** The ports to listen on; free ones at random by default. */
  readonly ports?: Ports;
  /** For a test run: they start with half the work, and run somewhat slower. */
  readonly shortLived?: boolean;
  /** Changes the command of an engine before each of its starts. */
  readonly adapt?: AdaptCommand;
  readonly onEvent?: (event: PartEvent) => void;
  readonly onFetchProgress?: (progress: FetchProgress) => void;
  /** Ends a download. */
  readonly signal?: AbortSignal;
}

/** Running engines. */
export interface RunningEngines {
  readonly addresses: EngineAddresses;
  /** Returns one engine, to be stopped, killed and started again. */
  part(name: EngineName): SupervisedPart;
  stop(): Promise<void>;
}

/**
 * Starts engines concurrently and resolves when they are ready. They end with this process in any case. Started again
 * in the same folder, they keep their data.
 */
export async function startEngines(options: StartEnginesOptions): Promise<RunningEngines> {
  mkdirSync(options.dir, { recursive: true });
  await endOrphans(join(options.dir, 'run'));
  const { parts, addresses } = await engineParts({
    dir: options.dir,
    ports: options.ports ?? (await freePorts()),
    which: options.which ?? ENGINES,
    shortLived: options.shortLived ?? false,
    databasePassword: keptSecrets(options.dir).POSTGRES_PASSWORD,
    say: () => {},
    fetch: { progress: options.onFetchProgress ?? (() => {}), signal: options.signal ?? new AbortController().signal },
  });
  const running = await startParts(options.dir, parts, options);
  return { addresses, part: (name) => running.part(name), stop: () => running.stop() };
}
