import type {
  AssetKind,
  DescribedField,
  DescribedKind,
  LibrarySchema,
  Listing,
  SearchPage,
  SearchQuery,
} from '@carbon/client';
import { ASSET_KINDS } from '@carbon/contracts';
import { Argument, type Column, type Command, type CommandContext, EXIT, type TerminalOutput } from '@carbon/terminal';
import { type ListFlags, type PrintFlags, readNames, withListFlags, withPrintFlags } from './arguments.js';
import { addFacetCommands } from './facets.js';
import { type Fact, factLines, timeText, valueText } from './format.js';
import { pageSize, printList } from './paged-list.js';
import { hintLines } from './search-hints.js';
import { type ClientSession, withSession } from './session.js';

/** A found asset; it has the requested fields. */
type Found = Readonly<Record<string, unknown>>;

interface SearchFlags extends ListFlags {
  readonly text?: string;
  readonly sort?: readonly string[];
  readonly fields?: readonly string[];
}

const DEFAULT_LIMIT = 25;
/** The fields at a terminal without `--fields`: enough to choose an asset by, and its id. */
const TABLE_FIELDS = ['id', 'ticker', 'source', 'rating', 'price', 'name'];
/** These are short, or for copying, and so never cut. */
const UNCUT: ReadonlySet<string> = new Set(['id', 'ticker', 'source', 'address']);
const NUMBERS: ReadonlySet<string> = new Set(['rating', 'price', 'issued']);
const MIN_WIDTH = 12;

const FIELD_COLUMNS: readonly Column<DescribedField>[] = [
  { title: 'FIELD', of: ({ name }) => name },
  { title: 'TYPE', of: ({ type, multi }) => (multi ? `${type}s` : type) },
  { title: 'OPERATORS', of: ({ operators }) => operators.join(' '), rank: 1 },
  { title: 'VALUES', of: valuesText, least: 16, rank: 2 },
  { title: 'DESCRIPTION', of: ({ description }) => description, least: 16, rank: 3 },
];

const searchHelp = (kind: AssetKind) => `
The criteria are one argument: quote them. \`schema ${kind}\` lists the fields.

  npm run cli -- pools 'source: TOUCAN'
  npm run cli -- projects 'country: Brazil' --text forest --sort=-price`;

/** Adds `pools`, `projects` and `schema`. */
export function addAssetCommands(program: Command, context: CommandContext): void {
  for (const kind of ASSET_KINDS) {
    withListFlags(
      program
        .command(kind)
        .argument('[criteria]', "a query such as 'source: TOUCAN and price < 5'", '')
        .description(`search the ${kind} of the asset library`)
        .option('--text <words>', 'words and "phrases" to find')
        .option('--sort <fields>', 'order by these fields, separated by commas; - before one reverses it', readNames)
        .option('--fields <fields>', "show these fields, separated by commas; '*' shows all", readNames)
        .addHelpText('after', searchHelp(kind))
        .showHelpAfterError('The criteria are one argument: quote them. --help has examples.'),
      DEFAULT_LIMIT,
    ).action(
      context.action((criteria: string, flags: SearchFlags) =>
        withSession(context, { ...flags, criteria }, (session) => searchAssets(session, kind, criteria, flags)),
      ),
    );
  }
  addFacetCommands(program, context);
  withPrintFlags(
    program
      .command('schema')
      .addArgument(new Argument('[kind]', 'default: both').choices(ASSET_KINDS))
      .description('list the fields for criteria, with the values in the library'),
  ).action(
    context.action((kind: AssetKind | undefined, flags: PrintFlags) =>
      withSession(context, flags, (session) => describeFields(session, kind)),
    ),
  );
}

async function searchAssets(
  session: ClientSession,
  kind: AssetKind,
  criteria: string,
  flags: SearchFlags,
): Promise<number> {
  const { output } = session;
  const isWhole = flags.fields?.includes('*') ?? false;
  const fields = flags.fields ?? (output.asJson ? undefined : TABLE_FIELDS);
  const query = { criteria, text: flags.text, sort: flags.sort, fields, limit: pageSize(flags) };
  return await printList(session, search(session, kind, query), flags, {
    columns: assetColumns(fields ?? []),
    block: isWhole ? (asset) => assetBlock(asset, output) : undefined,
    none: `No ${kind} match.`,
    explain: () => hintLines(session, kind, query),
  });
}

/** The service judges the names that a person typed; the client's types allow only those that exist. */
function search(
  { carbon, signal }: ClientSession,
  kind: AssetKind,
  query: Readonly<Record<string, unknown>>,
): Listing<Found, SearchPage<Found>> {
  return kind === 'pools'
    ? carbon.pools.search(query as SearchQuery<'pools'>, { signal })
    : carbon.projects.search(query as SearchQuery<'projects'>, { signal });
}

function assetColumns(fields: readonly string[]): readonly Column<Found>[] {
  return fields.map((field, at) => ({
    title: field.toUpperCase(),
    of: (asset) => valueText(asset[field]),
    align: NUMBERS.has(field) ? 'right' : 'left',
    ...(!UNCUT.has(field) && { least: MIN_WIDTH }),
    // The field that was named first matters most.
    ...(at > 0 && { rank: at }),
  }));
}

function assetBlock(asset: Found, output: TerminalOutput): readonly string[] {
  const facts = Object.entries(asset).map(([field, value]): Fact => [field, valueText(value)]);
  return [...factLines(facts, output), ''];
}

async function describeFields(session: ClientSession, kind: AssetKind | undefined): Promise<number> {
  const { carbon, output, signal, waitFor } = session;
  const schema = await waitFor(carbon.assets.schema({ signal }));
  await output.document(kind === undefined ? schema : schema[kind], () => schemaLines(schema, kind, output));
  return EXIT.done;
}

function schemaLines(schema: LibrarySchema, only: AssetKind | undefined, output: TerminalOutput): readonly string[] {
  const kinds = ASSET_KINDS.filter((kind) => only === undefined || kind === only);
  return kinds.flatMap((kind, at) => [...(at > 0 ? [''] : []), ...kindLines(kind, schema[kind], output)]);
}

function kindLines(
  kind: AssetKind,
  { total, indexedAt, fields }: DescribedKind,
  output: TerminalOutput,
): readonly string[] {
  return [`${total} ${kind}, as of ${timeText(indexedAt) ?? ''}`, '', ...output.tableLines(fields, FIELD_COLUMNS)];
}

/** The most frequent values, or the range of values. */
function valuesText({ values, min, max }: DescribedField): string | undefined {
  if (values !== undefined) return values.map(({ value }) => value).join(', ');
  return min === undefined || max === undefined ? undefined : `${min}..${max}`;
}
