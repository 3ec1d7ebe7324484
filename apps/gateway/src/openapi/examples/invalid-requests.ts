import { type Asked, got, posted, type Refused } from './refused.js';

type Mistakes = readonly Readonly<Record<string, unknown>>[];

function invalid(summary: string, asked: Asked, detail: string, errors: Mistakes): Refused {
  return { code: 'invalid_request', summary, asked, detail, more: { errors } };
}

/** For each operation a request that is not valid, and every mistake in it. */
export const INVALID_REQUESTS = {
  createOffset: invalid(
    'A member that is misspelt, and one that is empty',
    posted('/v1/offsets', '{"kgCo2e": 1234.5, "customerRef": ""}'),
    'kgCO2e: is missing; must be a number (and 2 more errors)',
    [
      { field: 'kgCO2e', pointer: '/kgCO2e', code: 'missing_field', detail: 'is missing; must be a number' },
      {
        field: 'customerRef',
        pointer: '/customerRef',
        code: 'invalid_field',
        detail: 'must be 1 to 256 characters long',
      },
      {
        field: 'kgCo2e',
        pointer: '/kgCo2e',
        code: 'unknown_field',
        detail: 'unknown field; did you mean kgCO2e?',
        suggestion: 'kgCO2e',
      },
    ],
  ),
  readOffsets: invalid(
    'A state that there is not',
    got('/v1/offsets?status=done&limit=0'),
    'status: must be one of queued, processing, completed, failed (and 1 more error)',
    [
      { field: 'status', code: 'invalid_parameter', detail: 'must be one of queued, processing, completed, failed' },
      { field: 'limit', code: 'invalid_parameter', detail: 'must be an integer from 1 to 100' },
    ],
  ),
  createEstimate: invalid(
    'A weight as text',
    posted('/v1/estimates', '{"kgCO2e": "1234.5"}'),
    'kgCO2e: must be a number, not a string',
    [{ field: 'kgCO2e', pointer: '/kgCO2e', code: 'invalid_field', detail: 'must be a number, not a string' }],
  ),
  getEstimate: invalid(
    'Something else than an id',
    got('/v1/estimates?id=42'),
    'id: must be the id of an estimate, est_ and 26 characters, as it was given on creation',
    [
      {
        field: 'id',
        code: 'invalid_parameter',
        detail: 'must be the id of an estimate, est_ and 26 characters, as it was given on creation',
      },
    ],
  ),
  getRetirements: invalid(
    'Another name for the parameter',
    got('/v1/retirements?id=off_1'),
    'id: unknown parameter; this route accepts: offset (and 1 more error)',
    [
      { field: 'id', code: 'unknown_parameter', detail: 'unknown parameter; this route accepts: offset' },
      { field: 'offset', code: 'missing_parameter', detail: 'is missing' },
    ],
  ),
  searchPools: invalid(
    'Only half of the question',
    got('/v1/assets/pools?criteria=&limit=1000'),
    'limit: must be an integer from 1 to 100 (and 1 more error)',
    [
      { field: 'limit', code: 'invalid_parameter', detail: 'must be an integer from 1 to 100' },
      {
        field: 'fullTextSearch',
        code: 'missing_parameter',
        detail: 'is missing; send fullTextSearch= for an empty value',
      },
    ],
  ),
  searchProjects: invalid(
    'An & that is not encoded',
    got('/v1/assets/projects?criteria=country:BR&&rating>3&fullTextSearch='),
    'the query has an empty parameter: a stray & at its end or between two others (and 1 more error)',
    [
      {
        field: '',
        code: 'unknown_parameter',
        detail: 'the query has an empty parameter: a stray & at its end or between two others',
        hint: 'Encode an & inside a value as %26.',
      },
      {
        field: 'rating>3',
        code: 'unknown_parameter',
        detail: 'unknown parameter; this route accepts: criteria, fullTextSearch, sort, fields, limit, cursor',
        hint: 'Encode an & inside a value as %26.',
      },
    ],
  ),
  describeFields: invalid(
    'A parameter where there are none',
    got('/v1/assets/schema?fields=id'),
    'fields: unknown parameter; this route accepts none',
    [{ field: 'fields', code: 'unknown_parameter', detail: 'unknown parameter; this route accepts none' }],
  ),
} as const satisfies Readonly<Record<string, Refused>>;
