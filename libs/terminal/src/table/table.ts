import { printable } from '../printable.js';
import { cutTo, padTo, widthOf } from '../width.js';
import { fit } from './fit.js';

const GAP = '  ';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  /** What stands in it; nothing when the row has no such thing. */
  readonly of: (row: Row) => string | number | undefined;
  /** Numbers stand with their ends below each other. */
  readonly align?: 'left' | 'right';
  /** It may be cut down to this width when the table is too wide; what has none is never cut. */
  readonly least?: number;
  /** When cutting does not suffice, the column with the highest rank is left out first; what has none stays. */
  readonly rank?: number;
}

/** A column with its width. */
interface Placed<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/**
 * A table as wide as the terminal, laid out by its first rows; later ones are cut to that. A column in which the first rows
 * have nothing is left out. Nothing that a terminal would obey gets through.
 */
export class Table<Row> {
  private placed: readonly Placed<Row>[] | undefined;
  /** The titles of the columns for which there was no room. */
  omitted: readonly string[] = [];

  constructor(
    private readonly columns: readonly Column<Row>[],
    private readonly width: number,
    private readonly heading: (line: string) => string = (line) => line,
  ) {}

  /** The rows as lines, below their titles the first time. */
  lines(rows: readonly Row[]): readonly string[] {
    if (rows.length === 0) return [];
    const isFirst = this.placed === undefined;
    const placed = this.placed ?? this.place(rows);
    this.placed = placed;
    const titles = lineOf(placed, ({ title }) => title);
    const lines = rows.map((row) => lineOf(placed, (column) => textIn(column, row)));
    return isFirst ? [this.heading(titles), ...lines] : lines;
  }

  private place(rows: readonly Row[]): readonly Placed<Row>[] {
    const filled = this.columns.filter((column) => rows.some((row) => textIn(column, row) !== ''));
    const wanted = filled.map((column) => ({
      ...column,
      column,
      width: Math.max(widthOf(column.title), ...rows.map((row) => widthOf(textIn(column, row)))),
    }));
    const placed = fit(wanted, this.width, GAP.length);
    const kept = new Set(placed.map(({ column }) => column));
    this.omitted = filled.filter((column) => !kept.has(column)).map(({ title }) => title);
    return placed;
  }
}

/** What is said of columns that were left out; each command that prints tables has `--json`. */
export function noRoomFor(omitted: readonly string[]): string {
  return `No room for ${omitted.join(', ')}: --json has everything.`;
}

function textIn<Row>(column: Column<Row>, row: Row): string {
  return printable(String(column.of(row) ?? ''));
}

function lineOf<Row>(placed: readonly Placed<Row>[], text: (column: Column<Row>) => string): string {
  const cells = placed.map(({ column, width }) => {
    const whole = text(column);
    return padTo(column.least === undefined ? whole : cutTo(whole, width), width, column.align);
  });
  return cells.join(GAP).trimEnd();
}
