import type { CarbonClient, Completion } from '@carbon/client';
import {
  type CompletionContext,
  type CompletionSource,
  insertCompletionText,
  type Completion as Option,
  pickedCompletion,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';

/** What completes criteria: the search of a kind of asset. */
type Completer = Pick<CarbonClient['projects'], 'complete'>;

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
  try {
    return await assets.complete(context.state.doc.toString(), context.pos, { signal: abort.signal });
  } catch {
    // The search itself shows what is wrong with the criteria or the service.
    return [];
  }
}

function optionOf({ insert, kind, from, count }: Completion): Option {
  return {
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
