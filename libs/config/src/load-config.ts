import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { type ConfigIssue, conflictingSettings } from './conflicting-settings.js';
import type { Environment } from './environment.js';
import { metaOf, readErrorCode, type SettingsSchema } from './setting.js';

/** Every invalid setting. Contains no secret. */
export class ConfigError extends Error {
  constructor(readonly issues: readonly ConfigIssue[]) {
    super(`Invalid configuration:\n${issues.map(({ name, detail }) => `  ${name} ${detail}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** The exit code of an invalid configuration (EX_CONFIG of sysexits.h): restarting does not help. */
const EXIT_CONFIG = 78;

/** Returns the frozen settings of an app. @throws ConfigError with every invalid setting */
export function loadConfig<S extends SettingsSchema>(
  schema: S,
  environment: Environment = process.env,
): Readonly<z.output<S>> {
  const { values, unreadable } = readEnvironment(schema, environment);
  const result = schema.safeParse(values);
  const isReadable = (name: unknown) => !unreadable.some((issue) => issue.name === `${name}_FILE`);
  const invalid = (result.error?.issues ?? []).filter(({ path }) => isReadable(path[0]));
  const issues = [
    ...unreadable,
    ...invalid.map((issue) => configIssue(issue, schema, values)),
    ...unsafeSecrets(schema, values),
    ...conflictingSettings(schema, values).filter(({ name }) => isReadable(name)),
  ];
  if (result.success && issues.length === 0) return deepFreeze(result.data);
  throw new ConfigError(issues);
}

/** {@link loadConfig} for the entry point of an app: prints the error to standard error and exits with 78. */
export function loadConfigOrExit<S extends SettingsSchema>(
  schema: S,
  environment: Environment = process.env,
): Readonly<z.output<S>> {
  return exitOnConfigError(() => loadConfig(schema, environment));
}

/** Runs `work`; prints a {@link ConfigError} to standard error and exits with 78. */
export function exitOnConfigError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_CONFIG);
  }
}

type Values = Readonly<Record<string, string>>;

/**
 * Returns the raw values of the settings. An empty value counts as unset; a secret may be in the file that `<NAME>_FILE`
 * names.
 */
function readEnvironment(schema: SettingsSchema, environment: Environment) {
  const values: Record<string, string> = {};
  const unreadable: ConfigIssue[] = [];
  for (const [name, setting] of Object.entries(schema.shape)) {
    const value = environment[name] || undefined;
    const file = metaOf(setting).secret ? environment[`${name}_FILE`] || undefined : undefined;
    const reject = (detail: string) => unreadable.push({ name: `${name}_FILE`, detail });
    if (value !== undefined && file !== undefined) reject(`conflicts with ${name}; set only one of them`);
    else if (value !== undefined) values[name] = value;
    else if (file !== undefined) {
      try {
        values[name] = readFileSync(file, 'utf8').trim();
      } catch (error) {
        const reason = readErrorCode(error);
        reject(`names a file that cannot be read (${reason}); check the path and its permissions`);
      }
    }
  }
  return { values, unreadable };
}

function configIssue(issue: z.core.$ZodIssue, schema: SettingsSchema, values: Values): ConfigIssue {
  const name = String(issue.path[0] ?? 'The configuration');
  const value = values[name];
  const setting = schema.shape[name];
  const { description = '', example, secret } = setting ? metaOf(setting) : {};
  if (value === undefined && issue.message.startsWith('Invalid input')) {
    const help = example ? `, for example ${example}` : '';
    return { name, detail: `must be set${help}. ${description}`.trim() };
  }
  const shown = value === undefined || !setting || secret ? '' : ` (it is ${JSON.stringify(value)})`;
  return { name, detail: `${issue.message}${shown}` };
}

/** The prefix of the secrets in docker-compose.yml, which everybody can read. */
const PUBLISHED_PREFIX = 'compose-only-';

/** In production, rejects secrets that are published or used in two settings. */
function unsafeSecrets(schema: SettingsSchema, values: Values): ConfigIssue[] {
  if (values.NODE_ENV !== 'production') return [];
  const issues: ConfigIssue[] = [];
  const settingBySecret = new Map<string, string>();
  for (const [name, setting] of Object.entries(schema.shape)) {
    const { data } = setting.safeParse(values[name]);
    const secrets = metaOf(setting).secret && Array.isArray(data) ? data.map(String) : [];
    if (secrets.some((secret) => secret.startsWith(PUBLISHED_PREFIX))) {
      issues.push({ name, detail: 'must not be a secret from docker-compose.yml; use `openssl rand -base64 48`' });
    }
    const other = secrets.map((secret) => settingBySecret.get(secret)).find((user) => user !== undefined);
    if (other !== undefined) issues.push({ name, detail: `must not share a secret with ${other}` });
    for (const secret of secrets) settingBySecret.set(secret, name);
  }
  return issues;
}

function deepFreeze<T>(value: T): Readonly<T> {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
