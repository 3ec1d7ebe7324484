import fc from 'fast-check';
import { invalidPathOf } from './asset-lines.js';
import { LineTable } from './asset-tables.js';
import { checkLine, repeatedMembers } from './check-line.js';

const ASSET = { id: 'pool_a', type: 'POOL', source: 'TOUCAN', name: 'A' };
const check = (text: string | Buffer) => checkLine(Buffer.from(text));
const checkWith = (members: object) => check(JSON.stringify({ ...ASSET, ...members }));
const errorsOf = (result: ReturnType<typeof checkLine>) => result.errors;

describe('a line', () => {
  it('is valid when it is an asset, and is published in canonical form', () => {
    const text =
      '{"type":"POOL", "name":"\\u00d6 \\"🌳", "price":2.50, "issued":1e3, "source":"TOUCAN", "id":"pool_a"}';
    const json = '{"id":"pool_a","issued":1000,"name":"Ö \\"🌳","price":2.5,"source":"TOUCAN","type":"POOL"}';
    expect(check(text)).toEqual({ id: 'pool_a', json, errors: [], warnings: [] });
  });

  it('is invalid when it is not the text of an object', () => {
    const rows: [string | Buffer, RegExp][] = [
      ['{"id":', /^is not valid JSON: Unexpected end of JSON input$/],
      ['nonsense\u0007', /^is not valid JSON: Unexpected token .*nonsense/],
      ['[1]', /^is not an asset: must be an object, not an array$/],
      ['null', /^is not an asset: must be an object, not null$/],
      [`\uFEFF${JSON.stringify(ASSET)}`, /^starts with a byte order mark/],
      [Buffer.from([0x22, 0xff, 0x22]), /^is not valid UTF-8$/],
    ];
    const expected = rows.map(([, error]) => [expect.stringMatching(error)]);
    expect(rows.map(([line]) => errorsOf(check(line)))).toEqual(expected);
  });

  it('is invalid with a member that the contract does not allow, with a message about the member', () => {
    const rows: [object, unknown][] = [
      [{ name: undefined }, 'name is missing'],
      [{ price: '2' }, 'price must be a number, not a string'],
      [{ price: 1e7 }, 'price must be at most 1000000'],
      [{ rating: null }, 'rating must not be null; leave it out when it is not known'],
      [{ type: 'TOKEN' }, 'type must be POOL or PROJECT'],
      [{ type: 'PROJECT' }, 'type must agree with the id: POOL for pool_…, PROJECT for proj_…'],
      [{ source: 'Toucan' }, 'source must be an upper-case word: A-Z, then A-Z 0-9 _'],
      [{ vintages: [2020.5] }, 'vintages.0 must be a whole number'],
      [{ categories: Array(101).fill('x') }, 'categories must have at most 100 values'],
      [{ country: 'Brazil' }, 'country is a field of projects; leave it out'],
      [{ listedAt: 'yesterday' }, 'listedAt must be an RFC 3339 date and time'],
      [{ tikcer: 'A' }, '"tikcer" is unknown; did you mean ticker?'],
      [
        { colour: 'red' },
        expect.stringMatching(/^"colour" is unknown; the members of an asset are id, type, source, /),
      ],
    ];
    expect(rows.map(([members]) => [members, ...errorsOf(checkWith(members))])).toEqual(rows);
  });

  it('reports all its errors together, and keeps its id', () => {
    const errors = [
      'rating must be a number, not a string',
      'price must be at least 0',
      '"x" is unknown; the members of an asset are ',
    ];
    expect(errorsOf(checkWith({ id: 'proj_a', name: undefined }))).toEqual([
      'name is missing',
      'type must agree with the id: POOL for pool_…, PROJECT for proj_…',
    ]);
    expect(checkWith({ price: -1, rating: 'high', x: 1 })).toEqual({
      id: 'pool_a',
      json: undefined,
      errors: errors.map((error) => expect.stringContaining(error)),
      warnings: [],
    });
  });

  it('is valid, with a warning, when it is active and cannot be retired', () => {
    const warningsOf = (members: object) => checkWith(members).warnings;
    expect(warningsOf({ active: true, price: 1, issued: 5 })).toEqual([]);
    expect(warningsOf({ active: false })).toEqual([]);
    expect(warningsOf({ active: true })).toEqual([
      'is active without price and issued; no credits can be retired from it',
    ]);
    expect(warningsOf({ active: true, price: 1 })).toEqual([
      'is active without issued; no credits can be retired from it',
    ]);
  });

  it('is valid, with a warning, when it has a vintage after the current year', () => {
    const year = new Date().getUTCFullYear();
    const warningsOf = (...vintages: number[]) => checkWith({ vintages }).warnings;
    expect(warningsOf(2012, year)).toEqual([]);
    const after = 'after the current year; credits of a later year cannot be issued yet';
    expect(warningsOf(year + 1, 2012)).toEqual([`vintages has ${year + 1}, ${after}`]);
    expect(warningsOf(year + 40, year + 2)).toEqual([`vintages has years from ${year + 2} to ${year + 40}, ${after}`]);
    expect(checkWith({ vintages: [year + 1] })).toMatchObject({ json: expect.any(String), errors: [] });
    expect(checkWith({ vintages: [year + 1], price: -1 }).warnings).toEqual([]);
  });

  it('is invalid when it repeats a member, which JSON.parse would not see', () => {
    const twice = JSON.stringify(ASSET).replace('}', ',"price":1, "pr\\u0069ce"\t: 2, "price":3, "name":"B"}');
    expect(errorsOf(check(twice))).toEqual(['price occurs twice', 'name occurs twice']);
  });
});

describe('repeatedMembers', () => {
  const repeated = (text: string) => repeatedMembers(text, JSON.parse(text));

  it('finds the repeated member of any flat object, and none where there is none', () => {
    const text = fc.string({ unit: fc.constantFrom(...':"\\{}[], ab', '\u0000', '🌳') });
    const value = fc.oneof(text, fc.double(), fc.boolean(), fc.array(text));
    const object = fc.dictionary(fc.oneof(text, fc.constant('__proto__')), value, { minKeys: 1 });
    fc.assert(
      fc.property(object, fc.nat(), (members, pick) => {
        const text = JSON.stringify(members);
        expect(repeated(text)).toEqual([]);
        const names = Object.keys(JSON.parse(text));
        const name = names[pick % names.length] ?? '';
        expect(repeated(`${text.slice(0, -1)},${JSON.stringify(name)}:0}`)).toEqual([`${name} occurs twice`]);
      }),
    );
  });
});

describe('the table of lines', () => {
  it('decides by the last message of an id whether the line is unchanged', () => {
    using lines = new LineTable();
    lines.add(1, 'pool_a', '{"n":2}');
    lines.compareWith('pool_z', '{}');
    const after = (value: string | null) => {
      lines.compareWith('pool_a', value);
      return lines.countUnchanged();
    };
    expect(['{"n":1}', '{"n":2}', '{"n":3}', '{"n":2}', null].map(after)).toEqual([0, 1, 0, 1, 0]);
    expect([...lines.changed()]).toEqual([{ id: 'pool_a', json: '{"n":2}' }]);
  });

  it('names the line that used an id first, and never publishes a line without content', () => {
    using lines = new LineTable();
    expect([lines.add(3, 'pool_a', null), lines.add(7, 'pool_a', '{}'), lines.add(8, 'pool_b', '{}')]).toEqual([
      undefined,
      3,
      undefined,
    ]);
    lines.compareWith('pool_a', null);
    expect([lines.countUnchanged(), [...lines.changed()].map(({ id }) => id)]).toEqual([0, ['pool_b']]);
  });
});

describe('invalidPathOf', () => {
  it('names the file for the bad lines after their source file', () => {
    const paths = ['data/more.ndjson', 'lines.txt'];
    expect(paths.map(invalidPathOf)).toEqual(['data/more.invalid.ndjson', 'lines.txt.invalid.ndjson']);
  });
});
