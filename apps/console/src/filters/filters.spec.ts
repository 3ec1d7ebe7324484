import { readFileSync } from 'node:fs';
import { queryOf } from '@carbon/criteria';
import { golden, libraryFields } from '@carbon/criteria/golden';
import { drawWorld } from '../../draw-world.js';
import { bounded, boundsOf, overlaps } from './bounds.js';
import { hasClause, toggled } from './clauses.js';
import { partsOf } from './parts.js';
import { codeOf } from './world.js';

function meaning(text: string): unknown {
  const result = queryOf(text, libraryFields);
  return result.ok ? result.value : undefined;
}

describe('a clause', () => {
  const clause = 'country = "Viet Nam"';
  const valid = golden.valid.map(({ criteria }) => criteria).filter((criteria) => criteria.trim() !== '');

  it('narrows every valid search to those of both', () => {
    const wrong = valid.filter(
      (criteria) =>
        JSON.stringify(meaning(toggled(criteria, clause))) !== JSON.stringify(meaning(`(${criteria}) and ${clause}`)),
    );
    expect(wrong).toEqual([]);
  });

  it('is taken out again without a trace', () => {
    const wrong = ['', ...valid].filter((criteria) => {
      const narrowed = toggled(criteria, clause);
      const wide = toggled(narrowed, clause);
      return !hasClause(narrowed, clause) || JSON.stringify(meaning(wide)) !== JSON.stringify(meaning(criteria));
    });
    expect(wrong).toEqual([]);
  });

  it.each(['country: Peru', 'country:peru', 'Country = Peru', `country='Peru'`, 'country : "peru"'])(
    'is the same in another spelling: %s',
    (other) => {
      const facet = 'country = "Peru"';
      // The index ignores letter case.
      expect(JSON.stringify(meaning(other)).toLowerCase()).toBe(JSON.stringify(meaning(facet)).toLowerCase());
      expect(hasClause(`price < 5 and ${other}`, facet)).toBe(true);
      expect(toggled(`price < 5 and ${other}`, facet)).toBe('price < 5');
      expect(toggled(other, 'vintages = 2015')).toBe(`${other} and vintages = 2015`);
    },
  );

  it.each([
    ['country = Peru&&price < 5', 'price < 5'],
    ['price<5 country:Peru rating exists', 'price<5 and rating exists'],
    ['vintages in (2015, 2016) country=Peru price not in (1)', 'vintages in (2015, 2016) and price not in (1)'],
    ['vintages between 2015 and 2016 country=Peru not price = 3', 'vintages between 2015 and 2016 and not price = 3'],
    ['name: "wind" country=Peru (price < 5 or rating = 5)', 'name: "wind" and (price < 5 or rating = 5)'],
    ['-price:3 country=Peru !rating = 5 -(price < 1)', '-price:3 and !rating = 5 and -(price < 1)'],
  ])('is found beside others without a connector: %s', (criteria, others) => {
    expect(meaning(criteria)).toBeDefined();
    expect(toggled(criteria, 'country = "Peru"')).toBe(others);
  });

  it.each([
    ['registry = null', 'registry = "null"'],
    ['registry: *', 'registry = "*"'],
    ['price < 5', 'price = 5'],
    ['country != Peru', 'country = "Peru"'],
  ])('is another one where the meaning is: %s', (criteria, facet) => {
    expect(meaning(criteria)).not.toEqual(meaning(facet));
    expect(hasClause(criteria, facet)).toBe(false);
  });

  it('is not one where it is an alternative, or inside of another', () => {
    for (const criteria of [`price < 5 or ${clause}`, `not (${clause})`, `name = '${clause}'`])
      expect(hasClause(criteria, clause)).toBe(false);
  });
});

describe('a range of a field', () => {
  it.each([
    ['vintages: 2015..2018', '2015', '2018'],
    ['country = Peru and Vintages = [2015 TO 2018}', '2015', '2018'],
    ['vintages>=2015 rating>=4', '2015', ''],
    ['vintages:2015', '2015', '2015'],
    ['vintages >= 2015', '2015', ''],
    ['vintages<2018 and price < 5', '', '2018'],
    ['vintages: 2015..', '2015', ''],
    ['vintages between 2015 and 2018 and price < 5', '2015', '2018'],
    ['vintages > 2015 and price < 5 and vintages < 2018', '2015', '2018'],
    ['vintages: 2015 or price < 5', '', ''],
    ['not vintages: 2015', '', ''],
    ['vintages:>=2012', '2012', ''],
    ['vintages ge 2012 and vintages lte 2016', '2012', '2016'],
    ['vintages == 2015', '2015', '2015'],
    ['vintages eq 2015', '2015', '2015'],
    ['vintages in (2015, 2016)', '', ''],
    ['price: 3', '', ''],
  ])('is read from the criteria: %s', (criteria, from, to) => {
    expect(boundsOf(criteria, 'vintages')).toEqual({ from, to });
  });

  it.each([
    ['vintages = 2015', '2015', '2018', true],
    ['vintages = 2014', '2015', '2018', false],
    ['vintages = 2019', '', '2018', false],
    ['vintages:[5 TO 10}', '5', '', true],
    ['vintages:[5 TO 10}', '7.5', '9', true],
    ['vintages:[5 TO 10}', '10', '', false],
    ['vintages >= 5', '', '10', true],
    ['vintages >= 15', '', '10', false],
    ['vintages is null', '5', '', false],
    ['vintages = 2015', '', '', false],
  ])('has a bar that shares values with it or not: %s in %s..%s is %s', (clause, from, to, expected) => {
    expect(overlaps(clause, 'vintages', { from, to })).toBe(expected);
  });

  it.each([
    ['', '2.5', '10', 'price: 2.5..10'],
    ['country = Peru', '', '10', 'country = Peru and price <= 10'],
    ['price:[5 TO 10} and country = Peru', '1', '', 'country = Peru and price >= 1'],
    ['price < 3 or rating = 5', '10', '5', '(price < 3 or rating = 5) and price: 5..10'],
    ['price >= 5 and price <= 10', '7', '7', 'price = 7'],
    ['price between 5 and 12', '6', '9', 'price: 6..9'],
    ['price = 7', '', '', ''],
  ])('takes the place of the one before: %s', (criteria, from, to, expected) => {
    expect(bounded(criteria, 'price', { from, to })).toBe(expected);
    expect(meaning(expected)).toBeDefined();
  });
});

describe('the map', () => {
  const world = drawWorld();
  const library = readFileSync(new URL('../../../../infra/data/assets.ndjson', import.meta.url), 'utf8');

  it('has every country of the library', () => {
    const countries = new Set(Array.from(library.matchAll(/"country":"([^"]+)"/g), ([, name]) => name ?? ''));
    expect(countries.size).toBeGreaterThan(40);
    expect([...countries].filter((name) => codeOf(world, name) === undefined)).toEqual([]);
  });

  it('has small states as points, each country once, and nothing outside', () => {
    const codes = world.places.flatMap(({ code }) => code ?? []);
    expect(new Set(codes).size).toBe(codes.length);
    for (const name of ['Singapore', 'Malta', 'Maldives', 'Mauritius'])
      expect(world.places.find(({ code }) => code === codeOf(world, name))?.point).toBeDefined();
    for (const { point: [x, y] = [1, 1] } of world.places) {
      expect(x > 0 && x < world.width).toBe(true);
      expect(y > 0 && y < world.height).toBe(true);
    }
  });

  it('has no country that is only a property of objects', () => expect(codeOf(world, 'constructor')).toBeUndefined());
});

describe('the parts of a facet', () => {
  it('are apart where no asset lies between', () => {
    const years = [2014, 2015, 2018].map((value) => ({ value, count: 1, clause: `vintages = ${value}` }));
    const missing = { count: 2, clause: 'vintages is null' };
    expect(
      partsOf({ field: 'vintages', values: years, missing }).map(({ short, isApart }) => [short, isApart]),
    ).toEqual([
      ['’14', false],
      ['’15', false],
      ['’18', true],
      ['none', true],
    ]);
  });

  it.each([
    [{ from: 1000, to: 2000 }, '1,000–2,000', '1K'],
    [{ to: 0 }, 'below 0', 'below 0'],
    [{ from: 5 }, 'from 5', '5'],
    [{ from: '2020-01-01T00:00:00.000Z', to: '2021-01-01T00:00:00.000Z' }, '2020', '2020'],
  ])('are named by their bounds: %j', (bounds, label, short) => {
    const [part] = partsOf({ field: 'x', ranges: [{ ...bounds, count: 1, clause: '' }] });
    expect(part).toMatchObject({ label, short });
  });
});
