import type { AssetField, AssetKind, Completion, Facet, Facets } from '@carbon/client';
import { ASSET_KINDS } from '@carbon/contracts';
import {
  Argument,
  type Column,
  type Command,
  type CommandContext,
  EXIT,
  InvalidArgumentError,
  type TerminalOutput,
} from '@carbon/terminal';
import { type PrintFlags, readNames, withPrintFlags } from './arguments.js';
import { type ClientSession, withSession } from './session.js';

interface FacetFlags extends PrintFlags {
  readonly text?: string;
  readonly fields?: readonly string[];
}

interface Part {
  readonly field: string;
  readonly count: number;
  readonly clause: string;
}

const COLUMNS: readonly Column<Part>[] = [
  { title: 'FIELD', of: ({ field }) => field },
  { title: 'ASSETS', of: ({ count }) => count, align: 'right' },
  { title: 'CRITERIA', of: ({ clause }) => clause, least: 16 },
];

const HELP = `
Each line has the criteria that narrow the search to these assets.

  npm run cli -- facets projects 'country: Brazil' --fields registry,vintages`;

function readCaret(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be an integer from 0.');
}

/** Adds `facets` and `complete`. */
export function addFacetCommands(program: Command, context: CommandContext): void {
  withPrintFlags(
    program
      .command('complete')
      .addArgument(new Argument('<kind>').choices(ASSET_KINDS))
      .argument('<criteria>', "the beginning of a query such as 'country = Bra'")
      .description('say what may follow criteria that are not finished')
      .option('--caret <position>', 'continue here, in UTF-16 code units; default: at the end', readCaret),
  ).action(
    context.action((kind: AssetKind, criteria: string, { caret, ...flags }: PrintFlags & { caret?: number }) =>
      withSession(context, { ...flags, criteria }, (session) => printCompletions(session, kind, criteria, caret)),
    ),
  );
  withPrintFlags(
    program
      .command('facets')
      .addArgument(new Argument('<kind>').choices(ASSET_KINDS))
      .argument('[criteria]', "a query such as 'source: TOUCAN and price < 5'", '')
      .description('count the assets of a search by their fields')
      .option('--text <words>', 'words and "phrases" to find')
      .option(
        '--fields <fields>',
        'count by these fields, separated by commas; default: all that can be counted by',
        readNames,
      )
      .addHelpText('after', HELP),
  ).action(
    context.action((kind: AssetKind, criteria: string, flags: FacetFlags) =>
      withSession(context, { ...flags, criteria }, (session) => printFacets(session, kind, criteria, flags)),
    ),
  );
}

async function printCompletions(
  { carbon, output, signal, waitFor }: ClientSession,
  kind: AssetKind,
  criteria: string,
  caret: number | undefined,
): Promise<number> {
  const completions = await waitFor(carbon[kind].complete(criteria, caret, { signal }));
  const columns: readonly Column<Completion>[] = [
    { title: 'KIND', of: (one) => one.kind },
    { title: 'INSERT', of: ({ insert }) => insert },
    { title: 'ASSETS', of: ({ count }) => count, align: 'right' },
  ];
  await output.document(completions, () => output.tableLines(completions, columns));
  if (completions.length === 0) output.say('Nothing may stand there.');
  return EXIT.done;
}

async function printFacets(
  { carbon, output, signal, waitFor }: ClientSession,
  kind: AssetKind,
  criteria: string,
  { text, fields }: FacetFlags,
): Promise<number> {
  // The service judges the names that a person typed.
  const query = { criteria, text, fields: fields as readonly AssetField<typeof kind>[] | undefined };
  const facets = await waitFor(carbon[kind].facets(query, { signal }));
  await output.document(facets, () => lines(facets, kind, output));
  return EXIT.done;
}

function lines({ total, facets }: Facets, kind: AssetKind, output: TerminalOutput): readonly string[] {
  return [`${total} ${kind}`, '', ...output.tableLines(facets.flatMap(partsOf), COLUMNS)];
}

function partsOf({ field, values = [], ranges = [], missing }: Facet): readonly Part[] {
  return [...values, ...ranges, ...(missing ? [missing] : [])].map(({ count, clause }) => ({ field, count, clause }));
}
