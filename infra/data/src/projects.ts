import type { Asset } from '@carbon/contracts';
import { categoryNames, countryName } from './names.js';
import type { CreditRow, ProjectRow } from './sources.js';
import { syntheticPrice, syntheticProjectSupply, syntheticRating } from './synthetic.js';

/** The sources contain one vintage of 1970, which is a null date. No registry issued credits for a year before this. */
const FIRST_VINTAGE = 1990;
/** The last year for which credits count as issued. Later vintages in the sources are planned, and not offered. */
const LAST_VINTAGE = 2025;

/** Returns the project as an asset, with the token of its latest offered vintage; `credits` are all its rows. */
export function tokenisedProjectAsset(row: ProjectRow, credits: readonly CreditRow[]): Asset {
  const id = `proj_${row.project_id.toLowerCase()}`;
  const country = countryName(row.country);
  const token = latestToken(credits.filter(({ vintage }) => isOffered(vintage)));
  const region = credits.find((credit) => credit.region !== '')?.region;
  const categories = categoryNames([...row.categories, ...(row.berkeley_type ? [row.berkeley_type] : [])]);
  const vintages = row.vintages.filter(isOffered).sort((a, b) => a - b);
  const isPlanned = row.ex_ante || row.vintages.some((year) => year > LAST_VINTAGE);
  const issued = syntheticProjectSupply(id, vintages);
  return {
    id,
    type: 'PROJECT',
    ...(token && { ticker: token.key, address: token.token_address, chain: 'polygon' }),
    source: sourceWord(row.registry),
    name: row.name || row.project_id,
    description: describeProject({ ...row, country, vintages, isPlanned, token: token?.key }),
    rating: syntheticRating(id),
    price: syntheticPrice(id, categories),
    issued,
    active: issued > 0 && !row.ex_ante,
    registry: row.registry,
    // Two entries have no number: their id is the registry's name again.
    ...(row.project_id.includes('-') && { registryId: row.project_id }),
    ...(country && { country }),
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

function isOffered(vintage: number): boolean {
  return vintage >= FIRST_VINTAGE && vintage <= LAST_VINTAGE;
}

/** Returns the token of the latest vintage; the lowest address if that vintage has several. */
function latestToken(credits: readonly CreditRow[]): CreditRow | undefined {
  return credits.toSorted((a, b) => b.vintage - a.vintage || compare(a.token_address, b.token_address))[0];
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

/** The facts in a description: the row, its offered vintages, whether others are planned, and the ticker of its token. */
export type ProjectFacts = Pick<
  ProjectRow,
  'project_id' | 'registry' | 'country' | 'categories' | 'berkeley_type' | 'methodologies'
> & { readonly vintages: readonly number[]; readonly isPlanned: boolean; readonly token: string | undefined };

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
    facts.isPlanned && 'Has credits that are planned and not issued yet',
    facts.token && `Token of the latest vintage: ${facts.token}, on Polygon`,
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
