import fc from 'fast-check';
import { type Column, Table } from './table.js';
import { cutTo, padTo, widthOf } from './text.js';

interface Row {
  readonly id: string;
  readonly name?: string;
  readonly price?: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'NAME', of: ({ name }) => name, least: 6 },
  { title: 'PRICE', of: ({ price }) => price, align: 'right', rank: 1 },
];

describe('a table', () => {
  it('prints the titles once, and aligns text left and numbers right', () => {
    const table = new Table(COLUMNS, 80);
    const first = table.lines([
      { id: 'a1', name: 'Base Carbon Tonne', price: 2.5 },
      { id: 'a2', name: 'Nature', price: 100 },
    ]);
    expect(first).toEqual([
      'ID  NAME               PRICE',
      'a1  Base Carbon Tonne    2.5',
      'a2  Nature               100',
    ]);
    expect(table.lines([{ id: 'a3', name: 'Later', price: 7 }])).toEqual(['a3  Later                  7']);
  });

  it('omits a column without values, and is empty without rows', () => {
    expect(new Table(COLUMNS, 80).lines([{ id: 'a1', price: 1 }])).toEqual(['ID  PRICE', 'a1      1']);
    expect(new Table(COLUMNS, 80).lines([])).toEqual([]);
  });

  it('reports a column that is empty in the first rows and has text later', () => {
    const table = new Table(COLUMNS, 80);
    table.lines([{ id: 'a1', price: 1 }]);
    expect(table.omitted).toEqual([]);
    table.lines([{ id: 'a2', name: 'Later', price: 1 }]);
    expect(table.omitted).toEqual(['NAME']);
  });

  it('counts wide characters as two columns and accents as none', () => {
    const lines = new Table(COLUMNS, 80).lines([
      { id: '森林', name: 'x', price: 1 },
      { id: 'e\u0301e\u0301', name: 'y', price: 2 },
    ]);
    expect(lines).toEqual(['ID    NAME  PRICE', '森林  x         1', 'e\u0301e\u0301    y         2']);
  });

  it('cuts columns that may be cut, then omits optional ones and reports that, and never cuts an id', () => {
    const rows = [{ id: 'proj_000001', name: 'A name of some length', price: 2.5 }];
    expect(new Table(COLUMNS, 30).lines(rows)[1]).toBe('proj_000001  A name of…    2.5');
    const narrow = new Table(COLUMNS, 20);
    expect(narrow.lines(rows)).toEqual(['ID           NAME', 'proj_000001  A name…']);
    expect(narrow.omitted).toEqual(['PRICE']);
    expect(new Table(COLUMNS, 5).lines(rows)[1]).toBe('proj_000001  A nam…');
  });

  it('removes control sequences', () => {
    const rows = [{ id: 'a', name: '\u001b[31mred\u0007\n\u202eback', price: 1 }];
    const [, line = ''] = new Table(COLUMNS, 80).lines(rows);
    expect(line).toBe('a   \\u{1b}[31mred\\u{7}\\u{a}\\u{202e}back      1');
  });

  it('is never wider than the terminal, whatever it contains, if the columns that are never cut fit', () => {
    const id = fc.constantFrom('a', 'bc', '森');
    const row = fc.record({ id, name: fc.string({ unit: 'grapheme' }), price: fc.nat() });
    const rows = fc.array(row, { minLength: 1 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 10, max: 60 }), (all, width) => {
        for (const line of new Table(COLUMNS, width).lines(all)) expect(widthOf(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('text on a terminal', () => {
  it('is cut between characters, never within one', () => {
    expect(cutTo('Nature', 6)).toBe('Nature');
    expect(cutTo('Nature', 5)).toBe('Natu…');
    expect(cutTo('森林公園', 6)).toBe('森林…');
    expect(cutTo('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
    expect(cutTo('Nature', 0)).toBe('');
  });

  it('never takes more columns than it is cut to, and exactly as many as it is padded to', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(30), (text, width) => {
        const cut = cutTo(text, width);
        expect(widthOf(cut)).toBeLessThanOrEqual(width);
        expect(widthOf(padTo(cut, width))).toBe(width);
        expect(widthOf(padTo(cut, width, 'right'))).toBe(width);
      }),
    );
  });
});
