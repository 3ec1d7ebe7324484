import { type ConnectionSettings, errorText, tlsAdvice } from '@carbon/config';

const SETTINGS: ConnectionSettings = {
  engine: 'PostgreSQL',
  address: 'DATABASE_URL',
  tlsOn: 'sslmode=verify-full in DATABASE_URL',
  tlsOff: 'sslmode=disable in DATABASE_URL',
  ca: 'sslrootcert in DATABASE_URL',
  certificate: 'sslcert and sslkey in DATABASE_URL',
};

/** By SQLSTATE or by PostgreSQL's own words. The first that fits wins. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /unsupported startup parameter/,
    'A PgBouncer answers at this address: set DATABASE_POOLER=transaction, and for migrations DATABASE_MIGRATION_URL.',
  ],
  [
    /\b28P01\b|password authentication failed|SASL authentication failed/,
    'PostgreSQL refuses the user or the password: check DATABASE_URL.',
  ],
  [/\b3D000\b/, 'There is no such database on this server: create it, or check the name in DATABASE_URL.'],
  [
    /(ENOENT|EACCES)\b.*\bopen\b|\bopen\b.*(ENOENT|EACCES)/,
    'A file that DATABASE_URL names (sslrootcert, sslcert, sslkey) cannot be read: check its path and permissions.',
  ],
];

/** After TLS, for a server that wants TLS says it with the same code. */
const NOT_ALLOWED =
  'PostgreSQL does not let this user in from here: see pg_hba.conf on the server, and the user and sslmode in DATABASE_URL.';

/** What failed, in the driver's words; where several addresses of one name were tried, of the first. */
export function databaseReason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return databaseReason(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** What a person can do about an error, where it says that the settings of the connection are wrong; else undefined. */
export function databaseAdvice(error: unknown): string | undefined {
  const text = errorText(error);
  const known = ADVICE.find(([pattern]) => pattern.test(text))?.[1] ?? tlsAdvice(text, SETTINGS);
  return known ?? (/\b28000\b/.test(text) ? NOT_ALLOWED : undefined);
}
