import { loadConfig } from '@carbon/config';
import { fieldsOf, SORTABLE } from '@carbon/contracts';
import { RequestError } from '@carbon/http';
import { z } from 'zod';
import { catalogSettings } from '../catalog.config.js';
import { LibraryIndex } from '../index/library-index.js';
import type { OpenSearch } from '../open-search/open-search.js';
import { readFullText } from './full-text-terms.js';
import { SearchClient } from './search-client.js';
import { searchParameters } from './search-parameters.js';
import { compileCriteria, linkToNext } from './search-plan.js';
import { BY_RATING, searchBody, totalOrder } from './search-query.js';
import { WARM_UP_SEARCHES } from './search-warm-up.js';

type Type = 'POOL' | 'PROJECT';

const read = (more: string, type: Type) => searchParameters(`/v1/assets/x?criteria=&fullTextSearch=&${more}`, type);

function mistakesIn(more: string) {
  try {
    read(more, 'POOL');
  } catch (error) {
    if (error instanceof RequestError) return error.items.map(({ code: _, ...item }) => item);
    throw error;
  }
  throw new Error(`${more} was taken`);
}

describe('the searches of the warm-up', () => {
  it.each(WARM_UP_SEARCHES)('are valid for both types: %j', ({ criteria }) => {
    for (const type of ['POOL', 'PROJECT'] as const)
      expect(compileCriteria(criteria.replace('{n}', ''), type).ok).toBe(true);
  });
});

describe('the parameters of a search', () => {
  it('accept the fields to sort by, the most important first, with a - for descending order', () => {
    expect(read('sort=-rating,name', 'POOL').sort).toEqual({
      text: '-rating,name',
      keys: [
        { by: 'rating', descending: true },
        { by: 'name', descending: false },
      ],
    });
    expect(read(`sort=${SORTABLE.join()}`, 'PROJECT').sort?.keys).toHaveLength(SORTABLE.length);
  });

  it('accept the fields to return, in any order, or * for all', () => {
    expect(read('fields=name,id', 'POOL').fields).toEqual({ text: 'name,id', names: ['id', 'name'] });
    for (const type of ['POOL', 'PROJECT'] as const) {
      expect(read('fields=*', type).fields?.names).toEqual(fieldsOf(type));
    }
  });

  it.each([
    ['raiting', '`raiting` cannot be sorted by; did you mean rating?', { suggestion: 'rating' }],
    ['-Name', '`Name` cannot be sorted by; did you mean name?', { suggestion: 'name' }],
    ['--name', '`-name` cannot be sorted by; did you mean name?', { suggestion: 'name' }],
    ['%2Bname', '`+name` cannot be sorted by; did you mean name?', { suggestion: 'name' }],
    ['name,+id', '` id` cannot be sorted by; did you mean id?', { suggestion: 'id' }],
    ['price asc', '`price asc` cannot be sorted by; did you mean price?', { suggestion: 'price' }],
    ['cost', '`cost` cannot be sorted by; did you mean price?', { suggestion: 'price' }],
    ['name,-name', '`name` is repeated; name each field once', {}],
    ['name,,id', 'has an empty name; separate names by single commas', {}],
    ['-', 'has an empty name; separate names by single commas', {}],
    [
      'description',
      '`description` cannot be sorted by; use id, ticker, source, name, rating, price, issued, listedAt, registry',
      { allowed: ['id', 'ticker', 'source', 'name', 'rating', 'price', 'issued', 'listedAt', 'registry'] },
    ],
    [
      'country',
      expect.stringMatching(/^`country` is a field of projects only; use id/),
      { allowed: expect.any(Array) },
    ],
    ['__proto__', expect.stringMatching(/^`__proto__` cannot be sorted by/), { allowed: expect.any(Array) }],
    ['x'.repeat(9_999), expect.stringMatching(/^`x{64}` cannot/), { allowed: expect.any(Array) }],
    ['', 'must not be empty; send a value or omit the parameter', {}],
  ])('reject the sort field %s', (sort, detail, help) => {
    expect(mistakesIn(`sort=${sort}`)).toEqual([{ field: 'sort', detail, ...help }]);
  });

  it.each(['price desc', 'price:desc', 'price.desc', 'price_desc', 'desc(price)', 'price-'])(
    'suggest -price for the sort field %s',
    (key) => {
      const detail = `\`${key}\` cannot be sorted by; did you mean -price?`;
      expect(mistakesIn(`sort=${key}`)).toEqual([{ field: 'sort', detail, suggestion: '-price' }]);
    },
  );

  it.each([
    ['names', '`names` is not a field; did you mean name?', { suggestion: 'name' }],
    ['title', '`title` is not a field; did you mean name?', { suggestion: 'name' }],
    ['-description', expect.stringMatching(/^`-description` is not a field; use id/), { allowed: fieldsOf('POOL') }],
    ['id,id', '`id` is repeated; name each field once', {}],
    ['id,', 'has an empty name; separate names by single commas', {}],
    ['id,*', '`*` cannot be combined with other names', {}],
    ['type', expect.stringMatching(/^`type` is not a field; use id, tick/), { allowed: fieldsOf('POOL') }],
    ['region', expect.stringMatching(/^`region` is a field of projects only/), { allowed: fieldsOf('POOL') }],
    ['indexedAt', expect.stringMatching(/^`indexedAt` is not a field/), { allowed: fieldsOf('POOL') }],
  ])('reject the field %s', (fields, detail, help) => {
    expect(mistakesIn(`fields=${fields}`)).toEqual([{ field: 'fields', detail, ...help }]);
  });
});

describe('a request with several mistakes', () => {
  const namesIn = (more: string) => mistakesIn(more).map(({ field, detail }) => [field, /`(.*?)`/.exec(detail)?.[1]]);

  it('names them all, also those inside lists', () => {
    expect(namesIn('sort=prise,nmae&fields=foo,bar')).toEqual([
      ['sort', 'prise'],
      ['sort', 'nmae'],
      ['fields', 'foo'],
      ['fields', 'bar'],
    ]);
    expect(namesIn('fields=foo,*,,id,id,,id')).toEqual([
      ['fields', '*'],
      ['fields', 'foo'],
      ['fields', undefined],
      ['fields', 'id'],
    ]);
  });

  it('names ten of them, and counts the others', () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `x${index}`).join();
    expect(mistakesIn(`sort=${names}`)).toHaveLength(10);
    expect(() => read(`sort=${names}`, 'POOL')).toThrow(/\(and 2999 more errors; errors lists the first 10\)$/);
  });
});

describe('the OpenSearch request of a search', () => {
  const filter = { term: { ticker: { value: 'BCT' } } };
  const request = (text: string) =>
    searchBody({ filter, fullText: readFullText(text), order: totalOrder(BY_RATING), fields: ['id'], size: 26 });

  it('puts criteria into the filter, and requests the exact total', () => {
    expect(request('')).toMatchObject({
      query: { bool: { filter: [filter] } },
      track_total_hits: true,
    });
    expect(request('')).not.toHaveProperty('query.bool.must');
    expect(request('bct')).toMatchObject({ query: { bool: { filter: [filter], must: [{ dis_max: {} }] } } });
  });

  it('limits how long OpenSearch searches, so that the response arrives in time', async () => {
    const bodies: unknown[] = [];
    const request = ({ body }: { readonly body: object }) => {
      bodies.push(body);
      return Promise.resolve({ timed_out: false, _shards: { failed: 0 } });
    };
    const engine = { request } as unknown as OpenSearch;
    const client = new SearchClient(engine, new LibraryIndex(engine, ''), { SEARCH_TIMEOUT_MS: 1_700 });
    await client.search('POOL', { size: 0 }, z.object({}), new AbortController().signal);
    expect(bodies).toEqual([{ size: 0, timeout: '1500ms' }]);
  });

  it('times out before the default timeout of the gateway, 1.6 s', () => {
    const secret = 'a-secret-of-at-least-thirty-two-characters';
    const settings = loadConfig(catalogSettings, { INTERNAL_SECRETS: secret, CURSOR_SECRETS: `another-${secret}` });
    expect(settings.SEARCH_TIMEOUT_MS).toBeLessThan(1_600);
  });
});

describe('the link to the next page', () => {
  const search = {
    scope: { route: '/v1/assets/pools', account: 'default', parameters: {} },
    parameters: { criteria: '', fullTextSearch: '' },
  };

  it('is refused if it would be too long to be requested', () => {
    const room = 15 * 1024 - '/v1/assets/pools?criteria=&fullTextSearch=&cursor='.length;
    expect(linkToNext(search, 'x'.repeat(room))).toMatch(/^<\/v1\/assets\/pools\?.*x>; rel="next"$/);
    expect(() => linkToNext(search, 'x'.repeat(room + 1))).toThrow(expect.objectContaining({ code: 'uri_too_long' }));
  });
});
