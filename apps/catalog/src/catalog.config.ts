import {
  httpSettings,
  indexSettings,
  internalSettings,
  kafkaSettings,
  logSettings,
  milliseconds,
  secretList,
  url,
} from '@carbon/config';
import { z } from 'zod';

/** The catalog's settings, by their environment names. */
export const catalogSettings = z.object({
  ...httpSettings(3002),
  ...kafkaSettings,
  ...logSettings,
  ...internalSettings,
  OPENSEARCH_URL: url(['http', 'https'], {
    description: 'Where OpenSearch answers, with user and password where it wants any.',
    fallback: 'http://127.0.0.1:29200',
    secret: true,
  }),
  ...indexSettings,
  SEARCH_TIMEOUT_MS: milliseconds(
    1_400,
    'How long OpenSearch may take to answer a search, in milliseconds (503 beyond); keep it below CATALOG_TIMEOUT_MS of the gateway, which gives up by itself.',
    {
      min: 300,
      max: 10_000,
    },
  ),
  BULK_TIMEOUT_MS: milliseconds(
    10_000,
    'How long OpenSearch may take for one bulk write, in milliseconds; then it is written again.',
    { min: 1_000, max: 60_000 },
  ),
  GENERATION_KEPT_MS: milliseconds(
    600_000,
    'How long the indices that others have taken the place of are kept and fed, in milliseconds.',
    { min: 1_000, max: 604_800_000 },
  ),
  CURSOR_SECRETS: secretList('What proves the cursors that lead from page to page.'),
});

/** The catalog's settings as read. */
export type CatalogConfig = Readonly<z.output<typeof catalogSettings>>;
