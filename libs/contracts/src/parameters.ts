import { z } from 'zod';
import { type AssetFieldName, type AssetType, fieldsOf, RESULT_FIELDS } from './asset.js';
import { codePoints, plainText } from './text.js';
import { OFFSET_STATUSES } from './views.js';

/** The rule for one query parameter. */
export interface Parameter<T = unknown, Required extends boolean = boolean> {
  /** Parses the decoded text; its messages complete the sentence "<name> …". */
  readonly schema: z.ZodType<T, string>;
  readonly required: Required;
  /** Whether an empty value is valid. */
  readonly mayBeEmpty: boolean;
}

/** The parameters of a route, by name. */
export type ParameterSpec = Readonly<Record<string, Parameter>>;

/** The values of a spec's parameters; optional ones only if sent. */
export type Parameters<S extends ParameterSpec> = {
  readonly [K in keyof S as S[K] extends Parameter<unknown, true> ? K : never]: z.output<S[K]['schema']>;
} & {
  readonly [K in keyof S as S[K] extends Parameter<unknown, true> ? never : K]?: z.output<S[K]['schema']>;
};

interface EmptyRule {
  readonly mayBeEmpty?: boolean;
}

/** A required parameter. */
export function required<T>(schema: z.ZodType<T, string>, { mayBeEmpty = false }: EmptyRule = {}): Parameter<T, true> {
  return { schema, required: true, mayBeEmpty };
}

/** An optional parameter. */
export function optional<T>(schema: z.ZodType<T, string>, { mayBeEmpty = false }: EmptyRule = {}): Parameter<T, false> {
  return { schema, required: false, mayBeEmpty };
}

/** An integer from `min` to `max` in decimal digits. */
export function integer(min: number, max: number): z.ZodType<number, string> {
  const error = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error })
    .meta({ type: 'integer', minimum: min, maximum: max });
}

const TIME_ERROR = 'must be a time such as 2026-01-31T00:00:00Z (RFC 3339)';
const PLUS_HINT = 'Encode a + inside a value as %2B.';

/** "T" and "Z" may be lower case (RFC 3339, section 5.6). */
const rfc3339 = z.iso.datetime({ offset: true });

/** An RFC 3339 time, kept as sent. */
export const timeParameter: z.ZodType<string, string> = z
  .string()
  .superRefine((text, context) => {
    if (rfc3339.safeParse(text.toUpperCase()).success) return;
    const unescaped = rfc3339.safeParse(text.toUpperCase().replace(' ', '+')).success;
    context.addIssue({ code: 'custom', message: TIME_ERROR, ...(unescaped && { params: { hint: PLUS_HINT } }) });
  })
  .meta({ format: 'date-time' });

/** The maximum page size. */
export const MAX_PAGE_SIZE = 100;

/** `cursor`: the start of the next page, from the `Link` of the page before. */
export const cursorParameter = z.string().meta({
  description:
    'The start of the page, from the `Link` header of the page before. A cursor belongs to one path, account and set of parameters (only `limit` may change) and does not expire.',
});

/**
 * `limit`: the maximum page size. The default is only in the description: forms send the `default` of a schema, and `limit`
 * beside `id` is an error.
 */
export function limitParameter(defaultSize: number): z.ZodType<number, string> {
  const description = `The maximum number of entries on the page; default ${defaultSize}.`;
  return integer(1, MAX_PAGE_SIZE).meta({ type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, description });
}

/** The default page size of the list of offsets. */
export const OFFSETS_PER_PAGE = 20;

const STATUS_ERROR = `must be one of ${OFFSET_STATUSES.join(', ')}`;
const reference = plainText(1, 256);

/** The filters of the list of offsets; an offset must match all of them. */
export const OFFSET_FILTERS = {
  status: optional(
    z.enum(OFFSET_STATUSES, { error: STATUS_ERROR }).meta({ description: 'Only offsets with this status.' }),
  ),
  customerRef: optional(reference.meta({ description: 'Only offsets created with exactly this `customerRef`.' })),
  estimateId: optional(reference.meta({ description: 'Only offsets created with exactly this `estimateId`.' })),
  createdFrom: optional(
    timeParameter.meta({ format: 'date-time', description: 'Only offsets created at this time or later (RFC 3339).' }),
  ),
  createdTo: optional(
    timeParameter.meta({
      format: 'date-time',
      description: 'Only offsets created before this time (RFC 3339), which must be later than `createdFrom`.',
    }),
  ),
};

/** The parameters of `GET /v1/offsets` without `id`. */
export const LIST_PARAMETERS = {
  ...OFFSET_FILTERS,
  limit: optional(limitParameter(OFFSETS_PER_PAGE)),
  cursor: optional(cursorParameter),
};

/** The default page size of a search. */
export const ASSETS_PER_PAGE = 25;

/** The longest `fullTextSearch`, in code points. */
export const MAX_FULL_TEXT_LENGTH = 256;

/** The fields that assets can be sorted by. */
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

/** The fields that the assets of a search can be counted by: those with few values, numbers and dates. */
export const FACET_FIELDS = [
  'source',
  'rating',
  'price',
  'issued',
  'active',
  'chain',
  'registry',
  'country',
  'region',
  'categories',
  'methodologies',
  'vintages',
  'sdgs',
  'listedAt',
] as const satisfies readonly AssetFieldName[];

/** `criteria`, parsed by the criteria library. */
export const criteriaParameter = z.string().meta({
  description:
    'Comparisons of fields that the assets must match (`source: TOUCAN and rating >= 4`); empty for all. `GET /v1/assets/schema` lists the fields, their operators and the most common values.',
});

/** `fullTextSearch`: any text up to the maximum length. */
export const fullTextParameter = z
  .string()
  .refine((text) => codePoints(text) <= MAX_FULL_TEXT_LENGTH, {
    error: `must be at most ${MAX_FULL_TEXT_LENGTH} characters`,
  })
  .meta({
    maxLength: MAX_FULL_TEXT_LENGTH,
    description:
      'Words that must all occur in ticker, name, description, source, registry, registryId, country, region or categories (inflections, synonyms of project types and small typos match too), and `"phrases"` in quotes; empty for all. It has no operators.',
  });

/** `sort` as sent. */
export function sortText(type: AssetType) {
  const names = SORTABLE.filter((name) => fieldsOf(type).includes(name));
  return z.string().meta({
    pattern: listOf(`-?(${names.join('|')})`),
    description: `Fields to sort by, the most important first, a \`-\` before one for descending: ${names.join(', ')}. Assets without the field come last. Default: by relevance with full text, else by \`-rating\`; ties by name, then id.`,
  });
}

/** `fields` as sent. */
export function fieldsText(type: AssetType) {
  const names = fieldsOf(type);
  return z.string().meta({
    pattern: `^\\*$|${listOf(`(${names.join('|')})`)}`,
    description: `The fields of each asset in the response, or \`*\` for all: ${names.join(', ')}. Default: ${RESULT_FIELDS.join(', ')}.`,
  });
}

function listOf(one: string): string {
  return `^${one}(,${one})*$`;
}

/** The parameters of `GET /v1/assets/pools` and `/projects`; `sort` and `fields` as sent. */
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

/** Beyond the longest criteria that fit into a URL. */
const MAX_CARET = 16_384;

/** The kinds of asset as paths name them. */
export const ASSET_KINDS = ['pools', 'projects'] as const;

/** The parameters of `GET /v1/assets/hints`: a search that finds nothing. */
export const HINTS_PARAMETERS = {
  kind: required(
    z
      .enum(ASSET_KINDS, { error: `must be one of ${ASSET_KINDS.join(', ')}` })
      .meta({ description: 'What is searched.' }),
  ),
  criteria: required(criteriaParameter, { mayBeEmpty: true }),
  fullTextSearch: required(fullTextParameter, { mayBeEmpty: true }),
};

/** The parameters of `GET /v1/assets/complete`. */
export const COMPLETE_PARAMETERS = {
  kind: HINTS_PARAMETERS.kind,
  criteria: required(criteriaParameter, { mayBeEmpty: true }),
  caret: optional(
    integer(0, MAX_CARET).meta({
      ...{ type: 'integer', minimum: 0, maximum: MAX_CARET },
      description: 'The caret position in `criteria`, in UTF-16 code units, as JavaScript counts; its end by default.',
    }),
  ),
};

/** The parameters of `GET /v1/assets/facets`; `fields` as sent. */
export const FACETS_PARAMETERS = {
  ...HINTS_PARAMETERS,
  fields: optional(
    z.string().meta({
      pattern: listOf(`(${FACET_FIELDS.join('|')})`),
      description: `The fields to count by: ${FACET_FIELDS.join(', ')}. Default: all of the kind.`,
    }),
  ),
};
