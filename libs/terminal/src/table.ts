import { cutTo, padTo, printable, widthOf } from './text.js';

const GAP = '  ';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  /** The text of a cell; undefined when the row has none. */
  readonly of: (row: Row) => string | number | undefined;
  readonly align?: 'left' | 'right';
  /** The width down to which the column may be cut when the table is too wide; without it, it is never cut. */
  readonly least?: number;
  /** When cutting does not suffice, the column with the highest rank is omitted first; without it, it always stays. */
  readonly rank?: number;
}

interface SizedColumn<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/**
 * A table at most as wide as the terminal, if its uncut columns fit. The first rows decide the layout; later ones are cut to it.
 * A column that is empty in the first rows is left out. Cells are printable.
 */
export class Table<Row> {
  private layout: readonly SizedColumn<Row>[] | undefined;
  /** The titles of the columns with text that have no place in the layout. */
  get omitted(): readonly string[] {
    return this.columns.filter((column) => this.missing.has(column)).map(({ title }) => title);
  }

  private readonly missing = new Set<Column<Row>>();

  constructor(
    private readonly columns: readonly Column<Row>[],
    private readonly width: number,
    private readonly heading: (line: string) => string = (line) => line,
  ) {}

  /** Returns the rows as lines, below the titles the first time. */
  lines(rows: readonly Row[]): readonly string[] {
    if (rows.length === 0) return [];
    const isFirst = this.layout === undefined;
    const layout = this.layout ?? this.layOut(rows);
    this.layout = layout;
    const shown = new Set(layout.map(({ column }) => column));
    for (const column of this.columns) {
      if (!shown.has(column) && rows.some((row) => textIn(column, row) !== '')) this.missing.add(column);
    }
    const lines = rows.map((row) => lineOf(layout, (column) => textIn(column, row)));
    return isFirst ? [this.heading(lineOf(layout, ({ title }) => title)), ...lines] : lines;
  }

  /** Returns a note on the omitted columns. Each command that prints tables prints JSON, too. */
  omission(): string {
    return `Omitted columns: ${this.omitted.join(', ')}. --json prints every column.`;
  }

  private layOut(rows: readonly Row[]): readonly SizedColumn<Row>[] {
    const filled = this.columns.filter((column) => rows.some((row) => textIn(column, row) !== ''));
    const sized = filled.map((column) => ({
      column,
      width: Math.max(widthOf(column.title), ...rows.map((row) => widthOf(textIn(column, row)))),
    }));
    return fit(sized, this.width);
  }
}

/** Omits columns by rank until cutting suffices, then cuts the widest first. Columns that allow neither make the line too long. */
function fit<Row>(columns: readonly SizedColumn<Row>[], room: number): readonly SizedColumn<Row>[] {
  const excess = columns.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length) - room;
  if (excess <= 0) return columns;
  const spare = columns.reduce((sum, sized) => sum + sized.width - leastOf(sized), 0);
  const rankOf = ({ column }: SizedColumn<Row>) => column.rank ?? Number.NEGATIVE_INFINITY;
  const [last] = columns.filter(({ column }) => column.rank !== undefined).sort((a, b) => rankOf(b) - rankOf(a));
  if (spare >= excess || last === undefined) return cut(columns, Math.min(excess, spare));
  return fit(
    columns.filter((column) => column !== last),
    room,
  );
}

/** Takes one column of width after the other from the widest. */
function cut<Row>(columns: readonly SizedColumn<Row>[], excess: number): readonly SizedColumn<Row>[] {
  const widths = columns.map(({ width }) => width);
  for (let left = excess; left > 0; left--) {
    let widest = -1;
    columns.forEach((sized, at) => {
      const width = widths[at] ?? 0;
      if (width > leastOf(sized) && width > (widths[widest] ?? 0)) widest = at;
    });
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return columns.map(({ column }, at) => ({ column, width: widths[at] ?? 0 }));
}

function leastOf<Row>({ column: { least }, width }: SizedColumn<Row>): number {
  return least === undefined ? width : Math.min(least, width);
}

function textIn<Row>(column: Column<Row>, row: Row): string {
  return printable(String(column.of(row) ?? ''));
}

function lineOf<Row>(layout: readonly SizedColumn<Row>[], text: (column: Column<Row>) => string): string {
  const cells = layout.map(({ column, width }) => {
    const fullWidth = text(column);
    return padTo(column.least === undefined ? fullWidth : cutTo(fullWidth, width), width, column.align);
  });
  return cells.join(GAP).trimEnd();
}
