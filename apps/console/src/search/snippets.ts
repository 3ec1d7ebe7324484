import type { AssetKind } from '@carbon/client';

/** A search as it is in the address of the page. */
export interface SearchState {
  readonly kind: AssetKind;
  readonly criteria: string;
  readonly text: string;
  /** A field, with `-` before it for descending; '' for the order of the service. */
  readonly sort: string;
}

/** The fields of the table. */
export const TABLE_FIELDS = ['id', 'name', 'price', 'vintages', 'rating'] as const;

/** A search in the words of another program. */
export interface Snippet {
  readonly title: string;
  readonly code: string;
}

/** Returns a search as commands and code that do the same. The key is never part of them. */
export function snippetsOf(state: SearchState, origin: string, hasKey: boolean): readonly Snippet[] {
  return [
    { title: 'curl, the first page', code: curlOf(state, origin, hasKey) },
    { title: 'TypeScript', code: typeScriptOf(state, origin, hasKey) },
    { title: 'Command line, in a checkout', code: `GATEWAY_URL=${inShell(origin)} ${cliOf(state)}` },
  ];
}

function curlOf({ kind, criteria, text, sort }: SearchState, origin: string, hasKey: boolean): string {
  const parameters = { criteria, fullTextSearch: text, sort, fields: TABLE_FIELDS.join(',') };
  const given = Object.entries(parameters).filter(([name, value]) => name !== 'sort' || value !== '');
  return [
    `curl -sG ${inShell(`${origin}/v1/assets/${kind}`)}`,
    ...(hasKey ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...given.map(([name, value]) => `--data-urlencode ${inShell(`${name}=${value}`)}`),
  ].join(' \\\n  ');
}

function typeScriptOf({ kind, criteria, text, sort }: SearchState, origin: string, hasKey: boolean): string {
  const options = [
    ...(criteria === '' ? [] : [`  criteria: ${inCode(criteria)},`]),
    ...(text === '' ? [] : [`  text: ${inCode(text)},`]),
    ...(sort === '' ? [] : [`  sort: ${inCode(sort)},`]),
    `  fields: [${TABLE_FIELDS.map(inCode).join(', ')}],`,
  ];
  const key = hasKey ? ', key: process.env.API_KEY' : '';
  return `import { CarbonClient } from '@carbon/client';

const carbon = new CarbonClient({ baseUrl: ${inCode(origin)}${key} });
const search = carbon.${kind}.search({
${options.join('\n')}
});
for await (const asset of search) console.log(asset);`;
}

function cliOf({ kind, criteria, text, sort }: SearchState): string {
  const options = [
    ...(text === '' ? [] : [`--text=${inShell(text)}`]),
    ...(sort === '' ? [] : [`--sort=${inShell(sort)}`]),
    `--fields ${TABLE_FIELDS.join(',')}`,
    // Criteria such as `-rating: 3` are no option.
    ...(criteria === '' ? [] : [...(criteria.startsWith('-') ? ['--'] : []), inShell(criteria)]),
  ];
  return `npm run cli -- ${kind} ${options.join(' ')}`;
}

function inShell(text: string): string {
  return /^[\w./:=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function inCode(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
