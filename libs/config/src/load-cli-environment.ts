import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Environment } from './read-environment.js';

/** What the launcher writes into the checkout: the running system's addresses and secrets. */
const FILE = join('.local', 'environment');

/**
 * The environment of a command: the process's own, and for what it does not set, the `.local/environment` of the
 * checkout the command runs in, else of the checkout it belongs to. So a command run beside `npm start` needs no setting.
 */
export function loadCliEnvironment(
  environment: Environment = process.env,
  startingPoints: readonly string[] = [process.cwd(), import.meta.dirname],
): Environment {
  const path = startingPoints.map(findUpward).find((found) => found !== undefined);
  if (path === undefined) return environment;
  const local = Object.entries(parseEnv(readFileSync(path, 'utf8')));
  const unset = local.filter(
    ([name]) => !environment[name] && !environment[`${name}_FILE`] && !isOfOtherEngine(name, environment),
  );
  return { ...environment, ...Object.fromEntries(unset) };
}

/** The settings that say how an engine is reached begin like the one that says where it is. */
const ADDRESSES = ['KAFKA_BROKERS', 'OPENSEARCH_URL', 'DATABASE_URL'];

/** The credentials of one engine must not be sent to another that the environment names instead. */
function isOfOtherEngine(name: string, environment: Environment): boolean {
  return ADDRESSES.some((address) => {
    const isNamed = Boolean(environment[address] || environment[`${address}_FILE`]);
    return isNamed && name.startsWith(address.replace(/[A-Z]+$/, ''));
  });
}

function findUpward(directory: string): string | undefined {
  const path = join(directory, FILE);
  if (existsSync(path)) return path;
  const parent = dirname(directory);
  return parent === directory ? undefined : findUpward(parent);
}
