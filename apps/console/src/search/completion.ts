import type { CarbonClient, Completion } from '@carbon/client';
import {
  type CompletionContext,
  type CompletionSource,
  currentCompletions,
  insertCompletionText,
  type Completion as Option,
  pickedCompletion,
  setSelectedCompletion,
} from '@codemirror/autocomplete';
import { type EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tokensOf } from './criteria-tokens.js';

/** What completes criteria: the search of a kind of asset. */
type Completer = Pick<CarbonClient['projects'], 'complete'>;

/** An entry of the list, and where in the text its own beginning is. */
interface Proposal extends Option {
  readonly from: number;
}

/** Completes criteria by the API, which knows the grammar and the values of the library. */
export function completionsOf(assets: Completer): CompletionSource {
  return async (context) => {
    const { state, pos, explicit } = context;
    if (!explicit && state.doc.length === 0) return null;
    const completions = await completionsAt(assets, context);
    if (completions.length === 0) return null;
    return {
      from: Math.min(...completions.map(({ from }) => from)),
      to: pos,
      options: completions.map(optionOf),
      // The API has compared with what is typed, as criteria compare.
      filter: false,
    };
  };
}

async function completionsAt(assets: Completer, context: CompletionContext): Promise<readonly Completion[]> {
  const abort = new AbortController();
  context.addEventListener('abort', () => abort.abort(), { onDocChange: true });
  const { state, pos } = context;
  const text = state.doc.toString();
  const complete = (from: number) => assets.complete(text.slice(from), pos - from, { signal: abort.signal });
  try {
    const completions = await complete(0);
    const start = conditionStart(text, pos);
    if (completions.length > 0 || start === 0) return completions;
    // An error before the caret leaves nothing to continue but the condition itself.
    return (await complete(start)).map((completion) => ({ ...completion, from: completion.from + start }));
  } catch {
    // The search itself shows what is wrong with the criteria or the service.
    return [];
  }
}

/** Where the condition at the caret begins: behind the last connector or parenthesis before it. */
function conditionStart(text: string, caret: number): number {
  const joints = tokensOf(text.slice(0, caret)).filter(
    ({ kind, text: token, to }) => kind !== 'string' && to < caret && /^(?:and|or|not|&&|\|\||\()$/i.test(token),
  );
  return joints.at(-1)?.to ?? 0;
}

function optionOf({ insert, kind, from, count }: Completion): Proposal {
  return {
    from,
    label: insert.replace(/^"(.*)"$/, '$1'),
    type: kind,
    ...(count !== undefined && { detail: String(count) }),
    // From its own place: a sign may be continued where a word cannot.
    apply: (view: EditorView, picked, _, to) => {
      const space = insert === '(' || view.state.sliceDoc(to, to + 1) === ' ' ? '' : ' ';
      const text = insertCompletionText(view.state, insert + space, from, to);
      view.dispatch({ ...text, annotations: pickedCompletion.of(picked) });
    },
  };
}

/**
 * Selects the first entry of a list if it completes what is typed: Enter then accepts it. Else Enter searches, unless somebody
 * has moved into the list.
 */
export const firstSelected: Extension = EditorView.updateListener.of(({ view, startState, state }) => {
  const options = currentCompletions(state);
  const isNew = options.length > 0 && options !== currentCompletions(startState);
  if (isNew && completes(options[0] as Proposal, state)) view.dispatch({ effects: setSelectedCompletion(0) });
});

/** Whether what is typed is a part of an entry, and not all of it. */
function completes({ from, label }: Proposal, state: EditorState): boolean {
  const typed = state
    .sliceDoc(from, state.selection.main.head)
    .replace(/^["']|["']$/g, '')
    .trim();
  return typed !== '' && typed.toLowerCase() !== label.toLowerCase();
}

/** Accepting an entry writes a space; one that is typed after it by habit is the same space. */
export function habitualSpace(): Extension {
  let spaceAt = -1;
  return [
    EditorView.updateListener.of(({ transactions, state }) => {
      const last = transactions.findLast(({ docChanged, selection }) => docChanged || selection !== undefined);
      if (last !== undefined) spaceAt = last.annotation(pickedCompletion) ? state.selection.main.head : -1;
    }),
    EditorView.inputHandler.of(({ state }, from, to, text) => {
      const isSame = text === ' ' && from === to && from === spaceAt && state.sliceDoc(from - 1, from) === ' ';
      spaceAt = -1;
      return isSame;
    }),
  ];
}
