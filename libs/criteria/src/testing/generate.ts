import type { CriteriaField, CriteriaFields } from '../fields.js';
import type { GoldenDocument } from './golden.js';
import { type Choose, oneIn, oneOf, type Pool } from './random.js';
import {
  spellDiffers,
  spellEquals,
  spellField,
  spellList,
  spellMissing,
  spellPresent,
  spellWord,
} from './spellings.js';
import { STORED } from './values.js';
import { type Form, writeGroup, writeLike, writeSingle } from './write-operand.js';
import { isOrdered, writeOrder } from './write-order.js';
import { type Binding, complete, framed, joined, negated, type Written } from './written.js';

const DEEPEST = 3;
const MAX_VALUES = 3;

/** Returns a random valid criteria text. Over many calls, every construct and spelling of the language occurs. */
export function randomCriteria(choose: Choose, fields: CriteriaFields, depth = DEEPEST): string {
  return writeCriteria(choose, fields, depth).text;
}

/** Returns one condition on one of the fields, as text. */
export function randomPredicate(choose: Choose, fields: CriteriaFields): string {
  return writePredicate(choose, fields).text;
}

/** Returns criteria with their meaning. */
export function writeCriteria(choose: Choose, fields: CriteriaFields, depth = DEEPEST): Written {
  const term = () => writeCriteria(choose, fields, depth - 1);
  if (depth === 0) return writePredicate(choose, fields);
  switch (choose(8)) {
    case 0:
    case 1:
      return writeJoined(choose, 'or', [term(), term()]);
    case 2:
      return writeJoined(choose, 'and', [term(), term()]);
    case 3:
      return writeJoined(choose, 'or', [term(), writeJoined(choose, 'and', [term(), term(), term()])]);
    case 4:
      return writeNot(choose, term());
    default:
      return writePredicate(choose, fields);
  }
}

function writeJoined(choose: Choose, kind: 'and' | 'or', terms: readonly Written[]): Written {
  const isSide = kind === 'and' && oneIn(choose, 3);
  const own: Binding = isSide ? 'side' : kind;
  const word = spellWord(choose, kind);
  const symbol = kind === 'and' ? '&&' : '||';
  const connector = isSide
    ? oneOf(choose, [' ', '\t', '\n ', '  '])
    : oneOf(choose, [word, word, symbol, ` ${symbol} `]);
  const isLoose = oneIn(choose, 2);
  return joined(kind, own, terms, (written) => {
    return written
      .map((term) => (isLoose && needsNoParentheses(term.binding, own) ? term.text : `(${term.text})`))
      .join(connector);
  });
}

/** Returns whether a term needs no parentheses here. Terms joined by juxtaposition must not stand beside an `or`. */
function needsNoParentheses(inner: Binding, outer: Binding): boolean {
  if (inner === 'unary') return true;
  if (outer === 'or') return inner === 'and' || inner === 'or';
  return inner === 'and' || inner === 'side';
}

function writeNot(choose: Choose, term: Written): Written {
  const not = oneOf(choose, [spellWord(choose, 'not').trimStart(), 'not', '!', '! ', '-']);
  const isTight = term.binding === 'unary' && not !== 'not' && oneIn(choose, 2);
  return negated(term, ({ text, binding }) => not + (isTight && binding === 'unary' ? text : `(${text})`));
}

/** Returns one condition on one of the fields. */
export function writePredicate(choose: Choose, fields: CriteriaFields): Written {
  const field = fields.list[choose(fields.list.length)];
  if (field === undefined || oneIn(choose, 40)) return complete(oneOf(choose, ['*', '*:*']), { kind: 'everything' });
  const name = spellField(choose, field.name);
  if (oneIn(choose, 10)) return writeExistence(choose, field, name);
  if (isOrdered(field) && oneIn(choose, 3)) return writeOrder(choose, field, name);
  return writeValues(choose, field, name);
}

function writeExistence(choose: Choose, field: CriteriaField, name: string): Written {
  const exists = complete(spellPresent(choose, name), { kind: 'exists', field });
  return oneIn(choose, 2) ? exists : negated(exists, () => spellMissing(choose, name));
}

/** Writes a condition on values. Text without an exact field can only be matched by words. */
function writeValues(choose: Choose, field: CriteriaField, name: string): Written {
  const isWordsOnly = field.type === 'text' && !field.exact;
  const form = isWordsOnly ? 'words' : oneOf<Form>(choose, ['words', 'whole']);
  const equals = name + spellEquals(choose, form);
  const way = choose(isWordsOnly ? 3 : 7);
  if (way < 2) return framed(writeSingle(choose, field, form), (text) => equals + text);
  if (way === 2) return framed(writeGroup(choose, field, form), (text) => equals + text);
  return writeWholeValues(choose, field, name);
}

function writeWholeValues(choose: Choose, field: CriteriaField, name: string): Written {
  const hasPatterns = field.type === 'keyword' || field.type === 'text' || field.type === 'address';
  const isNegated = oneIn(choose, 3);
  const not = isNegated ? spellWord(choose, 'not') : ' ';
  switch (choose(hasPatterns ? 4 : 2)) {
    case 0: {
      const differs = name + spellDiffers(choose);
      return framed(writeSingle(choose, field, 'whole'), (text) => differs + text, true);
    }
    case 1: {
      const list = spellList(choose, `${name}${not}${spellWord(choose, 'in').trim()} `);
      const values = Array.from({ length: 1 + choose(3) }, () => writeSingle(choose, field, 'whole'));
      const comma = oneOf(choose, [', ', ' ,', ',']);
      const joint = (written: readonly Written[]) => written.map(({ text }) => text).join(comma);
      return framed(joined('or', 'unary', values, joint), list, isNegated);
    }
    default: {
      const like = `${name}${not}${spellWord(choose, 'like').trimStart()}`;
      return framed(writeLike(choose, field), (text) => like + text, isNegated);
    }
  }
}

/** Returns a document with some of the fields; others are absent, null or empty. */
export function randomDocument(choose: Choose, fields: CriteriaFields, id: string): GoldenDocument {
  const held = fields.list.map((field) => [field.name, randomContent(choose, field)]);
  return { ...Object.fromEntries(held.filter(([, value]) => value !== undefined)), id };
}

function randomContent(choose: Choose, field: CriteriaField): unknown {
  if (oneIn(choose, 4)) return oneOf<unknown>(choose, [undefined, null, [], [null]]);
  const pool: Pool<unknown> = STORED[field.type];
  const value = () => oneOf(choose, pool);
  return field.multi ? Array.from({ length: 1 + choose(MAX_VALUES) }, value) : value();
}
