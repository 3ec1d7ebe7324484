import {
  choice,
  httpSettings,
  internalSettings,
  kafkaSettings,
  logSettings,
  type Setting,
  secretList,
  setting,
  url,
  whole,
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
      'Whether DATABASE_URL leads to the server itself (none) or to a PgBouncer in transaction mode: then sessions get no start-up parameters, and each transaction begins with its settings.',
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
    'Which credits are taken first: by price or rating, - for highest first, ties by id. The database has an index for the default order only: with another, each batch sorts all assets, which takes a tenth of a second for 100,000 of them.';
  return setting(schema, { description, fallback: DEFAULT_PREFERENCE });
}

/** The settings of the offsets service, by their environment names. */
export const offsetsSettings = z.object({
  ...httpSettings(3001),
  ...kafkaSettings,
  ...logSettings,
  ...internalSettings,
  ...databaseSettings,
  DATABASE_POOL: whole(4, 100, {
    description: 'How many connections to PostgreSQL one process holds at most, beside one that only keeps leases.',
    fallback: '10',
  }),
  OUTBOX_RETENTION_DAYS: whole(1, 365, {
    description:
      'For how many days events are kept in the database after they were published, for `npm run ledger -- audit`; a sixth longer at most.',
    fallback: '14',
  }),
  PREFERENCE: preference(),
  ...registrySettings,
  CURSOR_SECRETS: secretList('What the cursors of lists are signed with; the same for all instances of the app.'),
});

/** The settings of the offsets service as read. */
export type OffsetsConfig = Readonly<z.output<typeof offsetsSettings>>;

/** The injection token of the {@link OffsetsConfig}. */
export const OFFSETS_CONFIG = Symbol('OffsetsConfig');
