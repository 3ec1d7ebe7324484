import type { AssetKind, Listing, SearchPage, SearchQuery } from '@carbon/client';
import { ending } from '@carbon/terminal';
import type { Command } from 'commander';
import { type Means, withMeans } from '../means.js';
import { type ListFlags, listing, readNames } from '../options.js';
import { pageSize, printList } from '../printing/print-list.js';
import { assetBlock, assetColumns, type Found, TABLE_FIELDS } from './asset-text.js';

interface Flags extends ListFlags {
  readonly text?: string;
  readonly sort?: readonly string[];
  readonly fields?: readonly string[];
}

const HELP = (kind: AssetKind) => `
The criteria are one argument: quote them. \`schema ${kind}\` lists the fields.

  npm run cli -- pools 'source: TOUCAN'
  npm run cli -- projects 'country: Brazil' --text forest --sort=-price`;

/** `pools` or `projects` */
export function addSearchAssets(program: Command, kind: AssetKind): void {
  const command = program
    .command(kind)
    .argument('[criteria]', "what they must fulfil, such as 'source: TOUCAN and price < 5'", '')
    .description(`search the ${kind} of the asset library`)
    .option('--text <words>', 'words and "phrases" that must stand in them')
    .option('--sort <fields>', 'order by these, separated by commas; a - before one turns it round', readNames)
    .option('--fields <fields>', "show these, separated by commas; '*' shows all", readNames)
    .addHelpText('after', HELP(kind))
    .showHelpAfterError('The criteria are one argument: quote them. --help has examples.');
  listing(command, 25).action((criteria: string, flags: Flags) =>
    ending(withMeans(flags, { criteria }, (means) => searchAssets(means, kind, criteria, flags))),
  );
}

async function searchAssets(means: Means, kind: AssetKind, criteria: string, flags: Flags): Promise<number> {
  const { printer } = means;
  const isWhole = flags.fields?.includes('*') ?? false;
  const fields = flags.fields ?? (printer.asJson ? undefined : TABLE_FIELDS);
  const query = { criteria, text: flags.text, sort: flags.sort, fields, limit: pageSize(flags) };
  return await printList(means, search(means, kind, query), flags, {
    columns: assetColumns(fields ?? []),
    block: isWhole ? (asset) => assetBlock(asset, printer) : undefined,
    none: `No ${kind} match.`,
  });
}

/** What a person typed as names, the service judges; the client's types know only those that there are. */
function search(
  { carbon, signal }: Means,
  kind: AssetKind,
  query: Readonly<Record<string, unknown>>,
): Listing<Found, SearchPage<Found>> {
  return kind === 'pools'
    ? carbon.pools.search(query as SearchQuery<'pools'>, { signal })
    : carbon.projects.search(query as SearchQuery<'projects'>, { signal });
}
