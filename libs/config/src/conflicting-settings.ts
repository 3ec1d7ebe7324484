import type { ConfigFault } from './config-error.js';
import type { SettingsSchema } from './setting.js';

type Values = Readonly<Record<string, string>>;

/** Settings that are valid one by one and cannot be used together. Checks those that the schema has. */
export function conflictingSettings({ shape }: SettingsSchema, values: Values): ConfigFault[] {
  return [
    ...('KAFKA_TLS' in shape ? kafkaConflicts(values) : []),
    ...('OPENSEARCH_CERT_FILE' in shape ? pair(values, 'OPENSEARCH_CERT_FILE', 'OPENSEARCH_KEY_FILE') : []),
    ...('RATE_LIMIT_REDIS_CERT_FILE' in shape
      ? pair(values, 'RATE_LIMIT_REDIS_CERT_FILE', 'RATE_LIMIT_REDIS_KEY_FILE')
      : []),
    ...('DATABASE_MIGRATION_URL' in shape ? migrationConflicts(values) : []),
  ];
}

function kafkaConflicts(values: Values): ConfigFault[] {
  const mechanism = values.KAFKA_SASL_MECHANISM;
  const faults = [...tlsConflicts(values)];
  if (mechanism === undefined) return [...faults, ...withoutMechanism(values)];
  if (mechanism === 'oauthbearer') faults.push(...tokenConflicts(values));
  else faults.push(...required(values, ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'], mechanism));
  if (values.KAFKA_TLS !== 'on' && !mechanism.startsWith('scram')) {
    const detail = `must be set to on for KAFKA_SASL_MECHANISM=${mechanism}, which sends the secret itself`;
    faults.push({ name: 'KAFKA_TLS', detail });
  }
  return faults;
}

function migrationConflicts({ DATABASE_POOLER, DATABASE_MIGRATION_URL }: Values): ConfigFault[] {
  if (DATABASE_POOLER !== 'transaction' || DATABASE_MIGRATION_URL !== undefined) return [];
  const detail = 'must be set with DATABASE_POOLER=transaction: migrations need a session of their own';
  return [{ name: 'DATABASE_MIGRATION_URL', detail }];
}

function tlsConflicts(values: Values): ConfigFault[] {
  const files = ['KAFKA_TLS_CA_FILE', 'KAFKA_TLS_CERT_FILE', 'KAFKA_TLS_KEY_FILE'].filter((name) => values[name]);
  if (values.KAFKA_TLS !== 'on') return files.map((name) => ({ name, detail: 'needs KAFKA_TLS=on' }));
  return pair(values, 'KAFKA_TLS_CERT_FILE', 'KAFKA_TLS_KEY_FILE');
}

function withoutMechanism(values: Values): ConfigFault[] {
  return ['USERNAME', 'PASSWORD', 'TOKEN_FILE', 'TOKEN_COMMAND']
    .map((end) => `KAFKA_SASL_${end}`)
    .filter((name) => values[name])
    .map((name) => ({ name, detail: 'needs KAFKA_SASL_MECHANISM' }));
}

function tokenConflicts({ KAFKA_SASL_TOKEN_FILE: file, KAFKA_SASL_TOKEN_COMMAND: command }: Values): ConfigFault[] {
  if ((file === undefined) !== (command === undefined)) return [];
  const detail =
    'or KAFKA_SASL_TOKEN_COMMAND, exactly one of the two, must be set for KAFKA_SASL_MECHANISM=oauthbearer';
  return [{ name: 'KAFKA_SASL_TOKEN_FILE', detail }];
}

function required(values: Values, names: readonly string[], mechanism: string): ConfigFault[] {
  const detail = `must be set for KAFKA_SASL_MECHANISM=${mechanism}`;
  return names.filter((name) => !values[name]).map((name) => ({ name, detail }));
}

function pair(values: Values, certificate: string, key: string): ConfigFault[] {
  if (Boolean(values[certificate]) === Boolean(values[key])) return [];
  const [missing, given] = values[key] ? [certificate, key] : [key, certificate];
  return [{ name: missing, detail: `must be set beside ${given}` }];
}
