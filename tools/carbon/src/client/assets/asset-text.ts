import type { Column } from '@carbon/terminal';
import { type Fact, factLines } from '../printing/facts.js';
import type { Printer } from '../printing/printer.js';

/** A found asset; which fields it has depends on what was asked for. */
export type Found = Readonly<Record<string, unknown>>;

/** What a person is shown of an asset unless other fields are named: enough to choose it by, and its id. */
export const TABLE_FIELDS = ['id', 'ticker', 'source', 'rating', 'price', 'name'];

/** These are for copying, or short, and so never cut. */
const WHOLE: ReadonlySet<string> = new Set(['id', 'ticker', 'source', 'address']);
const NUMBERS: ReadonlySet<string> = new Set(['rating', 'price', 'issued']);
const LEAST = 12;

/** The columns for fields, in their order. */
export function assetColumns(fields: readonly string[]): readonly Column<Found>[] {
  return fields.map((field, at) => ({
    title: field.toUpperCase(),
    of: (asset) => valueText(asset[field]),
    align: NUMBERS.has(field) ? 'right' : 'left',
    ...(!WHOLE.has(field) && { least: LEAST }),
    // What was named first is most wanted.
    ...(at > 0 && { rank: at }),
  }));
}

/** All of an asset, a line for each field and an empty one below. */
export function assetBlock(asset: Found, printer: Printer): readonly string[] {
  const facts = Object.entries(asset).map(([field, value]): Fact => [field, valueText(value)]);
  return [...factLines(facts, printer), ''];
}

/** A value of a field on one line. */
export function valueText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.join(', ') : String(value);
}
