import { once } from 'node:events';
import { join, resolve } from 'node:path';
import {
  inheritedEnvironment,
  kafkaSecuritySettings,
  loadConfigOrExit,
  openSearchSecuritySettings,
} from '@carbon/config';
import { ProgressReporter } from '@carbon/terminal';
import { LOCAL_DIR } from '../checkout.js';
import { type LauncherSettings, launcherSettings } from '../settings.js';
import { type RunningSystem, startSystem } from '../start-system.js';
import type { StartSystemOptions } from '../system/options.js';
import { describeError, EXIT } from './describe-error.js';
import { StartReporter } from './progress.js';

/** The options of the command line. */
export interface StartArguments {
  /** The system's folder; the checkout's `.local` by default. */
  readonly dir?: string;
  readonly reload: boolean;
}

/** `npm start` and `npm run dev`: starts the system, shows the progress, and stops it on a signal. Ends the process. */
export async function start({ dir, reload }: StartArguments): Promise<void> {
  const settings = loadConfigOrExit(launcherSettings);
  // The reader may be gone (a closed terminal, `| head`); that is no reason to exit.
  process.stdout.on('error', () => {});
  const output = new ProgressReporter(process.stdout);
  const reporter = new StartReporter(output);
  const signal = stopRequests({
    withParent: 'npm_lifecycle_event' in inheritedEnvironment(),
    onStop: (why) => reporter.say(`${why}: stopping everything`),
  });
  try {
    const system = await startSystem({
      ...optionsFrom(settings),
      onEvent: reporter.onEvent,
      say: reporter.say,
      onFetchProgress: reporter.onFetchProgress,
      dir: resolve(dir ?? LOCAL_DIR),
      reload,
      signal,
    });
    reporter.quiet();
    output.say(startMessage(system));
    leave(await keepRunning(system, signal));
  } catch (error) {
    reporter.quiet();
    if (signal.aborted) leave(EXIT.OK);
    else leave(EXIT.FAILED, describeError(error));
  }
}

async function keepRunning(system: RunningSystem, signal: AbortSignal): Promise<number> {
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort').then(() => undefined);
  const failure = await Promise.race([stopped, system.failed]);
  if (failure !== undefined) process.stderr.write(`${describeError(failure)}\n`);
  await system.stop();
  return failure === undefined ? EXIT.OK : EXIT.FAILED;
}

/** Ends the process after its output is flushed. */
function leave(code: number, message = ''): void {
  process.stderr.write(message === '' ? '' : `${message}\n`, () => process.exit(code));
}

function optionsFrom(settings: LauncherSettings): Omit<StartSystemOptions, 'dir'> {
  const { KAFKA_BROKERS, DATABASE_URL, OPENSEARCH_URL, API_KEYS_FILE } = settings;
  return {
    ports: settings,
    topicPrefix: settings.TOPIC_PREFIX,
    indexPrefix: settings.INDEX_PREFIX,
    engines: {
      ...(KAFKA_BROKERS !== undefined && { kafkaBrokers: KAFKA_BROKERS.join(',') }),
      ...(DATABASE_URL !== undefined && { databaseUrl: DATABASE_URL }),
      ...(OPENSEARCH_URL !== undefined && { opensearchUrl: OPENSEARCH_URL }),
    },
    engineSettings: {
      ...(KAFKA_BROKERS !== undefined && { kafka: textsOf(settings, namesIn(kafkaSecuritySettings)) }),
      ...(OPENSEARCH_URL !== undefined && {
        opensearch: textsOf(settings, namesIn(openSearchSecuritySettings)),
      }),
      ...(DATABASE_URL !== undefined && {
        postgres: textsOf(settings, ['DATABASE_POOLER', 'DATABASE_MIGRATION_URL']),
      }),
    },
    // Relative to the current folder, because the apps run in the checkout's.
    ...(API_KEYS_FILE && { apps: { gateway: { environment: { API_KEYS_FILE: resolve(API_KEYS_FILE) } } } }),
    secrets: textsOf(settings, ['ID_SECRETS', 'IDEMPOTENCY_SECRETS', 'CURSOR_SECRETS', 'INTERNAL_SECRETS']),
  };
}

type SettingName = keyof LauncherSettings;

function namesIn(settings: object): SettingName[] {
  return Object.keys(settings) as SettingName[];
}

/** Returns the settings that are set, as text. */
function textsOf(settings: LauncherSettings, names: readonly SettingName[]): Record<string, string> {
  const values = names.map((name) => [name, settings[name]] as const);
  return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}

/** On Ctrl-C the terminal and npm both send SIGINT, so a second signal so soon is the same request. */
const SAME_REQUEST_MS = 1_000;
const PARENT_POLL_MS = 500;

/** What stops the launcher, besides Ctrl-C and SIGTERM. */
export interface StopRequestOptions {
  /** The parent's end: npm cannot forward a signal when it is killed with -9. */
  readonly withParent: boolean;
  /** Of a later second request. */
  readonly exitCode?: number;
  /** Receives the reason, once. */
  readonly onStop: (why: string) => void;
}

/** Aborts on the first stop request. A later second request ends the process at once, and the guards end the rest. */
export function stopRequests({ withParent, onStop, exitCode = EXIT.FAILED }: StopRequestOptions): AbortSignal {
  const controller = new AbortController();
  let requestedAt: number | undefined;
  const requestStop = (why: string) => {
    if (requestedAt !== undefined && Date.now() - requestedAt > SAME_REQUEST_MS) process.exit(exitCode);
    if (requestedAt !== undefined) return;
    requestedAt = Date.now();
    onStop(why);
    controller.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, requestStop);
  if (withParent) onParentsEnd(() => requestStop('npm has ended'));
  return controller.signal;
}

function onParentsEnd(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, PARENT_POLL_MS);
  timer.unref();
}

/** Prints what a new user needs: addresses, authentication, three examples, and the folders of logs and data. */
export function startMessage({ urls, dir, environment }: RunningSystem): string {
  const base = urls.gateway.replace('127.0.0.1', 'localhost');
  const { API_KEYS_FILE: keyFile } = environment;
  const key = keyFile === undefined ? '' : ` -H "Authorization: Bearer $API_KEY"`;
  return `
Ready: ${base}
Console: ${base}/console
API documentation: ${base}/docs
Events: Kafka at ${environment.KAFKA_BROKERS} (docs/events.md)
${keyFile === undefined ? 'Open: no API key is required (docs/keys.md).' : `API keys are required: ${keyFile}.`}

Try:
  curl -si ${base}/v1/offsets${key} -H 'content-type: application/json' -d '{"kgCO2e": 1234.5, "customerRef": "u-1"}'
  curl -s ${base}/v1/offsets${key}
  curl -sG ${base}/v1/assets/pools${key} --data-urlencode 'criteria=source: TOUCAN and ticker in (BCT, NCT)' --data-urlencode 'fullTextSearch='

Logs: ${join(dir, 'logs')}
Data: ${join(dir, 'data')} (kept; npm run reset${dir === LOCAL_DIR ? '' : ` -- --dir ${dir}`} empties it)
Ctrl-C stops everything.
`;
}
