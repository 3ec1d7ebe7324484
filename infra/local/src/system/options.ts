import type { EngineAddresses, EngineName } from '../engines/engine-parts.js';
import type { FetchProgress } from '../engines/fetch.js';
import type { AppName } from '../parts/app.js';
import { freePorts, type Ports } from '../ports.js';
import type { AdaptCommand, PartEvent } from '../supervise/part.js';
import { LIBRARY, type Secrets } from './addresses.js';

/** How one app of the system is run. */
export interface AppOptions {
  /** How many of it; 1 by default, 0 leaves it out. */
  readonly instances?: number;
  /** Settings beyond those the system gives it. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How long it may take until it is ready, in ms; more than usual where a catalog has a large library to index. */
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
  /** Engines that run already; what is missing here is started. */
  readonly engines?: EngineAddresses;
  /** How engines that run already are reached beside their addresses: their settings by their environment names. */
  readonly engineSettings?: EngineSettings;
  /** Before the names of topics and consumer groups, so that systems may share a Kafka. */
  readonly topicPrefix?: string;
  /** Before the names of indices, so that systems may share an OpenSearch. */
  readonly indexPrefix?: string;
  /** The apps to run and how; one of each by default. */
  readonly apps?: Readonly<Partial<Record<AppName, AppOptions>>>;
  /** A file of assets to publish the first time, or false for none; the checkout's library by default. */
  readonly library?: string | false;
  /** Secrets to use instead of those kept in the folder. */
  readonly secrets?: Partial<Secrets>;
  /** Load apps anew when their sources change. */
  readonly reload?: boolean;
  /** For tests: engines start with half the work, and run somewhat slower. */
  readonly shortLived?: boolean;
  /** Changes the command of an engine, step or app before it is run, such as its environment. */
  readonly adapt?: AdaptCommand;
  readonly tell?: (event: PartEvent) => void;
  readonly say?: (sentence: string) => void;
  readonly fetching?: (so: FetchProgress) => void;
  /** Breaks the start off: what was started is stopped in order, and `startSystem` rejects. */
  readonly signal?: AbortSignal;
}

/** The same with nothing left open. */
export type SystemPlan = Required<StartSystemOptions>;

/** What was not said, decided. */
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
    tell: () => {},
    say: () => {},
    fetching: () => {},
    signal: new AbortController().signal,
    ...options,
    ports: options.ports ?? (await freePorts()),
  };
}
