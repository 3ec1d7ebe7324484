import { once } from 'node:events';
import { resolve } from 'node:path';
import {
  inheritedEnvironment,
  kafkaSecuritySettings,
  loadConfigOrExit,
  openSearchSecuritySettings,
} from '@carbon/config';
import { LOCAL_DIR } from '../checkout.js';
import { type LauncherSettings, launcherSettings } from '../settings.js';
import { type RunningSystem, startSystem } from '../start-system.js';
import type { StartSystemOptions } from '../system/options.js';
import { EXIT } from './exit-codes.js';
import { explained } from './explained.js';
import { Narrator } from './narrator.js';
import { screenOf } from './screen.js';
import { stopRequests } from './stop-requests.js';
import { welcome } from './welcome.js';

/** What the command line says about a start. */
export interface StartArguments {
  /** The system's folder; the checkout's `.local` unless given. */
  readonly dir?: string;
  readonly reload: boolean;
}

/** `npm start` and `npm run dev`: starts the system, shows how, and stops it when asked to. Ends the process. */
export async function start({ dir, reload }: StartArguments): Promise<void> {
  const settings = loadConfigOrExit(launcherSettings);
  const screen = screenOf(process.stdout);
  const narrator = new Narrator(screen);
  const signal = stopRequests({
    withParent: 'npm_lifecycle_event' in inheritedEnvironment(),
    tell: (why) => narrator.say(`${why}: stopping everything`),
  });
  try {
    const system = await startSystem({
      ...optionsFrom(settings),
      ...toldTo(narrator),
      dir: resolve(dir ?? LOCAL_DIR),
      reload,
      signal,
    });
    narrator.quiet();
    screen.line(welcome(system));
    leave(await keepRunning(system, signal));
  } catch (error) {
    narrator.quiet();
    if (signal.aborted) leave(EXIT.OK);
    else leave(EXIT.FAILED, explained(error));
  }
}

async function keepRunning(system: RunningSystem, signal: AbortSignal): Promise<number> {
  const asked = signal.aborted ? Promise.resolve() : once(signal, 'abort').then(() => undefined);
  const failure = await Promise.race([asked, system.failed]);
  if (failure !== undefined) process.stderr.write(`${explained(failure)}\n`);
  await system.stop();
  return failure === undefined ? EXIT.OK : EXIT.FAILED;
}

/** Ends the process once its last words are out. */
function leave(code: number, lastWords = ''): void {
  process.stderr.write(lastWords === '' ? '' : `${lastWords}\n`, () => process.exit(code));
}

function toldTo({ tell, say, fetching }: Narrator): Pick<StartSystemOptions, 'tell' | 'say' | 'fetching'> {
  return { tell, say, fetching };
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
      ...(KAFKA_BROKERS !== undefined && { kafka: textsOf(settings, Object.keys(kafkaSecuritySettings)) }),
      ...(OPENSEARCH_URL !== undefined && {
        opensearch: textsOf(settings, Object.keys(openSearchSecuritySettings)),
      }),
      ...(DATABASE_URL !== undefined && {
        postgres: textsOf(settings, ['DATABASE_POOLER', 'DATABASE_MIGRATION_URL']),
      }),
    },
    // Meant from where we were started; the apps run in the checkout.
    ...(API_KEYS_FILE && { apps: { gateway: { environment: { API_KEYS_FILE: resolve(API_KEYS_FILE) } } } }),
    secrets: {
      ...(settings.ID_SECRETS && { ID_SECRETS: settings.ID_SECRETS.join(',') }),
      ...(settings.IDEMPOTENCY_SECRETS && { IDEMPOTENCY_SECRETS: settings.IDEMPOTENCY_SECRETS.join(',') }),
      ...(settings.CURSOR_SECRETS && { CURSOR_SECRETS: settings.CURSOR_SECRETS.join(',') }),
      ...(settings.INTERNAL_SECRETS && { INTERNAL_SECRETS: settings.INTERNAL_SECRETS.join(',') }),
    },
  };
}

/** Those of the settings that are set, as text again. */
function textsOf(settings: LauncherSettings, names: readonly string[]): Record<string, string> {
  const values = names.map((name) => [name, settings[name as keyof LauncherSettings]] as const);
  return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}
