import type { AssetKind, ErrorItem, LibrarySchema } from '@carbon/client';
import { useMemo, useState } from 'react';
import { useSession } from '../session/session.js';
import { completionsOf } from './completion.js';
import { CriteriaEditor, focusEditor } from './criteria-editor.js';
import { type Fix, fixOf } from './fix.js';
import type { SearchDraft } from './use-search-draft.js';

interface Props {
  readonly drafted: SearchDraft;
  readonly schema: LibrarySchema | undefined;
  /** The errors of the searched criteria. */
  readonly errors: readonly ErrorItem[] | undefined;
}

const KINDS: readonly (readonly [AssetKind, string])[] = [
  ['projects', 'Projects'],
  ['pools', 'Pools'],
];
const NO_ERRORS: readonly ErrorItem[] = [];

/** The kind, the criteria and the full text of a search. */
export function SearchForm({ drafted, schema, errors = NO_ERRORS }: Props) {
  const { draft, search, edit, submit } = drafted;
  const { carbon } = useSession();
  const complete = useMemo(() => completionsOf(carbon[draft.kind]), [carbon, draft.kind]);
  const names = schema?.[draft.kind].fields.map(({ name }) => name) ?? [];
  const [isCompleting, setIsCompleting] = useState(false);
  // Nobody needs the errors of a word that is being completed, which the list would cover.
  const isJudged = draft.criteria === search.criteria && !isCompleting;
  const current = isJudged ? errors : NO_ERRORS;
  const fixes = current.map((item) => ({ item, fix: fixOf(draft.criteria, item, names) }));
  const apply = ({ from, to, insert }: Fix) => {
    submit({ criteria: draft.criteria.slice(0, from) + insert + draft.criteria.slice(to) });
    focusEditor();
  };
  const applyNearest = (caret: number) => {
    const possible = fixes.flatMap(({ fix }) => fix ?? []);
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
      <ErrorList fixes={fixes} criteria={draft.criteria} apply={apply} />
    </search>
  );
}

function distance({ from, to }: Fix, caret: number): number {
  return Math.max(from - caret, caret - to, 0);
}

interface ErrorListProps {
  readonly fixes: readonly { readonly item: ErrorItem; readonly fix: Fix | undefined }[];
  readonly criteria: string;
  readonly apply: (fix: Fix) => void;
}

function ErrorList({ fixes, criteria, apply }: ErrorListProps) {
  return (
    <ul className="errors" aria-live="polite" aria-label="Errors in the criteria">
      {fixes.map(({ item, fix }) => (
        <li key={`${item.position} ${item.code}`}>
          <span>
            {item.detail}
            {item.hint !== undefined && fix === undefined && ` – ${item.hint}`}
          </span>
          {fix !== undefined && (
            <button type="button" onClick={() => apply(fix)}>
              {fix.insert.trim() === '' ? 'Leave it out' : 'Write'}{' '}
              <code>{fix.insert.trim() || criteria.slice(fix.from, fix.to)}</code>
            </button>
          )}
          <a href={`/problems/${item.code}`} target="_blank" rel="noreferrer">
            About {item.code}
          </a>
        </li>
      ))}
    </ul>
  );
}
