/** What a cell may hold. */
type Cell = string | number | boolean | readonly (string | number | boolean)[] | undefined;

/** A text that begins so is a formula to a spreadsheet, which would run it. */
const FORMULA = /^[=+\-@\t\r]/;

/** Returns rows as CSV (RFC 4180), with the byte order mark by which Excel knows UTF-8. */
export function csvOf(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] as Cell))];
  return `\ufeff${lines.map((line) => line.map(cellText).join(',')).join('\r\n')}\r\n`;
}

/** A number is no formula, whatever its sign; a text with the first character of one gets an apostrophe. */
function cellText(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const text = Array.isArray(value) ? value.join('; ') : String(value ?? '');
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
