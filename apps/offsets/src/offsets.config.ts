import { httpSettings, kafkaSettings, logSettings, secretList, url, whole } from '@carbon/config';
import { z } from 'zod';

/** Where the offsets are kept. Its own fragment: the migrations and the ledger commands need nothing else. */
export const databaseSettings = {
  DATABASE_URL: url(['postgresql', 'postgres'], {
    description: 'The PostgreSQL database of the offsets.',
    example: 'postgresql://carbon:password@db.example/carbon',
    secret: true,
  }),
};

/** The settings of the offsets service, by their environment names. */
export const offsetsSettings = z.object({
  ...httpSettings(3001),
  ...kafkaSettings,
  ...logSettings,
  ...databaseSettings,
  DATABASE_POOL: whole(4, 100, {
    description: 'How many connections to PostgreSQL one process holds at most.',
    fallback: '10',
  }),
  CURSOR_SECRETS: secretList('What the cursors of lists are signed with; the same for all instances of the app.'),
});

/** The settings of the offsets service as read. */
export type OffsetsConfig = Readonly<z.output<typeof offsetsSettings>>;
