import type { Asset } from '@carbon/contracts';
import type { CreditRow, ProjectRow } from './sources.js';
import { syntheticPrice, syntheticProjectSupply, syntheticRating } from './synthetic.js';

/** The sources contain one vintage of 1970, which is a null date. No registry issued credits for a year before this. */
const FIRST_VINTAGE = 1990;

/** Returns the project as an asset, with the token of its latest vintage; `credits` are all its rows. */
export function tokenisedProjectAsset(row: ProjectRow, credits: readonly CreditRow[]): Asset {
  const id = `proj_${row.project_id.toLowerCase()}`;
  const token = latestToken(row.project_id, credits);
  const region = credits.find((credit) => credit.region !== '')?.region;
  const categories = categoriesOf(row);
  const vintages = row.vintages.filter((year) => year >= FIRST_VINTAGE).sort((a, b) => a - b);
  const issued = syntheticProjectSupply(id, vintages);
  return {
    id,
    type: 'PROJECT',
    ticker: token.key,
    address: token.token_address,
    source: sourceWord(row.registry),
    name: row.name || row.project_id,
    description: describeProject({ ...row, vintages, token: token.key }),
    rating: syntheticRating(id),
    price: syntheticPrice(id, categories),
    issued,
    active: issued > 0 && !row.ex_ante,
    chain: 'polygon',
    registry: row.registry,
    // Two entries have no number: their id is the registry's name again.
    ...(row.project_id.includes('-') && { registryId: row.project_id }),
    ...(row.country && { country: row.country }),
    ...(region && { region }),
    ...(categories.length > 0 && { categories }),
    ...(row.methodologies.length > 0 && { methodologies: row.methodologies }),
    ...(vintages.length > 0 && { vintages }),
  };
}

/** `Puro.earth` → `PURO_EARTH`. */
export function sourceWord(registry: string): string {
  return registry.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}

/** Returns the token of the latest vintage; the lowest address if that vintage has several. */
export function latestToken(projectId: string, credits: readonly CreditRow[]): CreditRow {
  const [latest] = credits.toSorted((a, b) => b.vintage - a.vintage || compare(a.token_address, b.token_address));
  if (!latest) throw new Error(`${projectId} has no row in tokenised-credits.csv`);
  return latest;
}

/** Returns the token list's category, then the finer type of the Berkeley database if it differs. */
function categoriesOf({ categories, berkeley_type: type }: ProjectRow): string[] {
  const known = categories.some((category) => category.toLowerCase() === type);
  return type === '' || known ? [...categories] : [...categories, type];
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

/** The facts in a description: the row, its cleaned vintages and the ticker of its token. */
export type ProjectFacts = Pick<
  ProjectRow,
  'project_id' | 'registry' | 'country' | 'categories' | 'berkeley_type' | 'methodologies' | 'ex_ante'
> & { readonly vintages: readonly number[]; readonly token: string };

/** Builds sentences only from the facts of the sources, because registries' own texts are not openly licensed. */
export function describeProject(facts: ProjectFacts): string {
  const kind = facts.categories.filter((category) => category !== 'Other').join(' and ');
  const where = facts.country ? ` in ${facts.country}` : '';
  // Two entries have no number: their id is the registry's name again.
  const number = facts.project_id === facts.registry ? '' : ` as ${facts.project_id}`;
  const sentences = [
    `${kind || 'Carbon'} project${where}, listed with ${facts.registry}${number}`,
    facts.berkeley_type && `Project type: ${facts.berkeley_type}`,
    facts.methodologies.length > 0 && `Methodology: ${facts.methodologies.join(', ')}`,
    facts.vintages.length > 0 && `Vintages: ${yearRanges(facts.vintages)}`,
    facts.ex_ante && 'Has credits that are planned and not issued yet',
    `Token of the latest vintage: ${facts.token}, on Polygon`,
  ];
  return sentences
    .filter(Boolean)
    .map((sentence) => `${sentence}.`)
    .join(' ');
}

/** Joins consecutive ascending years: `2012–2014, 2016`. */
export function yearRanges(years: readonly number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const year of years) {
    const last = runs.at(-1);
    if (last && last.to + 1 === year) last.to = year;
    else runs.push({ from: year, to: year });
  }
  return runs.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}
