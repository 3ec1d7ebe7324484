import type { CriteriaField, CriteriaFields } from '../fields.js';
import type { PredicateNode } from '../parse/syntax-tree.js';
import { isOperatorSign } from '../text/characters.js';
import { clauseHint } from './clauses.js';
import { type Explanation, explanation, type HelpWithHint, type Hint, type Proposal } from './criteria-error.js';
import { existenceTest } from './dialects.js';
import { worded, writeCondition, writePiece } from './proposals.js';
import { write } from './repairs.js';
import { echo } from './snippet.js';
import { bare, operatorOf, scalarOf } from './source.js';

/** Common names for fields that have another name here. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['symbol', 'ticker'],
  ['score', 'rating'],
  ['title', 'name'],
  ['cost', 'price'],
  ['year', 'vintages'],
  ['location', 'country'],
]);
/** Qualifiers of other languages, which are no misspelt fields. */
const QUALIFIER = /^(is|in|as|on|by)$/;
/** Names with an operator or a negation, as in `country_ne` or `¬country`: the name alone would lose it. */
const OPERATOR_IN_NAME =
  /[¬!≠]|[_.-](?:eq|ne|neq|not|no|nin|in|gt|gte|ge|lt|lte|le|like|contains|min|max|from|to|before|after)$/iu;
const NEGATED_NAME = /^(?:not|non|no|un|in)/;
const SHORT_NAME = 4;
/** Names that an index gives to its sub-fields. */
const SUB_FIELD = /\.(keyword|exact|raw)$/i;
/** Names of tables before a field. */
const TABLE = /^(assets|pools|projects)\./i;
/** Each comparison operator with its sides swapped. */
export const MIRRORED: Readonly<Record<string, string>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' };

/** Explains that a predicate names no field, with the intended name. */
export function unknownField(predicate: PredicateNode, text: string, fields: CriteriaFields): Explanation {
  const { field, position, operatorAt } = predicate;
  const operator = operatorOf(text, predicate);
  if (predicate.kind === 'equals' && predicate.operand.kind === 'scalar') {
    const named = fields.find(predicate.operand.text);
    const isTest = named?.type === 'boolean' && field.toLowerCase() === 'is';
    const hint = isTest ? writeCondition(`${named.name}:true`) : existenceTest(field, named?.name ?? 'field');
    const span = { position, length: operatorAt + operator.length - position };
    if (hint !== undefined) {
      return explanation('UNSUPPORTED_SYNTAX', span, `"${echo(field)}:" is not supported`, { hint });
    }
  }
  return explanation('UNKNOWN_FIELD', { position, length: field.length }, `unknown field "${echo(field)}"`, {
    ...hintFor(predicate, operator, fields, text),
    allowed: fields.list.map(({ name }) => name),
  });
}

function hintFor(predicate: PredicateNode, operator: string, fields: CriteriaFields, text: string): HelpWithHint {
  const clause = clauseHint(text, predicate.position, fields);
  if (clause !== undefined) return { hint: clause };
  const folded = foldName(predicate.field);
  const other = Object.entries(fields.elsewhere).find(([field]) => foldName(field) === folded);
  if (other !== undefined) return { hint: `${other[0]} is available on ${other[1]}` };
  const parent = SUB_FIELD.test(predicate.field) ? fields.find(predicate.field.replace(SUB_FIELD, '')) : undefined;
  if (parent !== undefined) return { suggestion: parent.name, hint: subFieldHint(predicate, parent) };
  const suggestion = suggestField(predicate.field.replace(SUB_FIELD, '').replace(TABLE, ''), fields);
  return suggestion !== undefined
    ? { suggestion }
    : { hint: mirrorHint(predicate, operator, fields, text) ?? operatorHint(predicate, fields) };
}

/** `ticker.keyword:BCT`: a sub-field contains the whole value, which `=` compares. */
function subFieldHint(predicate: PredicateNode, { name, type, exact }: CriteriaField): Proposal {
  const value = predicate.kind === 'equals' ? scalarOf(predicate) : undefined;
  if (value === undefined || value.pattern !== undefined) return writePiece(name);
  return writeCondition(`${name}${type === 'text' && !exact ? ':' : ' = '}${bare(value.text)}`);
}

/** `3 < rating`: the field is after the operator. */
function mirrorHint(
  predicate: PredicateNode,
  operator: string,
  fields: CriteriaFields,
  text: string,
): Hint | undefined {
  const field = fields.find(scalarOf(predicate)?.text ?? '');
  // In `query=country:Brazil` the name begins a condition of its own.
  const isName = isOperatorSign(text.charCodeAt(predicate.position + predicate.length));
  if (field === undefined || isName) return undefined;
  // Of `-5 < price`, the parser has read a negation.
  if (/^\d/.test(predicate.field) && text.charAt(predicate.position - 1) === '-') return 'the field comes first';
  const sign = predicate.kind === 'value' ? MIRRORED[predicate.operator] : operator;
  const rewrite = sign === undefined ? undefined : write(`${field.name} ${sign} ${bare(predicate.field)}`, fields);
  return rewrite && worded(rewrite, 'the field comes first: ');
}

/** `price_lt: 5`: an operator within the name. */
function operatorHint({ field }: PredicateNode, fields: CriteriaFields): string | undefined {
  if (/^[¬≠]/.test(field)) return 'a negation is written not';
  const name = field.replace(OPERATOR_IN_NAME, '').replace(/_+$/, '');
  return name !== field && fields.find(name) !== undefined ? `the operator follows the field "${name}"` : undefined;
}

/** Drops variations of the same name: letter case, `_`, `-` and `.`. */
function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[_.-]/g, '');
}

/** Drops what differs between one and several: `categories`, `category`. */
function singular(name: string): string {
  return name.replace(/(ies|y|s)$/, '');
}

/** Returns the only field whose name begins so: `desc`. */
function beginning(folded: string, fields: CriteriaFields): string | undefined {
  const found = folded.length < SHORT_NAME ? [] : fields.list.filter(({ name }) => foldName(name).startsWith(folded));
  return found.length === 1 ? found[0]?.name : undefined;
}

/** Returns the field that was probably intended by an unknown name; undefined if none is similar. */
export function suggestField(name: string, fields: CriteriaFields): string | undefined {
  const folded = foldName(name);
  // Elasticsearch's `_score` is the relevance, and no rating.
  if (OPERATOR_IN_NAME.test(name) || name.startsWith('_')) return undefined;
  const same =
    fields.list.find((field) => foldName(field.name) === folded) ??
    fields.list.find((field) => singular(foldName(field.name)) === singular(folded)) ??
    fields.find(SYNONYMS.get(folded.replace(/s$/, '')) ?? '');
  if (same !== undefined || QUALIFIER.test(folded)) return same?.name;
  const positive = folded.replace(NEGATED_NAME, '');
  if (positive !== folded && fields.list.some((field) => foldName(field.name) === positive)) return undefined;
  return nearest(folded, fields) ?? beginning(folded, fields);
}

function nearest(folded: string, fields: CriteriaFields): string | undefined {
  let best: string | undefined;
  let least = (folded.length <= SHORT_NAME ? 1 : 2) + 1;
  for (const field of fields.list) {
    const distance = editDistance(folded, foldName(field.name), least);
    if (distance < least) [best, least] = [field.name, distance];
  }
  return best;
}

/**
 * Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, replacements and swaps of neighbours.
 * Words whose lengths differ by `bound` or more are not compared: the result is `bound`.
 */
export function editDistance(left: string, right: string, bound: number): number {
  if (Math.abs(left.length - right.length) >= bound) return bound;
  let twoAgo: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = nextRow(left, right, row, previous, twoAgo);
    twoAgo = previous;
    previous = current;
  }
  return Math.min(previous[right.length] ?? bound, bound);
}

function nextRow(left: string, right: string, row: number, previous: number[], twoAgo: number[]): number[] {
  const current = [row];
  for (let column = 1; column <= right.length; column++) {
    const replaced = at(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
    const least = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, replaced);
    const swapped = row > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
    current.push(swapped ? Math.min(least, at(twoAgo, column - 2) + 1) : least);
  }
  return current;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
