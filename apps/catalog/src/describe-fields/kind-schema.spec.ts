import { ASSET_FIELDS } from '@carbon/contracts';
import type { Figures } from './figures-answer.js';
import { figuresRequest, MOST_VALUES } from './figures-request.js';
import { kindSchema } from './kind-schema.js';

const figuresOf = (value: number, aggregations: Figures['aggregations']): Figures => {
  return { hits: { total: { value, relation: 'eq' } }, aggregations };
};

const NONE = figuresOf(0, { newest: { value: null } });
const SOME = figuresOf(2, {
  newest: { value: Date.parse('2026-11-21T08:00:00Z') },
  values_active: {
    buckets: [
      { key: 1, doc_count: 2 },
      { key: 0, doc_count: 1 },
    ],
  },
  values_source: { buckets: [{ key: 'TOUCAN', doc_count: 2 }] },
  least_rating: { value: -1.25 },
  greatest_rating: { value: 5 },
  least_listedAt: { value: 0 },
  greatest_listedAt: { value: Date.parse('2022-02-28T23:59:59.999Z') },
});

const fieldOf = (figures: Figures, name: string) =>
  kindSchema('PROJECT', figures, 5).fields.find((field) => field.name === name);

describe('the schema of a type of asset', () => {
  it('has every field that the type has, with its words from the field list', () => {
    const { fields } = kindSchema('PROJECT', NONE, 0);
    expect(fields.map(({ name, description }) => [name, description])).toEqual(
      Object.entries(ASSET_FIELDS).map(([name, { description }]) => [name, description]),
    );
    expect(kindSchema('POOL', NONE, 0).fields.map(({ name }) => name)).not.toContain('country');
  });

  it('has nothing but what a field needs', () => {
    expect(fieldOf(NONE, 'description')).toEqual({
      name: 'description',
      type: 'text',
      multi: false,
      operators: [':', 'exists'],
      description: 'free text',
    });
    expect(fieldOf(NONE, 'name')?.operators).toEqual([':', '=', '!=', 'in', 'like', 'exists']);
  });

  it('tells values of keywords, booleans and whole numbers, but of no field that names single assets', () => {
    const listed = kindSchema('PROJECT', NONE, 0).fields.filter(({ values }) => values !== undefined);
    expect(listed.map(({ name }) => name)).toEqual([
      ...['ticker', 'source', 'active', 'chain', 'registry', 'country', 'region', 'categories', 'methodologies'],
      ...['vintages', 'sdgs'],
    ]);
  });

  it('shows values in the type that they have', () => {
    expect(fieldOf(SOME, 'active')?.values).toEqual([
      { value: true, count: 2 },
      { value: false, count: 1 },
    ]);
    expect(fieldOf(SOME, 'source')?.values).toEqual([{ value: 'TOUCAN', count: 2 }]);
  });

  it('shows the least and greatest number and date, and neither when there is none', () => {
    expect(fieldOf(SOME, 'rating')).toMatchObject({ min: -1.25, max: 5 });
    expect(fieldOf(SOME, 'listedAt')).toMatchObject({
      min: '1970-01-01T00:00:00.000Z',
      max: '2022-02-28T23:59:59.999Z',
    });
    for (const name of ['rating', 'listedAt', 'vintages']) {
      expect(fieldOf(NONE, name)).not.toHaveProperty('min');
      expect(fieldOf(NONE, name)).not.toHaveProperty('max');
    }
  });

  it('is as fresh as the youngest asset, or as the index when there is none', () => {
    expect(kindSchema('POOL', SOME, 5)).toMatchObject({ total: 2, indexedAt: '2026-11-21T08:00:00.000Z' });
    expect(kindSchema('POOL', NONE, 5)).toMatchObject({ total: 0, indexedAt: '1970-01-01T00:00:00.005Z' });
  });
});

describe('the request for its figures', () => {
  it('asks for values as they were published, the commonest first, equals in their order', () => {
    expect(figuresRequest('POOL', 1_500)).toMatchObject({
      size: 0,
      timeout: '1500ms',
      aggs: {
        values_source: {
          terms: { field: 'source.raw', size: MOST_VALUES, order: [{ _count: 'desc' }, { _key: 'asc' }] },
        },
      },
    });
  });
});
