import {
  choice,
  httpSettings,
  integer,
  internalSettings,
  kafkaSettings,
  logSettings,
  type Setting,
  secretList,
  setting,
  url,
} from '@carbon/config';
import { z } from 'zod';
import { DEFAULT_PREFERENCE, PREFERENCE_WORDS, Preference } from './domain/preference.js';
import { registrySettings } from './registry/registry.config.js';

/** Where the offsets are kept. Its own fragment: the migrations and the ledger commands need nothing else. */
export const databaseSettings = {
  DATABASE_URL: url(['postgresql', 'postgres'], {
    description:
      'The PostgreSQL database of the offsets: PostgreSQL 18 or newer. For TLS end it with ?sslmode=verify-full, and &sslrootcert=, &sslcert=, &sslkey= with paths where they are needed.',
    example: 'postgresql://carbon:password@db.example/carbon',
    secret: true,
  }),
  DATABASE_POOLER: choice(['none', 'transaction'], {
    description:
      'Whether DATABASE_URL is the address of the server itself (none) or of a PgBouncer in transaction mode: then sessions get no start-up parameters, and each transaction begins with its settings.',
    fallback: 'none',
  }),
};

/** The settings of the migrations. */
export const migrationSettings = z.object({
  ...databaseSettings,
  DATABASE_MIGRATION_URL: url(['postgresql', 'postgres'], {
    description:
      'The same database for migrations: the server itself, not a pooler, and as a role that may change tables. Not set: DATABASE_URL; must be set with DATABASE_POOLER=transaction.',
    example: 'postgresql://owner:password@db.example/carbon',
    secret: true,
  }).optional(),
});

/** How credits are preferred, as one text. */
function preference(): Setting<Preference> {
  const schema = z.string().transform((text, context) => {
    const read = Preference.read(text);
    if (read) return read;
    const message = `must be one or more of ${PREFERENCE_WORDS.join(', ')}, with commas between, price and rating once each`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
  const description =
    'Which credits are taken first: price, rating or both, separated by commas; a minus sign means highest first. Assets that are equal are ordered by id. The database has an index for the default order only: with another, each batch sorts all assets, which takes a tenth of a second for 100,000 of them.';
  return setting(schema, { description, fallback: DEFAULT_PREFERENCE });
}

/** The settings of the offsets service, by their environment names. */
export const offsetsSettings = z.object({
  ...httpSettings(3001),
  ...kafkaSettings,
  ...logSettings,
  ...internalSettings,
  ...databaseSettings,
  DATABASE_POOL: integer(4, 100, {
    description: 'The maximum number of connections to PostgreSQL per process, besides one that only renews leases.',
    fallback: '10',
  }),
  OUTBOX_RETENTION_DAYS: integer(1, 365, {
    description:
      'How long published events stay in the database, in days, for `npm run ledger -- audit`. They are deleted up to a sixth of this time later.',
    fallback: '14',
  }),
  PREFERENCE: preference(),
  ...registrySettings,
  CURSOR_SECRETS: secretList('The secrets that sign the cursors of lists; the same for all instances of the app.'),
});

/** The settings of the offsets service as read. */
export type OffsetsConfig = Readonly<z.output<typeof offsetsSettings>>;

/** The injection token of the {@link OffsetsConfig}. */
export const OFFSETS_CONFIG = Symbol('OffsetsConfig');
