import type { AssetKind, ErrorItem } from '@carbon/client';
import { useMemo, useState } from 'react';
import { useSession } from '../session/session.js';
import { completionsOf } from './completion.js';
import { CriteriaEditor, focusEditor } from './criteria-editor.js';
import type { SearchDraft } from './use-search-draft.js';

/** The change that removes an error. */
type Rewrite = NonNullable<ErrorItem['rewrite']>;

interface Props {
  readonly drafted: SearchDraft;
  /** The errors of the searched criteria. */
  readonly errors: readonly ErrorItem[] | undefined;
}

const KINDS: readonly (readonly [AssetKind, string])[] = [
  ['projects', 'Projects'],
  ['pools', 'Pools'],
];
const NO_ERRORS: readonly ErrorItem[] = [];

/** The kind, the criteria and the full text of a search. */
export function SearchForm({ drafted, errors = NO_ERRORS }: Props) {
  const { draft, search, edit, submit } = drafted;
  const { carbon } = useSession();
  const complete = useMemo(() => completionsOf(carbon[draft.kind]), [carbon, draft.kind]);
  const [isCompleting, setIsCompleting] = useState(false);
  // While a word is completed, nobody needs its errors, and the list would cover them.
  const areErrorsShown = draft.criteria === search.criteria && !isCompleting;
  const current = areErrorsShown ? errors : NO_ERRORS;
  const apply = ({ position, length, text }: Rewrite) => {
    submit({ criteria: draft.criteria.slice(0, position) + text + draft.criteria.slice(position + length) });
    focusEditor();
  };
  const applyNearest = (caret: number) => {
    const possible = current.flatMap(({ rewrite }) => rewrite ?? []);
    const nearest = possible.sort((a, b) => distance(a, caret) - distance(b, caret))[0];
    if (nearest !== undefined) apply(nearest);
  };
  return (
    <search className="card search-form">
      <fieldset className="choice">
        <legend className="unseen">Kind of asset</legend>
        {KINDS.map(([value, title]) => (
          <label key={value}>
            <input type="radio" name="kind" checked={draft.kind === value} onChange={() => submit({ kind: value })} />
            {title}
          </label>
        ))}
      </fieldset>
      <div className="field wide">
        <span className="label">Criteria</span>
        <CriteriaEditor
          value={draft.criteria}
          errors={current}
          complete={complete}
          onChange={(criteria) => criteria !== draft.criteria && edit({ criteria })}
          onSubmit={() => submit()}
          onFix={applyNearest}
          onCompleting={setIsCompleting}
        />
        <p className="help keys">
          <kbd>Ctrl</kbd> <kbd>Space</kbd> completes, <kbd>Alt</kbd> <kbd>Enter</kbd> fixes, <kbd>Enter</kbd> searches.
        </p>
      </div>
      <div className="field">
        <label htmlFor="text">Full text</label>
        <input
          id="text"
          type="search"
          placeholder="forest"
          maxLength={256}
          value={draft.text}
          onChange={({ target }) => edit({ text: target.value })}
          onKeyDown={({ key }) => key === 'Enter' && submit()}
        />
      </div>
      <ErrorList errors={current} criteria={draft.criteria} apply={apply} />
    </search>
  );
}

function distance({ position, length }: Rewrite, caret: number): number {
  return Math.max(position - caret, caret - position - length, 0);
}

interface ErrorListProps {
  readonly errors: readonly ErrorItem[];
  readonly criteria: string;
  readonly apply: (rewrite: Rewrite) => void;
}

function ErrorList({ errors, criteria, apply }: ErrorListProps) {
  return (
    <ul className="errors" aria-live="polite" aria-label="Errors in the criteria">
      {errors.map(
        ({ position, code, detail, suggestion, hint = suggestion && `did you mean ${suggestion}?`, rewrite }) => (
          <li key={`${position} ${code}`}>
            <span>
              {detail}
              {hint !== undefined && rewrite === undefined && ` – ${withLabels(hint)}`}
            </span>
            {rewrite !== undefined && (
              <button type="button" onClick={() => apply(rewrite)}>
                {rewrite.text.trim() === '' ? 'Leave out' : 'Write'}{' '}
                <code>{rewrite.text.trim() || sourceOf(criteria, rewrite)}</code>
              </button>
            )}
            <a href={`/problems/${code}`} target="_blank" rel="noreferrer">
              About {code}
            </a>
          </li>
        ),
      )}
    </ul>
  );
}

/** Calls the parameter by the label of its field. */
function withLabels(hint: string): string {
  return hint.replaceAll('the fullTextSearch parameter', 'the field Full text');
}

function sourceOf(criteria: string, { position, length }: Rewrite): string {
  return criteria.slice(position, position + length);
}
