import type { SettingsSchema } from './setting.js';

/** One invalid setting: its name, and the rest of a sentence with the error and how to fix it. */
export interface ConfigIssue {
  readonly name: string;
  readonly detail: string;
}

type Values = Readonly<Record<string, string>>;

/** Returns the issues of settings that are valid one by one but not together. Checks only settings of the schema. */
export function conflictingSettings({ shape }: SettingsSchema, values: Values): ConfigIssue[] {
  return [
    ...('KAFKA_TLS' in shape ? [...kafkaTls(values), ...kafkaSasl(values)] : []),
    ...['OPENSEARCH', 'RATE_LIMIT_REDIS']
      .filter((engine) => `${engine}_CERT_FILE` in shape)
      .flatMap((engine) => certificateAndKey(values, engine)),
    ...('RATE_LIMIT_REDIS_URL' in shape ? redisTls(values) : []),
    ...('DATABASE_MIGRATION_URL' in shape ? migration(values) : []),
  ];
}

function kafkaTls(values: Values): ConfigIssue[] {
  const files = ['KAFKA_TLS_CA_FILE', 'KAFKA_TLS_CERT_FILE', 'KAFKA_TLS_KEY_FILE'].filter((name) => values[name]);
  if (values.KAFKA_TLS !== 'on') return files.map((name) => ({ name, detail: 'needs KAFKA_TLS=on' }));
  return certificateAndKey(values, 'KAFKA_TLS');
}

function redisTls(values: Values): ConfigIssue[] {
  if (/^rediss:/i.test(values.RATE_LIMIT_REDIS_URL ?? '')) return [];
  return ['CA', 'CERT', 'KEY']
    .map((file) => `RATE_LIMIT_REDIS_${file}_FILE`)
    .filter((name) => values[name])
    .map((name) => ({ name, detail: 'needs rediss:// in RATE_LIMIT_REDIS_URL' }));
}

function kafkaSasl(values: Values): ConfigIssue[] {
  const mechanism = values.KAFKA_SASL_MECHANISM;
  const isSet = (name: string) => Boolean(values[name]);
  if (mechanism === undefined) {
    return ['USERNAME', 'PASSWORD', 'TOKEN_FILE', 'TOKEN_COMMAND']
      .map((suffix) => `KAFKA_SASL_${suffix}`)
      .filter(isSet)
      .map((name) => ({ name, detail: 'needs KAFKA_SASL_MECHANISM' }));
  }
  const isFor = `for KAFKA_SASL_MECHANISM=${mechanism}`;
  const issues: ConfigIssue[] = [];
  if (mechanism !== 'oauthbearer') {
    for (const name of ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'].filter((each) => !isSet(each))) {
      issues.push({ name, detail: `must be set ${isFor}` });
    }
  } else if (isSet('KAFKA_SASL_TOKEN_FILE') === isSet('KAFKA_SASL_TOKEN_COMMAND')) {
    const detail = `or KAFKA_SASL_TOKEN_COMMAND, exactly one of the two, must be set ${isFor}`;
    issues.push({ name: 'KAFKA_SASL_TOKEN_FILE', detail });
  }
  if (values.KAFKA_TLS !== 'on' && !mechanism.startsWith('scram')) {
    issues.push({ name: 'KAFKA_TLS', detail: `must be set to on ${isFor}, which sends the secret itself` });
  }
  return issues;
}

function certificateAndKey(values: Values, prefix: string): ConfigIssue[] {
  const [certificate, key] = [`${prefix}_CERT_FILE`, `${prefix}_KEY_FILE`];
  if (Boolean(values[certificate]) === Boolean(values[key])) return [];
  const [missing, given] = values[key] ? [certificate, key] : [key, certificate];
  return [{ name: missing, detail: `must be set together with ${given}` }];
}

function migration({ DATABASE_POOLER, DATABASE_MIGRATION_URL }: Values): ConfigIssue[] {
  if (DATABASE_POOLER !== 'transaction' || DATABASE_MIGRATION_URL !== undefined) return [];
  const detail = 'must be set with DATABASE_POOLER=transaction: migrations need a session of their own';
  return [{ name: 'DATABASE_MIGRATION_URL', detail }];
}
