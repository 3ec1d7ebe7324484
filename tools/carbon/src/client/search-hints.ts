import { type AssetKind, CarbonError, type ClauseHint, type SearchHints } from '@carbon/client';
import type { ClientSession } from './session.js';

/** The parts of a search that hints are about. */
export interface SearchInput {
  readonly criteria: string;
  readonly text?: string | undefined;
}

/** Returns lines that say why a search finds nothing; none when the service cannot say it. */
export async function hintLines(
  { carbon, signal, waitFor }: ClientSession,
  kind: AssetKind,
  { criteria, text = '' }: SearchInput,
): Promise<readonly string[]> {
  if (criteria.trim() === '' && text.trim() === '') return [];
  try {
    return linesOf(await waitFor(carbon[kind].hints({ criteria, text }, { signal })));
  } catch (error) {
    // Without hints: the search has succeeded, and must not fail because of them.
    if (error instanceof CarbonError) return [];
    throw error;
  }
}

function linesOf({ total, clauses }: SearchHints): readonly string[] {
  // Matching assets have been published since the search.
  if (total > 0) return [];
  const withoutMatch = clauses.filter((clause) => clause.total === 0);
  if (withoutMatch.length > 0) return withoutMatch.flatMap(clauseLines);
  return ['Each of these matches some assets, but no asset matches all of them:', ...clauses.map(countLine)];
}

function clauseLines(clause: ClauseHint): readonly string[] {
  const values = (clause.values ?? []).filter(({ near }) => near.length > 0);
  const lines = values.map(({ field, value, near }) => `  no ${field} is ${value}; similar: ${near.join(', ')}`);
  return [`Nothing matches ${nameOf(clause)}.`, ...lines];
}

function countLine(clause: ClauseHint): string {
  return `  ${nameOf(clause)}: ${clause.total}`;
}

function nameOf({ parameter, text }: ClauseHint): string {
  return parameter === 'criteria' ? text : `the text ${text}`;
}
