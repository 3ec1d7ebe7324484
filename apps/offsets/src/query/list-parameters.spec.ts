import { readFileSync } from 'node:fs';
import { instant, LIST_PARAMETERS } from '@carbon/contracts';
import { RequestError } from '@carbon/http';
import { parseListQuery } from './offset-pager.js';
import { firstMillisecondFrom } from './page-statement.js';

const RFC_3339 = 'must be a time such as 2026-01-31T00:00:00Z (RFC 3339)';
const TIMES_THAT_ARE_NONE = [
  '2026-01-31',
  '2026-01-31T00:00:00',
  '2026-02-29T00:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31 00:00:00Z',
  '2026-01-31T00:00:00+0530',
  '+002026-01-31T00:00:00Z',
  '1769817600',
  'now',
  ' 2026-01-31T00:00:00Z',
];

const read = (query: string) => parseListQuery(`/v1/offsets${query}`);

function itemsOf(query: string) {
  try {
    read(query);
  } catch (error) {
    if (error instanceof RequestError && error.code === 'invalid_request') return error.items;
    throw error;
  }
  throw new Error('it was taken');
}

describe('the parameters of the list', () => {
  it('are all optional', () => {
    expect(read('')).toEqual({ filters: {}, limit: 20, cursor: undefined });
  });

  it('are read, alone and together', () => {
    const filters = {
      status: 'failed',
      customerRef: 'a b&c',
      estimateId: 'any text',
      createdFrom: '2026-01-01T00:00:00+01:00',
      createdTo: '2026-02-01T00:00:00Z',
    };
    for (const [name, value] of Object.entries(filters)) {
      expect(read(`?${new URLSearchParams({ [name]: value })}`).filters).toEqual({ [name]: value });
    }
    expect(read(`?limit=7&cursor=x&${new URLSearchParams(filters)}`)).toEqual({ filters, limit: 7, cursor: 'x' });
  });

  it('are all told at once where they are wrong', () => {
    const items = itemsOf(
      `?status=done&customerRef=&estimateId=${'x'.repeat(257)}&createdFrom=2026-01-01&createdTo=&limit=0&Status=queued&cursor=a&cursor=b`,
    );
    expect(items.map(({ field, code }) => [field, code])).toEqual([
      ['status', 'invalid_parameter'],
      ['customerRef', 'invalid_parameter'],
      ['estimateId', 'invalid_parameter'],
      ['createdFrom', 'invalid_parameter'],
      ['createdTo', 'invalid_parameter'],
      ['limit', 'invalid_parameter'],
      ['Status', 'unknown_parameter'],
      ['cursor', 'duplicate_parameter'],
    ]);
  });

  it.each([
    ['?status=Queued', 'must be one of queued, processing, completed, failed'],
    ['?status=queued,failed', 'must be one of queued, processing, completed, failed'],
    ['?customerRef=%00', 'must not contain control characters'],
    [`?customerRef=${'x'.repeat(257)}`, 'must be 1 to 256 characters long'],
    ['?createdFrom=2026-01-02T00:00:00Z&createdTo=2026-01-02T01:00:00%2B01:00', 'must be later than createdFrom'],
    ['?createdFrom=2026-01-02T00:00:00Z&createdTo=2026-01-01T00:00:00Z', 'must be later than createdFrom'],
    ...TIMES_THAT_ARE_NONE.map((text) => [`?createdFrom=${encodeURIComponent(text)}`, RFC_3339]),
  ])('%s is refused: %s', (query, detail) => {
    expect(itemsOf(query)).toEqual([expect.objectContaining({ code: 'invalid_parameter', detail })]);
  });

  it('has a hint for a time zone whose plus sign was not encoded', () => {
    expect(itemsOf('?createdTo=2026-01-31T00:00:00+01:00')).toEqual([
      expect.objectContaining({ field: 'createdTo', hint: 'Encode a + inside a value as %2B.' }),
    ]);
  });
});

describe('a time in a query', () => {
  it.each([
    ['2026-01-31T00:00:00Z', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31t00:00:00z', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T00:00:00.5Z', '2026-01-31T00:00:00.500Z'],
    ['2026-01-31T00:00:00+05:30', '2026-01-30T18:30:00.000Z'],
    ['2026-01-31T00:00:00-00:00', '2026-01-31T00:00:00.000Z'],
    ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
  ])('%s is read', (text, time) => {
    expect(instant.parse(text)).toBe(text);
    expect(firstMillisecondFrom(text)).toBe(time);
  });

  it('is never before what was said, though no row is written more exactly than to the millisecond', () => {
    expect(firstMillisecondFrom('2026-01-31T00:00:00.0000001Z')).toBe('2026-01-31T00:00:00.001Z');
    expect(firstMillisecondFrom('2026-01-31T00:00:00.1239999Z')).toBe('2026-01-31T00:00:00.124Z');
    expect(firstMillisecondFrom('2026-01-31T00:00:00.1230000Z')).toBe('2026-01-31T00:00:00.123Z');
    expect(firstMillisecondFrom('2026-12-31T23:59:59.9999+00:00')).toBe('2027-01-01T00:00:00.000Z');
  });

  it('may be of a year that no row can have', () => {
    expect(firstMillisecondFrom(instant.parse('0000-01-01T00:00:00Z'))).toBe('-infinity');
    expect(firstMillisecondFrom(instant.parse('0001-01-01T00:00:00+01:00'))).toBe('-infinity');
    expect(firstMillisecondFrom(instant.parse('9999-12-31T23:59:59-01:00'))).toBe('infinity');
  });
});

describe('docs/listing-offsets.md', () => {
  const PAGE = readFileSync(new URL('../../../../docs/listing-offsets.md', import.meta.url), 'utf8');

  it('names every parameter, and no other', () => {
    const rows = [...PAGE.matchAll(/^\| `(\w+)` \| .+ \|$/gm)].map(([, name]) => name);
    expect(rows).toEqual(Object.keys(LIST_PARAMETERS));
  });

  it('has commands whose parameters are taken', () => {
    const queries = [...PAGE.matchAll(/^curl .+$/gm)].map(([command]) => {
      const encoded = [...command.matchAll(/--data-urlencode '(\w+=[^']*)'/g)].map(
        ([, pair = '']) => pair.split('=') as [string, string],
      );
      const [, sent = ''] = /localhost:3000\/v1\/offsets(\?[^']+)?/.exec(command) ?? [];
      return encoded.length === 0 ? sent : `?${new URLSearchParams(encoded)}`;
    });
    const used = queries.flatMap((query) => Object.keys(read(query).filters));
    expect(new Set(used)).toEqual(new Set(['status', 'customerRef', 'createdFrom', 'createdTo']));
  });
});
