import { type Column, noRoomFor, Table } from '@carbon/terminal';
import type { Printer } from './printer.js';

/** A whole table as lines, with a word on what there was no room for. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  printer: Printer,
): readonly string[] {
  const table = new Table(columns, printer.width, (line) => printer.paint('bold', line));
  const lines = table.lines(rows);
  return table.omitted.length === 0 ? lines : [...lines, printer.paint('dim', noRoomFor(table.omitted))];
}
