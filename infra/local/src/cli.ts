#!/usr/bin/env node
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { LOCAL_DIR } from './checkout.js';
import { describeError, EXIT } from './cli/describe-error.js';
import { start } from './cli/start.js';
import { fallbackFolder } from './engines/engine-user.js';
import { takeLock } from './processes/lock.js';
import { endOrphans } from './processes/pids.js';

const SETTINGS = `
Settings (environment):
  GATEWAY_PORT 3000, OFFSETS_PORT 3001, CATALOG_PORT 3002       where the apps listen
  KAFKA_PORT 29092, KAFKA_CONTROLLER_PORT 29093, OPENSEARCH_PORT 29200,
  OPENSEARCH_TRANSPORT_PORT 29300, POSTGRES_PORT 25432          where the engines listen
  KAFKA_BROKERS, OPENSEARCH_URL, DATABASE_URL                   engines to use instead, one by one
  API_KEYS_FILE                                                 the file of API keys; without it the gateway is open
  OPENSEARCH_JAVA_HOME, JAVA_HOME                               the JDK, preferred to PATH and the usual folders
Other variables are passed on to the apps.

Exit codes: 0 stopped by a signal, 1 a part failed, 2 usage error, 78 wrong settings.`;

const DIR = ['--dir <folder>', 'use this folder instead of .local, for a separate system'] as const;

const program = new Command('local')
  .description('The whole system on this machine: Kafka, OpenSearch, PostgreSQL and the three apps.')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

program
  .command('start')
  .description('Start everything, and keep it running until Ctrl-C or SIGTERM.')
  .addHelpText('after', SETTINGS)
  .option(...DIR)
  .action(({ dir }) => start({ dir, reload: false }));

program
  .command('dev')
  .description('The same, and the apps reload when their sources change.')
  .addHelpText('after', SETTINGS)
  .option(...DIR)
  .action(({ dir }) => start({ dir, reload: true }));

program
  .command('reset')
  .description('Empty .local: data, logs, secrets and keys. Refuses while the system runs.')
  .option(...DIR)
  .action(({ dir }) => reset({ dir }));

await program.parseAsync();

/** Whether a file has the secrets of a local system, perhaps cut off. */
function hasSystemSecrets(file: string): boolean {
  return existsSync(file) && /"(ID|IDEMPOTENCY)_SECRETS"/.test(readFileSync(file, 'utf8'));
}

/** `npm run reset`: empties the local system's folder, unless the system runs. */
async function reset({ dir = LOCAL_DIR }: { readonly dir?: string }): Promise<void> {
  const folder = resolve(dir);
  const [secrets, lock] = [join(folder, 'secrets.json'), join(folder, 'lock')];
  const fallback = fallbackFolder(folder);
  // A start creates the secrets first, so another folder without them is not a system's folder.
  const isSystem = folder === LOCAL_DIR ? existsSync(folder) || existsSync(fallback) : hasSystemSecrets(secrets);
  if (!isSystem) return say(`there is nothing to remove in ${folder}`);
  try {
    takeLock(lock);
    await endOrphans(join(folder, 'run'));
    const contents = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
    // Secrets and lock last, so that an interrupted reset can be repeated, and nothing starts before the end.
    for (const place of [fallback, ...contents.filter((path) => path !== secrets && path !== lock), folder]) {
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    }
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n`);
    process.exit(EXIT.FAILED);
  }
  say(`emptied ${folder}: the next start creates new data and new secrets`);
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}
