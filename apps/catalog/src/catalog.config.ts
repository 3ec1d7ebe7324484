import {
  httpSettings,
  indexSettings,
  integer,
  internalSettings,
  kafkaSettings,
  logSettings,
  milliseconds,
  openSearchSettings,
  type Setting,
  secretList,
  text,
} from '@carbon/config';
import { z } from 'zod';

const REPLICAS = 'a number such as 1, or a range such as 0-1 or 0-all';

/** The catalog's settings, by their environment names. */
export const catalogSettings = z.object({
  ...httpSettings(3002),
  ...kafkaSettings,
  ...logSettings,
  ...internalSettings,
  ...openSearchSettings,
  ...indexSettings,
  OPENSEARCH_SHARDS: integer(1, 64, {
    description:
      'The number of primary shards of an index of the library. A change applies to later generations (`npm run catalog -- rebuild` creates one, with the value in its own environment: set it there too); existing indices are neither changed nor rebuilt.',
    fallback: '1',
  }),
  OPENSEARCH_REPLICAS: replicas(),
  SEARCH_TIMEOUT_MS: milliseconds(
    1_400,
    'The timeout of a search in OpenSearch, in milliseconds (then 503); keep it below CATALOG_TIMEOUT_MS of the gateway.',
    {
      min: 300,
      max: 10_000,
    },
  ),
  SEARCH_WARM_UP_MS: milliseconds(
    3_000,
    'The maximum duration of the warm-up searches before the catalog is ready, in milliseconds. The warm-up ends as soon as searches are fast; 0 disables it.',
    { min: 0, max: 60_000 },
  ),
  BULK_TIMEOUT_MS: milliseconds(
    10_000,
    'The timeout of one bulk write in OpenSearch, in milliseconds; then the catalog retries the write.',
    { min: 1_000, max: 60_000 },
  ),
  GENERATION_KEPT_MS: milliseconds(600_000, 'How long superseded indices are kept and updated, in milliseconds.', {
    min: 1_000,
    max: 604_800_000,
  }),
  CURSOR_SECRETS: secretList('The secrets that sign the cursors of pages.'),
});

/** The catalog's settings as read. */
export type CatalogConfig = Readonly<z.output<typeof catalogSettings>>;

/** The injection token of {@link CatalogConfig}. */
export const CATALOG_CONFIG = Symbol('CATALOG_CONFIG');

/** Returns the setting. It refuses a descending range such as 2-1, which OpenSearch would refuse when it creates an index. */
function replicas(): Setting<string> {
  const about = {
    description:
      'The number of replicas of each shard: a number, or a range that OpenSearch adapts to the number of nodes. Applied to a generation just before its alias swap.',
    fallback: '0-1',
  };
  const isAscending = (value: string) => {
    const [, least, most] = /^(\d{1,2})-(\d{1,2})$/.exec(value) ?? [];
    return least === undefined || Number(least) <= Number(most);
  };
  return text(/^(\d{1,2}|\d{1,2}-(\d{1,2}|all))$/, REPLICAS, about)
    .refine(isAscending, { error: `must be ${REPLICAS}` })
    .meta(about);
}
