import { useQuery } from '@tanstack/react-query';
import { Problem } from '../page/problem.js';
import { useSession } from '../session/session.js';
import { quoted, tokensOf } from './criteria-tokens.js';
import type { SearchState } from './snippets.js';
import type { SearchDraft } from './use-search-draft.js';

interface Props {
  readonly drafted: SearchDraft;
  readonly hasHints: boolean;
  /** Whether the search is another one by now: the last reason stays. */
  readonly isOld: boolean;
}

/** Says why a search finds nothing, from the hints of the API. */
export function NothingFound({ drafted, hasHints, isOld }: Props) {
  const { carbon } = useSession();
  const { search } = drafted;
  const submit = (change: Partial<SearchState>) => {
    drafted.submit(change);
    // The button goes with what it is for.
    document.getElementById('results')?.focus();
  };
  const { kind, criteria, text } = search;
  const hints = useQuery({
    queryKey: ['hints', kind, criteria, text],
    queryFn: ({ signal }) => carbon[kind].hints({ criteria, text }, { signal }),
    enabled: hasHints && !isOld,
    placeholderData: (previous) => (isOld ? previous : undefined),
  });
  return (
    <>
      <h2>No {kind} match</h2>
      {hints.error !== null && <Problem error={hints.error} retry={() => void hints.refetch()} />}
      <ul className="hints">
        {hints.data?.clauses.map(({ parameter, text: clause, total, values = [] }) => (
          <li key={`${parameter} ${clause}`}>
            <code>{clause}</code> {parameter === 'fullTextSearch' && '(full text) '}
            {total === 0 ? 'matches nothing by itself.' : `matches ${total} by itself.`}
            {values.flatMap(({ field, value, near }) =>
              near.map((other) => (
                <button
                  key={`${field} ${value} ${other}`}
                  type="button"
                  onClick={() => submit({ criteria: withValue(criteria, value, other) })}
                >
                  Search {other}
                </button>
              )),
            )}
          </li>
        ))}
      </ul>
      {hints.data?.clauses.every(({ total }) => total > 0) && <p>Only the combination finds nothing.</p>}
      <button type="button" onClick={() => submit({ criteria: '', text: '' })}>
        Show all {kind}
      </button>
    </>
  );
}

/** Replaces a value in criteria, wherever it is written as it is. */
function withValue(criteria: string, value: string, other: string): string {
  return tokensOf(criteria)
    .filter(({ text }) => text.toLowerCase() === value.toLowerCase() || unquoted(text) === value)
    .toReversed()
    .reduce((text, { from, to }) => text.slice(0, from) + quoted(other) + text.slice(to), criteria);
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/s, '$2').replace(/\\(.)/g, '$1');
}
