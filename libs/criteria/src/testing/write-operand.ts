import type { CheckedNode } from '../check/typed-tree.js';
import type { CriteriaField } from '../fields.js';
import { type Choose, oneIn, oneOf, type Pool } from './random.js';
import { barePattern, quotedPattern, spellLiteral, spellValue, spellWord } from './spellings.js';
import { CRITERIA_PATTERNS, CRITERIA_TEXTS } from './values.js';
import { isOrdered, writeStretch } from './write-order.js';
import { complete, framed, joined, negated, type Written } from './written.js';

/** Whether a text is searched for words or compared as a whole. */
export type Form = 'words' | 'whole';

/** Writes one value, pattern, range or similar, as the operand of an equality or in a list. */
export function writeSingle(choose: Choose, field: CriteriaField, form: Form): Written {
  if (oneIn(choose, 25)) return complete('*', { kind: 'exists', field });
  if (oneIn(choose, 25)) return complete('null', { kind: 'not', term: { kind: 'exists', field } });
  if (isOrdered(field)) return writeStretch(choose, field);
  return (oneIn(choose, 4) ? writeBarePattern(choose, field, form) : undefined) ?? writeScalar(choose, field, form);
}

function writeScalar(choose: Choose, field: CriteriaField, form: Form): Written {
  if (field.type === 'boolean') {
    const value = oneIn(choose, 2);
    return complete(spellLiteral(choose, oneOf(choose, [`${value}`, `${value}`.toUpperCase()])), equal(field, value));
  }
  if (field.type === 'text' && form === 'words') {
    const words = oneOf(choose, CRITERIA_TEXTS.words);
    return complete(spellValue(choose, words), { kind: 'words', field, words });
  }
  const text = oneOf(choose, CRITERIA_TEXTS.whole[typeOf(field)]);
  return complete(spellValue(choose, text), equal(field, text));
}

/** Writes a pattern as an unquoted word; undefined for a type without patterns, and for a pattern that needs quotes. */
function writeBarePattern(choose: Choose, field: CriteriaField, form: Form): Written | undefined {
  if (field.type === 'boolean') return undefined;
  const on = field.type === 'text' && form === 'words' ? 'word' : 'whole';
  const pattern = on === 'word' ? oneOf(choose, CRITERIA_PATTERNS.word) : drawnPattern(choose, field);
  const text = barePattern(pattern);
  return text === undefined ? undefined : complete(text, { kind: 'pattern', field, on, pattern });
}

/** Writes the operand of `like`: a pattern in quotes, or unquoted. */
export function writeLike(choose: Choose, field: CriteriaField): Written {
  const pattern = drawnPattern(choose, field);
  const text = oneIn(choose, 3) ? barePattern(pattern) : undefined;
  return complete(text ?? quotedPattern(choose, pattern), { kind: 'pattern', field, on: 'whole', pattern });
}

function drawnPattern(choose: Choose, field: CriteriaField): string {
  return oneOf<string>(choose, CRITERIA_PATTERNS.whole[typeOf(field)]);
}

function typeOf({ type }: CriteriaField): 'keyword' | 'text' | 'address' {
  return type === 'text' || type === 'address' ? type : 'keyword';
}

function equal(field: CriteriaField, value: string | boolean): CheckedNode {
  return { kind: 'equal', field, value };
}

/** Writes values in parentheses after an equality: with commas, or with `and`, `or`, `not` and further parentheses. */
export function writeGroup(choose: Choose, field: CriteriaField, form: Form, depth = 2): Written {
  const inner = oneIn(choose, 3) ? withCommas(choose, field, form) : withConnectors(choose, field, form, depth);
  const spaced = oneIn(choose, 3);
  return framed(inner, (text) => (spaced ? `( ${text} )` : `(${text})`));
}

function withCommas(choose: Choose, field: CriteriaField, form: Form): Written {
  const values = Array.from({ length: 2 + choose(2) }, () => writeSingle(choose, field, form));
  const comma = oneOf(choose, [', ', ',', ' , ']);
  return joined('or', 'unary', values, (texts) => texts.map(({ text }) => text).join(comma));
}

function withConnectors(choose: Choose, field: CriteriaField, form: Form, depth: number): Written {
  const term = () => writeTerm(choose, field, form, depth);
  const [or, and] = [spellWord(choose, 'or'), spellWord(choose, 'and')];
  if (oneIn(choose, 4)) return joined('and', 'and', [term(), term()], bare(oneOf(choose, [and, '&&'])));
  const alternatives: Pool<Written> = oneIn(choose, 4)
    ? [term(), joined('and', 'and', [term(), term()], bare(and))]
    : [term(), term()];
  return joined('or', 'or', alternatives, bare(oneOf(choose, [or, or, '||'])));
}

function writeTerm(choose: Choose, field: CriteriaField, form: Form, depth: number): Written {
  if (depth > 1 && oneIn(choose, 6)) return writeGroup(choose, field, form, depth - 1);
  const single = writeSingle(choose, field, form);
  if (!oneIn(choose, 6)) return single;
  const not = spellWord(choose, 'not').trimStart();
  return negated(single, ({ text }) => not + text);
}

/** Values bind tightly, and terms joined by `and` may be next to an `or`, so no parentheses are needed. */
function bare(connector: string) {
  return (texts: readonly Written[]) => texts.map(({ text }) => text).join(connector);
}
