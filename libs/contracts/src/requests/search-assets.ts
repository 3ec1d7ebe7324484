import { z } from 'zod';
import { type AssetFieldName, type AssetType, fieldsOf, RESULT_FIELDS } from '../asset.js';
import { codePoints } from '../text.js';
import { cursorParameter, limitParameter } from './page-parameters.js';
import { optional, required } from './parameter.js';

/** How many assets a page of a search holds unless something is said. */
export const ASSETS_PER_PAGE = 25;

/** The longest `fullTextSearch`, in code points. */
export const MAX_FULL_TEXT_LENGTH = 256;

/** What assets can be ordered by, where they have it. */
export const SORTABLE = [
  'id',
  'ticker',
  'source',
  'name',
  'rating',
  'price',
  'issued',
  'listedAt',
  'country',
  'region',
  'registry',
] as const satisfies readonly AssetFieldName[];

/** `criteria`, whose language is read by itself. */
export const criteriaParameter = z.string().meta({
  description:
    'Which assets are wanted, as comparisons of fields (`source: TOUCAN and rating >= 4`); empty for all. `GET /v1/assets/schema` tells the fields, their operators and the commonest values.',
});

/** `fullTextSearch`, in which nothing is an error but its length. */
export const fullTextParameter = z
  .string()
  .refine((text) => codePoints(text) <= MAX_FULL_TEXT_LENGTH, {
    error: `must be at most ${MAX_FULL_TEXT_LENGTH} characters`,
  })
  .meta({
    maxLength: MAX_FULL_TEXT_LENGTH,
    description:
      'Words that must all stand in ticker, name, description, source, registry, country, region or categories (inflections and small typos are forgiven), and `"phrases"` in quotes; empty for all. It has no operators.',
  });

/** `sort` as it is written. */
export function sortText(type: AssetType) {
  const names = SORTABLE.filter((name) => fieldsOf(type).includes(name));
  return z.string().meta({
    pattern: listOf(`-?(${names.join('|')})`),
    description: `Fields to order by, the most important first, a \`-\` before one for descending: ${names.join(', ')}. Assets without the field stand last. Else by relevance when there is full text, and by \`-rating\` when there is none; ties by name, then id.`,
  });
}

/** `fields` as it is written. */
export function fieldsText(type: AssetType) {
  const names = fieldsOf(type);
  return z.string().meta({
    pattern: `^\\*$|${listOf(`(${names.join('|')})`)}`,
    description: `The fields that each asset is told with, where it has them, or \`*\` for all: ${names.join(', ')}. Else ${RESULT_FIELDS.join(', ')}.`,
  });
}

function listOf(one: string): string {
  return `^${one}(,${one})*$`;
}

/** The parameters of `GET /v1/assets/pools` and `/projects`; `sort` and `fields` as written. */
export function searchParametersOf(type: AssetType) {
  return {
    criteria: required(criteriaParameter, { mayBeEmpty: true }),
    fullTextSearch: required(fullTextParameter, { mayBeEmpty: true }),
    sort: optional(sortText(type)),
    fields: optional(fieldsText(type)),
    limit: optional(limitParameter(ASSETS_PER_PAGE)),
    cursor: optional(cursorParameter),
  };
}
