import type { CriteriaFields } from '../fields.js';
import { isDigit } from '../text/characters.js';
import { type Explanation, explanation, type Proposal } from './criteria-error.js';
import { FOREIGN_SIGNS, negated, translationOf } from './dialects.js';
import { endsInConnector, JOINS_HINT, UNEQUAL } from './language-words.js';
import { firstCondition, write } from './repairs.js';
import { echo } from './snippet.js';
import { afterSpace, type FailedText, foreignCondition, literalAt, type Name, nameAt, scalarOf } from './source.js';
import { finds, ilike, matches, type Translate } from './text-translations.js';

/** An operator for matches in other languages: `~`, `~*`, `!~`. */
const MATCH_SIGN = /~[!=~*]{0,2}|!~[!=~*]{0,2}/y;

/** Functions that change nothing here, because letter case does not matter. */
const CASE_FUNCTION = /^(to)?(lower|upper)(case)?$|^[lu]case$/i;

/** A call that is compared with its truth: `contains(name, 'x') eq false`. */
const IS_FALSE = /^\([^()]*\)\s{0,9}(?:(?:==?|:|eq\b)\s{0,9}(?:false|0)|(?:!=|<>|ne\b)\s{0,9}(?:true|1))\b/i;
const METHOD = /^(.{1,80}?)(?:\.str|\.dt)?\.(\w{1,40})$/;
const MAX_CALL = 160;
/** Finds the expression within the value, unlike the `matches` of other languages. */
const KUSTO_REGEX = /^matches\s{1,9}regex\b/i;
/** A function whose call stands for a value; `MoreThan(5)` does not. */
const VALUE_FUNCTION =
  /^(?:now|ago|today|getdate|sysdate|current_\w+|(?:to_?|str_to_)?date\w*|timestamp|startof\w*|endof\w*|l?trim|lower|upper|(?:to)?(?:string|number|int|float|decimal)|cast|convert)$/i;
const NO_FUNCTIONS = 'there are no functions: a condition is a field, an operator and a value';

/** Explains an operator of another language that consists of symbols; undefined if the text has none at a position. */
export function foreignSign(
  failed: FailedText,
  position: number,
  length: number,
  name: string,
): Explanation | undefined {
  const sign = failed.text.slice(position, position + length);
  const translate = FOREIGN_SIGNS.get(sign.toLowerCase());
  if (translate === undefined) return undefined;
  const detail = sign.length > 3 ? `"${sign}" is RSQL/FIQL` : `"${sign}" is no operator here`;
  const hint = translate(foreignCondition(failed, name, position + length));
  return explanation('UNSUPPORTED_SYNTAX', { position, length: sign.length }, detail, { hint });
}

/**
 * Explains a call of a function, as in `contains(name, "x")`; undefined if the parenthesis opens a term next to a
 * single word, or a list next to a field.
 */
export function foreignCall({ text, at, fields }: FailedText, name: Name): Explanation | undefined {
  if (text.charAt(at) !== '(') return undefined;
  // `name.startsWith("x")` is a method of its field.
  const [, owner = '', method] = METHOD.exec(name.text) ?? [];
  const isMethod = method !== undefined && fields.find(owner) !== undefined;
  const translate = translationOf(isMethod ? method : name.text);
  if (translate === undefined && at > name.position + name.length) return undefined;
  const argument = isMethod ? owner : nameAt(text, at + 1);
  const comma = isMethod ? at : afterSpace(text, afterSpace(text, at + 1) + argument.length);
  const value = isMethod || text.charAt(comma) === ',' ? literalAt(text, comma + 1)?.text : undefined;
  const isFolded = CASE_FUNCTION.test(name.text) && text.charAt(comma) === ')' && fields.find(argument) !== undefined;
  const not = IS_FALSE.test(text.slice(at, at + MAX_CALL)) ? 'not ' : '';
  const condition = { name: `${not}${echo(argument) || 'field'}`, field: fields.find(argument), value, list: '' };
  const hint = isFolded
    ? unfolded(`${argument} ${text.slice(afterSpace(text, comma + 1))}`, not, fields)
    : (translate?.(condition) ?? (endsInConnector(name.text) ? JOINS_HINT : NO_FUNCTIONS));
  const span = { position: name.position, length: at + 1 - name.position };
  return explanation('UNSUPPORTED_SYNTAX', span, `${echo(name.text)}(…) is not a function here`, { hint });
}

/** `listedAt > now()`, `listedAt > ago(30d)`: the value before the parenthesis is the name of a function. */
export function functionCall({ before, start, at, fields }: FailedText): Explanation | undefined {
  const value = scalarOf(before);
  if (value === undefined || value.quoted || value.position + value.length !== start) return undefined;
  const span = { position: value.position, length: at - value.position };
  const detail = `${echo(value.text)}(…) is not a function here`;
  const isDate = fields.find(before?.field ?? '')?.type === 'date';
  const hint = VALUE_FUNCTION.test(value.text)
    ? `use the value itself${isDate ? '; there are no relative dates' : ''}`
    : NO_FUNCTIONS;
  return explanation('UNSUPPORTED_SYNTAX', span, detail, { hint });
}

/** Explains a call by its first argument, at a position; undefined where that is no argument. */
export function callWith(failed: FailedText, argument: number): Explanation | undefined {
  const start = failed.text.slice(0, argument).trimEnd().length - 1;
  return failed.text.charAt(start) === '(' ? functionCall({ ...failed, start, at: argument }) : undefined;
}

/** `lower(name) = 'x'`: the condition without the function. */
function unfolded(text: string, not: string, fields: CriteriaFields): Proposal | undefined {
  const condition = firstCondition(text);
  return condition && write(`${not}${echo(text.slice(0, condition.length))}`, fields);
}

/** Returns the end of an operator that may have a second word: `starts with`, `similar to`, `greater than`. */
export function afterOperator(text: string, from: number): number {
  const after = afterSpace(text, from);
  return after + (/^(with|to|than)$/i.exec(nameAt(text, after))?.[0].length ?? 0);
}

/** Explains an operator that another language has, as in `name contains x` or `name ~ x`. */
export function foreignOperator(failed: FailedText, field: Name): Explanation | undefined {
  const signs = [3, 2].map((length) => foreignSign(failed, failed.at, length, field.text));
  return signs.find((error) => error !== undefined) ?? matchSign(failed, field) ?? foreignWord(failed, field);
}

/** `word~2` is a word with a distance, not a match. */
function matchSign(failed: FailedText, field: Name): Explanation | undefined {
  const { text, at: position } = failed;
  MATCH_SIGN.lastIndex = position;
  const sign = MATCH_SIGN.exec(text)?.[0];
  if (sign === undefined) return undefined;
  const { length } = sign;
  if (position === field.position + field.length && isDigit(text.charCodeAt(position + length))) return undefined;
  const condition = foreignCondition(failed, field.text, position + length);
  const isText = condition.field === undefined && /^text$/i.test(field.text);
  // PostgreSQL's `~~` is `like`, and its `~*` finds an expression within the value.
  const plain: Translate = sign.includes('~~') ? ilike : sign.includes('*') ? finds : matches;
  const translate = sign.startsWith('!') ? negated(plain) : plain;
  const otherwise = isText ? 'use the fullTextSearch parameter for free text' : translate(condition);
  const hint = sign === '~=' ? UNEQUAL : otherwise;
  return explanation('UNSUPPORTED_SYNTAX', { position, length }, `"${sign}" is not supported`, { hint });
}

function foreignWord(failed: FailedText, field: Name): Explanation | undefined {
  const { text, at: position } = failed;
  const rest = text.slice(position, position + MAX_CALL);
  const regex = KUSTO_REGEX.exec(rest)?.[0];
  const word = regex ?? /^isn['’]t\b/i.exec(rest)?.[0] ?? nameAt(text, position);
  const translate = regex === undefined ? translationOf(word) : finds;
  // `no` stands before a field: behind one it is a word of a sentence.
  if (translate === undefined || word.toLowerCase() === 'no') return undefined;
  const hint = translate(foreignCondition(failed, field.text, afterOperator(text, position + word.length)));
  return explanation('UNSUPPORTED_SYNTAX', { position, length: word.length }, `"${word}" is not supported`, { hint });
}
