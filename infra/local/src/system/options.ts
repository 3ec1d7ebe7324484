import { LIBRARY } from '../checkout.js';
import type { EngineAddresses, EngineName } from '../engines/engine-parts.js';
import type { FetchProgress } from '../engines/fetch.js';
import type { AppName } from '../parts/app.js';
import { freePorts, type Ports } from '../ports.js';
import type { AdaptCommand, PartEvent } from '../supervise/part.js';
import type { Secrets } from './addresses.js';

/** How one app of the system is run. */
export interface AppOptions {
  /** The number of processes; 1 by default, 0 omits the app. */
  readonly instances?: number;
  /** Settings besides those of the system. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The maximum time until it is ready, in ms; longer for a catalog with a large library to index. */
  readonly readyWithinMs?: number;
}

/** Settings of engines by their environment names, such as `KAFKA_TLS`. They go to the apps and commands that use the engine. */
export type EngineSettings = Readonly<Partial<Record<EngineName, Readonly<Record<string, string>>>>>;

/** How to start a whole system. Several may run at once, each in its own folder. */
export interface StartSystemOptions {
  /** Its folder: data, logs, secrets. Kept between runs; one system at a time may use it. */
  readonly dir: string;
  /** The ports to listen on; free ones at random by default. */
  readonly ports?: Ports;
  /** Running engines; the missing ones are started. */
  readonly engines?: EngineAddresses;
  /** Settings of running engines besides their addresses, by environment name. */
  readonly engineSettings?: EngineSettings;
  /** The prefix of topics and consumer groups, so that systems may share a Kafka. */
  readonly topicPrefix?: string;
  /** The prefix of indices, so that systems may share an OpenSearch. */
  readonly indexPrefix?: string;
  /** The apps to run and how; one of each by default. */
  readonly apps?: Readonly<Partial<Record<AppName, AppOptions>>>;
  /** A file of assets to publish once, or false for none; the checkout's library by default. */
  readonly library?: string | false;
  /** Secrets to use instead of those in the folder. */
  readonly secrets?: Partial<Secrets>;
  /** Reloads apps when their sources change. */
  readonly reload?: boolean;
  /** For tests: engines start with half the work, and run somewhat slower. */
  readonly shortLived?: boolean;
  /** Changes the command of an engine, step or app before it is run, for example its environment. */
  readonly adapt?: AdaptCommand;
  readonly onEvent?: (event: PartEvent) => void;
  readonly say?: (sentence: string) => void;
  readonly onFetchProgress?: (progress: FetchProgress) => void;
  /** Aborts the start: the started parts are stopped in order, and `startSystem` rejects. */
  readonly signal?: AbortSignal;
}

/** The same with all defaults. */
export type SystemPlan = Required<StartSystemOptions>;

/** Returns the options with defaults. */
export async function planOf(options: StartSystemOptions): Promise<SystemPlan> {
  return {
    engines: {},
    engineSettings: {},
    topicPrefix: '',
    indexPrefix: '',
    apps: {},
    library: LIBRARY,
    secrets: {},
    reload: false,
    shortLived: false,
    adapt: (_, command) => command,
    onEvent: () => {},
    say: () => {},
    onFetchProgress: () => {},
    signal: new AbortController().signal,
    ...options,
    ports: options.ports ?? (await freePorts()),
  };
}
