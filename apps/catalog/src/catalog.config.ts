import {
  httpSettings,
  indexSettings,
  internalSettings,
  kafkaSettings,
  logSettings,
  milliseconds,
  openSearchSettings,
  secretList,
  text,
  whole,
} from '@carbon/config';
import { z } from 'zod';

/** The catalog's settings, by their environment names. */
export const catalogSettings = z.object({
  ...httpSettings(3002),
  ...kafkaSettings,
  ...logSettings,
  ...internalSettings,
  ...openSearchSettings,
  ...indexSettings,
  OPENSEARCH_SHARDS: whole(1, 64, {
    description:
      'How many primary shards an index of the library has. A change applies to the generations made after it (`npm run catalog -- rebuild` makes one); an index that stands is never changed or rebuilt for it.',
    fallback: '1',
  }),
  OPENSEARCH_REPLICAS: text(
    /^(\d{1,2}|\d{1,2}-(\d{1,2}|all))$/,
    'a number such as 1, or a range such as 0-1 or 0-all',
    {
      description:
        'How many copies each shard has: a number, or a range that OpenSearch fits to the nodes there are. Applies to a generation when it goes live.',
      fallback: '0-1',
    },
  ),
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

/** The injection token of {@link CatalogConfig}. */
export const CATALOG_CONFIG = Symbol('CATALOG_CONFIG');
