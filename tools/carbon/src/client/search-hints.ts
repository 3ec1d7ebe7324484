import { type AssetKind, CarbonError, type ClauseHint, type SearchHints } from '@carbon/client';
import type { ClientSession } from './session.js';

/** The parts of a search that hints are about. */
export interface SearchedFor {
  readonly criteria: string;
  readonly text?: string | undefined;
}

/** Returns lines that say why a search finds nothing; none when the service cannot say it. */
export async function hintLines(
  { carbon, signal, waitFor }: ClientSession,
  kind: AssetKind,
  { criteria, text = '' }: SearchedFor,
): Promise<readonly string[]> {
  if (criteria.trim() === '' && text.trim() === '') return [];
  try {
    return linesOf(await waitFor(carbon[kind].hints({ criteria, text }, { signal })));
  } catch (error) {
    // The search itself has succeeded.
    if (error instanceof CarbonError) return [];
    throw error;
  }
}

function linesOf({ total, clauses }: SearchHints): readonly string[] {
  // Assets that match were published after the search.
  if (total > 0) return [];
  const mute = clauses.filter((clause) => clause.total === 0);
  if (mute.length > 0) return mute.flatMap(clauseLines);
  return ['Each of these finds some, but none match all:', ...clauses.map(countLine)];
}

function clauseLines(clause: ClauseHint): readonly string[] {
  const values = (clause.values ?? []).filter(({ near }) => near.length > 0);
  const lines = values.map(({ field, value, near }) => `  ${field} has no ${value}; near: ${near.join(', ')}`);
  return [`Nothing has ${nameOf(clause)}.`, ...lines];
}

function countLine(clause: ClauseHint): string {
  return `  ${nameOf(clause)}: ${clause.total}`;
}

function nameOf({ parameter, text }: ClauseHint): string {
  return parameter === 'criteria' ? text : `the text ${text}`;
}
