import type { ProjectRow } from './sources.js';

/** What a description is made of: the row, its cleaned vintages and the ticker of its token. */
export type ProjectFacts = Pick<
  ProjectRow,
  'project_id' | 'registry' | 'country' | 'categories' | 'berkeley_type' | 'methodologies' | 'ex_ante'
> & { readonly vintages: readonly number[]; readonly token: string };

/** Sentences made of nothing but the facts of the sources: registries' own texts are not openly licensed. */
export function describeProject(facts: ProjectFacts): string {
  const kind = facts.categories.filter((category) => category !== 'Other').join(' and ');
  const where = facts.country ? ` in ${facts.country}` : '';
  // Two entries have no number of their own: their id is only the registry's name again.
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

/** Ascending years, runs drawn together: `2012–2014, 2016`. */
export function yearRanges(years: readonly number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const year of years) {
    const last = runs.at(-1);
    if (last && last.to + 1 === year) last.to = year;
    else runs.push({ from: year, to: year });
  }
  return runs.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}
