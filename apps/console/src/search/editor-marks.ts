import type { ErrorItem } from '@carbon/client';
import { RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, MatchDecorator, ViewPlugin } from '@codemirror/view';
import { OPERATOR_WORDS } from './criteria-tokens.js';

/** Replaces the errors that are underlined. */
export const setErrors = StateEffect.define<readonly ErrorItem[]>();

const ERROR_MARK = Decoration.mark({ class: 'error' });

/** Underlines errors where the API says they are; they move with the text until the next answer. */
export const errorMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, newDoc }) {
    const set = effects.find((effect) => effect.is(setErrors));
    if (set === undefined) return marks.map(changes);
    const ranges = (set.value as readonly ErrorItem[]).flatMap(({ position, length = 0 }) => {
      if (position === undefined || newDoc.length === 0) return [];
      // For something that is missing at the end, the last character is marked.
      const from = Math.min(position, newDoc.length - 1);
      return [ERROR_MARK.range(from, Math.max(from + 1, Math.min(position + length, newDoc.length)))];
    });
    return RangeSet.of(ranges, true);
  },
  provide: (field) => [
    EditorView.decorations.from(field),
    EditorView.contentAttributes.from(field, (marks) => ({ 'aria-invalid': String(marks.size > 0) })),
  ],
});

const KEYWORDS = ['and', 'or', 'not', 'is', 'null', ...OPERATOR_WORDS].join('|');
const WORDS = new MatchDecorator({
  regexp: new RegExp(String.raw`"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\b(?:${KEYWORDS})\b`, 'gi'),
  decoration: ([text]) => Decoration.mark({ class: /^["']/.test(text) ? 'text' : 'keyword' }),
});

/** Distinguishes keywords and quoted values. */
export const wordMarks = ViewPlugin.define(
  (view) => {
    const plugin = { marks: WORDS.createDeco(view), update: () => {} };
    return Object.assign(plugin, {
      update: (update: Parameters<typeof WORDS.updateDeco>[0]) => {
        plugin.marks = WORDS.updateDeco(update, plugin.marks);
      },
    });
  },
  { decorations: ({ marks }) => marks },
);

/** The look of the editor, in the colours of the page. */
export const editorTheme = EditorView.theme({
  '&': { fontSize: '1rem', color: 'var(--text)', minHeight: '2.75rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', maxHeight: '12rem', overflow: 'auto' },
  '.cm-content': { padding: '0.6rem 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 0.75rem' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.error': { textDecoration: 'underline wavy var(--bad) 1.5px', textUnderlineOffset: '4px' },
  '.keyword': { color: 'var(--accent)', fontWeight: '600' },
  '.text': { color: 'var(--value)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    boxShadow: '0 6px 24px rgb(0 0 0 / 0.18)',
    overflow: 'hidden',
    maxWidth: 'calc(100vw - 2rem)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.3rem 0.75rem', lineHeight: '1.4' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': { fontStyle: 'normal', marginLeft: '1rem', opacity: '0.85' },
});
