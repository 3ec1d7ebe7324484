import type { ErrorItem } from '@carbon/client';
import {
  autocompletion,
  type CompletionSource,
  closeCompletion,
  completionStatus,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { Annotation, EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { firstSelected, habitualSpace } from './completion.js';
import { editorTheme, errorMarks, setErrors, wordMarks } from './editor-marks.js';

interface Props {
  readonly value: string;
  readonly errors: readonly ErrorItem[];
  readonly complete: CompletionSource;
  readonly onChange: (text: string) => void;
  /** Enter: search now. */
  readonly onSubmit: () => void;
  /** Alt-Enter: apply the fix that is nearest to the caret. */
  readonly onFix: (caret: number) => void;
  /** Whether the list of completions is open. */
  readonly onCompleting: (isOpen: boolean) => void;
}

/** Marks a change that comes from outside the editor. */
const externalChange = Annotation.define<boolean>();

/**
 * The editor of criteria. In a shadow root, because CodeMirror then uses constructed style sheets, which `style-src 'self'`
 * allows; in the page it would add style elements.
 */
export function CriteriaEditor(props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const { value, errors } = props;

  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const state = EditorState.create({ doc: latest.current.value, extensions: extensionsOf(() => latest.current) });
    const editor = new EditorView({ state, root, parent: root });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const doc = view.current?.state.doc.toString();
    if (doc === undefined || doc === value) return;
    view.current?.dispatch({ changes: changeBetween(doc, value), annotations: externalChange.of(true) });
  }, [value]);

  useEffect(() => {
    view.current?.dispatch({ effects: setErrors.of(errors) });
  }, [errors]);

  return <div ref={host} className="editor" />;
}

function extensionsOf(latest: () => Props) {
  const run = (work: (props: Props, view: EditorView) => void) => (view: EditorView) => {
    work(latest(), view);
    return true;
  };
  return [
    history(),
    errorMarks,
    wordMarks,
    editorTheme,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': 'Criteria', spellcheck: 'false', autocapitalize: 'off' }),
    placeholder('categories: forestry and vintages: 2015..2018'),
    autocompletion({
      override: [(context) => latest().complete(context)],
      icons: false,
      activateOnCompletion: () => true,
      selectOnOpen: false,
    }),
    firstSelected,
    habitualSpace(),
    // These keys override the default ones; those of an open completion list override these.
    keymap.of([
      { key: 'Enter', run: run(submit) },
      { key: 'Alt-Enter', run: run(({ onFix }, { state }) => onFix(state.selection.main.head)) },
    ]),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.updateListener.of(({ docChanged, startState, state, transactions }) => {
      const isTyped = docChanged && !transactions.some((transaction) => transaction.annotation(externalChange));
      // Rendered at once: after the next key, the value would look like a change from outside and undo that key.
      if (isTyped) flushSync(() => latest().onChange(state.doc.toString()));
      const isOpen = completionStatus(state) === 'active';
      if (isOpen !== (completionStatus(startState) === 'active')) latest().onCompleting(isOpen);
    }),
    // In an empty editor, ArrowDown opens the completion list.
    Prec.low(keymap.of([{ key: 'ArrowDown', run: (view) => view.state.doc.length === 0 && startCompletion(view) }])),
  ];
}

/** Moves the focus to the editor. */
export function focusEditor(): void {
  document.querySelector('.editor')?.shadowRoot?.querySelector<HTMLElement>('.cm-content')?.focus();
}

/** Closes the completion list, even a pending one, and searches. */
function submit({ onSubmit }: Props, view: EditorView): void {
  closeCompletion(view);
  onSubmit();
}

/** The smallest change, so that the caret stays where it is. */
function changeBetween(before: string, after: string) {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < most - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}
