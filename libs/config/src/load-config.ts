import type { z } from 'zod';
import { ConfigError, type ConfigFault } from './config-error.js';
import { conflictingSettings } from './conflicting-settings.js';
import { type Environment, readEnvironment } from './read-environment.js';
import { metaOf, type SettingsSchema } from './setting.js';
import { unsafeSecrets } from './unsafe-secrets.js';

/** The exit code for a wrong configuration (EX_CONFIG of sysexits.h): starting again will not help. */
const EXIT_CONFIG = 78;

/**
 * Reads an app's settings from the environment, once, at its start. The result is frozen. Throws a {@link ConfigError}
 * that names every wrong setting.
 */
export function loadConfig<S extends SettingsSchema>(
  schema: S,
  environment: Environment = process.env,
): Readonly<z.output<S>> {
  const raw = readEnvironment(schema, environment);
  const result = schema.safeParse(raw.values);
  const unread = new Set(raw.faults.map(({ name }) => name.replace(/_FILE$/, '')));
  const conflicts = conflictingSettings(schema, raw.values).filter(({ name }) => !unread.has(name));
  const unsafe = [...unsafeSecrets(schema, raw.values), ...conflicts];
  if (result.success && raw.faults.length + unsafe.length === 0) return deepFreeze(result.data);
  const issues = (result.error?.issues ?? []).filter((issue) => !unread.has(String(issue.path[0])));
  throw new ConfigError([...raw.faults, ...issues.map((issue) => faultOf(issue, schema, raw.values)), ...unsafe]);
}

/** {@link loadConfig} for an app's main: prints what is wrong on standard error and exits with 78. */
export function loadConfigOrExit<S extends SettingsSchema>(
  schema: S,
  environment: Environment = process.env,
): Readonly<z.output<S>> {
  return exitOnConfigError(() => loadConfig(schema, environment));
}

/** Does what may throw a {@link ConfigError}; for an app's main, as above. */
export function exitOnConfigError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT_CONFIG);
  }
}

function faultOf(issue: z.core.$ZodIssue, schema: SettingsSchema, values: RawValues): ConfigFault {
  const name = String(issue.path[0] ?? 'The configuration');
  const value = values[name];
  const setting = schema.shape[name];
  if (value === undefined && issue.message.startsWith('Invalid input')) return { name, detail: missing(setting) };
  const shown = value === undefined || !setting || metaOf(setting).secret ? '' : ` (it is ${JSON.stringify(value)})`;
  return { name, detail: `${issue.message}${shown}` };
}

type RawValues = Readonly<Record<string, string>>;

function missing(setting: z.ZodType | undefined): string {
  const { description, example } = setting ? metaOf(setting) : {};
  const advice = example ? `, for example ${example}` : '';
  return `must be set${advice}. ${description ?? ''}`.trim();
}

function deepFreeze<T>(value: T): Readonly<T> {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
