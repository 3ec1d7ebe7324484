import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns a copy of the environment of this process, for a child process. */
export function inheritedEnvironment(): Record<string, string> {
  const set = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set);
}

/** Sets variables in the environment of this process, for its later child processes, such as the workers of a test run. */
export function provideEnvironment(values: Readonly<Record<string, string>>): void {
  Object.assign(process.env, values);
}

/** Where the launcher writes the addresses and secrets of the running system, in the checkout. */
const LOCAL_FILE = join('.local', 'environment');

/**
 * Returns the environment of a command: its own, and for unset variables `.local/environment` of the checkout of the current
 * folder, else of the checkout with the command. So a command needs no settings while `npm start` runs. A file of another user is
 * ignored: it could name any address for this user's keys, and a command to run.
 */
export function loadCliEnvironment(
  environment: Environment = process.env,
  startingPoints: readonly string[] = [process.cwd(), import.meta.dirname],
): Environment {
  const path = startingPoints.map(findUpward).find((found) => found !== undefined);
  if (path === undefined) return environment;
  const local = Object.entries(parseEnv(readFileSync(path, 'utf8')));
  const unset = local.filter(([name]) => !isSet(name, environment) && !isOfOtherEngine(name, environment));
  return { ...environment, ...Object.fromEntries(unset) };
}

/** The other settings of an engine have the same first word. */
const ADDRESSES = ['KAFKA_BROKERS', 'OPENSEARCH_URL', 'DATABASE_URL'];
const OTHER_SETTINGS: Readonly<Record<string, string>> = {
  TOPIC_PREFIX: 'KAFKA_BROKERS',
  INDEX_PREFIX: 'OPENSEARCH_URL',
};

/** The credentials and names of one engine must not be used with another that the environment names instead. */
function isOfOtherEngine(name: string, environment: Environment): boolean {
  const isOf = (address: string) => OTHER_SETTINGS[name] === address || name.startsWith(address.replace(/[A-Z]+$/, ''));
  return ADDRESSES.some((address) => isSet(address, environment) && isOf(address));
}

function isSet(name: string, environment: Environment): boolean {
  return Boolean(environment[name] || environment[`${name}_FILE`]);
}

/** The files of this user; root also uses the system of the user who owns the code of this checkout. */
function isTrusted(uid: number): boolean {
  const self = process.getuid?.() ?? uid;
  return uid === self || (self === 0 && uid === statSync(import.meta.filename).uid);
}

function findUpward(directory: string): string | undefined {
  const path = join(directory, LOCAL_FILE);
  if (existsSync(path) && isTrusted(statSync(path).uid)) return path;
  const parent = dirname(directory);
  return parent === directory ? undefined : findUpward(parent);
}
