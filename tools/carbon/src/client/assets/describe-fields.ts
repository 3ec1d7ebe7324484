import type { AssetKind, DescribedField, DescribedKind, LibrarySchema } from '@carbon/client';
import { type Column, ending } from '@carbon/terminal';
import { Argument, type Command } from 'commander';
import { type Means, withMeans } from '../means.js';
import { type PrintFlags, printing } from '../options.js';
import { timeText } from '../printing/facts.js';
import type { Printer } from '../printing/printer.js';
import { tableLines } from '../printing/table-lines.js';

const KINDS: readonly AssetKind[] = ['pools', 'projects'];

const COLUMNS: readonly Column<DescribedField>[] = [
  { title: 'FIELD', of: ({ name }) => name },
  { title: 'TYPE', of: ({ type, multi }) => (multi ? `${type}s` : type) },
  { title: 'OPERATORS', of: ({ operators }) => operators.join(' '), rank: 1 },
  { title: 'VALUES', of: valuesText, least: 16, rank: 2 },
  { title: 'DESCRIPTION', of: ({ description }) => description, least: 16, rank: 3 },
];

/** `schema [pools|projects]` */
export function addDescribeFields(program: Command): void {
  const command = program
    .command('schema')
    .addArgument(new Argument('[kind]', 'of which; of both unless given').choices(KINDS))
    .description('list the fields that criteria may name, and what stands in them');
  printing(command).action((kind: AssetKind | undefined, flags: PrintFlags) =>
    ending(withMeans(flags, {}, (means) => describeFields(means, kind))),
  );
}

async function describeFields(means: Means, kind: AssetKind | undefined): Promise<number> {
  const { carbon, printer, signal } = means;
  const schema = await means.answered(carbon.assets.schema({ signal }));
  await printer.one(kind === undefined ? schema : schema[kind], () => schemaLines(schema, kind, printer));
  return 0;
}

function schemaLines(schema: LibrarySchema, wanted: AssetKind | undefined, printer: Printer): readonly string[] {
  const kinds = KINDS.filter((kind) => wanted === undefined || kind === wanted);
  return kinds.flatMap((kind, at) => [...(at > 0 ? [''] : []), ...kindLines(kind, schema[kind], printer)]);
}

function kindLines(kind: AssetKind, { total, indexedAt, fields }: DescribedKind, printer: Printer): readonly string[] {
  return [`${total} ${kind}, as of ${timeText(indexedAt) ?? ''}`, '', ...tableLines(COLUMNS, fields, printer)];
}

/** The commonest values, or from where to where they go. */
function valuesText({ values, min, max }: DescribedField): string | undefined {
  if (values !== undefined) return values.map(({ value }) => value).join(', ');
  return min === undefined || max === undefined ? undefined : `${min}..${max}`;
}
