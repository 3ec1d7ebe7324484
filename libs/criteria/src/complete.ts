import { checkCriteria } from './check/check.js';
import { printString } from './compile/print-criteria.js';
import type { CriteriaField, CriteriaFields, CriteriaFieldType } from './fields.js';
import { DEFAULT_LIMITS } from './limits.js';
import { CRITERIA_OPERATORS, NEGATED_OPERATORS, OPERATOR_WORDS, OPERATORS } from './operators.js';
import { parseCriteria } from './parse/parse.js';

/** What may stand at a caret. */
export interface Completion {
  /** The text to insert. */
  readonly insert: string;
  readonly kind: 'field' | 'operator' | 'keyword' | 'value';
  /** Where the text begins that it replaces, in UTF-16 code units; it ends at the caret. */
  readonly from: number;
}

/** A place where a value of a field may stand, and what of it is typed already. */
export interface ValuePlace {
  readonly field: CriteriaField;
  readonly from: number;
  /** Without the quote that opens it. */
  readonly typed: string;
}

/** The completions at a caret that do not depend on the library, and where its values may stand. */
export interface Completions {
  readonly tokens: readonly Completion[];
  readonly values: readonly ValuePlace[];
}

const SIGNS = CRITERIA_OPERATORS.filter(
  (name) => OPERATORS[name].spellings.length > 0 && !OPERATOR_WORDS.includes(name),
);
const NEGATED = [...NEGATED_OPERATORS.keys()].map((name) => `not ${name}`);
const WORDS = [...OPERATOR_WORDS, 'is null', 'is not null', ...NEGATED];
const JOINTS = ['and', 'or'];
const KEYWORDS = ['not', '(', ')', ','];

/** Values of each type, the second of two above every other: as the upper bound of a range it is in order. */
const SAMPLES: Readonly<Record<CriteriaFieldType, readonly string[]>> = {
  keyword: ['"x"'],
  text: ['"x"'],
  address: [`0x${'0'.repeat(40)}`],
  number: ['1', '99999999'],
  integer: ['1', '99999999'],
  date: ['2020-01-01', '9999-12-31'],
  boolean: ['true'],
};

/**
 * One of these completes every valid beginning, followed by the parentheses that are open. The parser itself so decides
 * what may stand at a caret: there is no second grammar. @param field the last one that the beginning names
 */
function endingsAfter(field: CriteriaField | undefined, { list }: CriteriaFields): readonly string[] {
  if (field === undefined) return ['', ` ${list[0]?.name} exists`];
  const values = SAMPLES[field.type];
  const [low = '', high = low] = values;
  const operands = ['exists', 'null', `= ${low}`, `: ${low}`, `(${low})`, `in (${low})`, ...values];
  const ranges = [`${low} and ${high}`, `and ${high}`, `${low} TO ${high}]`, `TO ${high}]`, `${high}]`];
  return ['', high, ...[...operands, ...ranges, `${list[0]?.name} exists`].map((ending) => ` ${ending}`)];
}

/**
 * Returns what may stand at a caret: each completion, put in the place of what it replaces, begins valid criteria. What comes
 * after the caret does not count.
 *
 * @param caret in UTF-16 code units, at most the length of the text
 */
export function completionsAt(text: string, caret: number, fields: CriteriaFields): Completions {
  const none = { tokens: [], values: [] };
  if (caret > DEFAULT_LIMITS.length) return none;
  const before = text.slice(0, caret);
  const { text: parsed, shift } = shortened(before, fields);
  if (parsed.length > MAX_PARSED) return none;
  const moved = <T extends { readonly from: number }>(one: T) => ({ ...one, from: one.from + shift });
  const found = completionsBehind(parsed, fields);
  const [tokens, values] = [found.tokens.map(moved), found.values.map(moved)];
  if (shift === 0) return { tokens, values };
  // The conditions that were left out count towards the limits of criteria.
  const begun = [
    ...tokens.slice(0, 1).map(({ from, insert }) => before.slice(0, from) + insert),
    ...values.slice(0, 1).flatMap(({ field, from }) => SAMPLES[field.type].map((one) => before.slice(0, from) + one)),
  ];
  return begun.some((beginning) => canBegin(beginning, fields)) ? { tokens, values } : none;
}

function completionsBehind(before: string, fields: CriteriaFields): Completions {
  const caret = before.length;
  const quote = openQuote(before);
  const isBeginning = (beginning: string) => canBegin(beginning, fields);
  const places = quote === undefined ? [...new Set([wordStart(before), signStart(before), caret])] : [quote];
  // Letters directly behind a word would make it another one, and a parenthesis there reads like a call.
  const isGlued = (from: number) => from > 0 && from > wordStart(before);
  const values = places
    .filter((from) => !isGlued(from))
    .flatMap((from) => valuePlace(before, from, fields, isBeginning));
  if (quote !== undefined) return { tokens: [], values };
  const named = fields.list.map(({ name }) => ({ insert: name, kind: 'field' as const }));
  const operators = [...SIGNS, ...WORDS].map((insert) => ({ insert, kind: 'operator' as const }));
  const keyword = (insert: string) => ({ insert, kind: 'keyword' as const });
  const tokens = places.flatMap((from) => {
    const typed = before.slice(from).toLowerCase();
    return [...JOINTS.map(keyword), ...named, ...operators, ...KEYWORDS.map(keyword)]
      .filter(({ insert }) => insert.toLowerCase().startsWith(typed) && insert.length > typed.length)
      .filter(
        ({ insert }) => !(isGlued(from) && /^[a-z(]/i.test(insert)) && isBeginning(before.slice(0, from) + insert),
      )
      .map((token) => ({ ...token, from }));
  });
  return { tokens, values };
}

/** What is nearer to the caret is parsed as it is. */
const NEAR = 200;
/** How many ends of words are tried, the last first; a condition usually ends at one of them. */
const MAX_ENDS = 10;
/** Each of hundreds of candidates is parsed with the text before it; where a longer text does not become shorter, none is offered. */
const MAX_PARSED = 1_500;

/**
 * Returns the text with one or two conditions in the place of its first ones, behind which the parser takes the same, and how much
 * shorter it is. Terms side by side and an `or` exclude each other, so the new conditions are joined as the old ones are.
 */
function shortened(before: string, fields: CriteriaFields): { readonly text: string; readonly shift: number } {
  const condition = `${fields.list[0]?.name} exists`;
  const isValid = (text: string) => isValidCriteria(text, fields);
  const length = endsOutside(before.slice(0, -NEAR))
    .slice(-MAX_ENDS)
    .findLast((at) => isValid(before.slice(0, at)));
  if (length === undefined) return { text: before, shift: 0 };
  const settled = before.slice(0, length);
  const hasOr = !isValid(`${settled} ${condition}`);
  const hasNeighbours = !hasOr && !isValid(`${settled} or ${condition}`);
  const standIn = hasOr ? `${condition} or ${condition}` : hasNeighbours ? `${condition} ${condition}` : condition;
  return { text: standIn + before.slice(length), shift: length - standIn.length };
}

/** The ends of words outside quotes and parentheses. */
function endsOutside(text: string): readonly number[] {
  let depth = 0;
  return [...unquoted(text).matchAll(/(?<=\S)\s|[()[\]{}]/g)].flatMap(({ 0: sign, index }) => {
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    else if (depth === 0) return [index];
    return [];
  });
}

/** Returns a value as criteria spell it. */
export function valueText(value: string | number | boolean): string {
  return typeof value === 'string' ? printString(value) : String(value);
}

function valuePlace(
  before: string,
  from: number,
  fields: CriteriaFields,
  isBeginning: (beginning: string) => boolean,
): readonly ValuePlace[] {
  const start = before.slice(0, from);
  const field = lastField(start, fields);
  if (field === undefined) return [];
  return SAMPLES[field.type].some((value) => isBeginning(start + value))
    ? [{ field, from, typed: before.slice(from).replace(/^["']/, '') }]
    : [];
}

function canBegin(beginning: string, fields: CriteriaFields): boolean {
  const closing = ')'.repeat(openParentheses(beginning));
  return endingsAfter(lastField(beginning, fields), fields).some((ending) => {
    return isValidCriteria(beginning + ending + closing, fields);
  });
}

function isValidCriteria(text: string, fields: CriteriaFields): boolean {
  const parsed = parseCriteria(text);
  return parsed.ok && checkCriteria(parsed.value, fields).ok;
}

/** The field whose value would come next: the last one that is named outside quotes. */
function lastField(text: string, fields: CriteriaFields): CriteriaField | undefined {
  const words = unquoted(text).match(/[A-Za-z]\w*/g) ?? [];
  return words.flatMap((word) => fields.find(word) ?? []).at(-1);
}

function openParentheses(text: string): number {
  const signs = unquoted(text);
  return Math.max(0, signs.split('(').length - signs.split(')').length);
}

const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gsu;

function unquoted(text: string): string {
  return text.replace(QUOTED, (quoted) => '.'.repeat(quoted.length));
}

/** Returns where a quote begins that is still open. */
function openQuote(text: string): number | undefined {
  const at = unquoted(text).search(/["']/);
  return at < 0 ? undefined : at;
}

function wordStart(text: string): number {
  return text.length - (/[\w.-]*$/.exec(text)?.[0].length ?? 0);
}

function signStart(text: string): number {
  return text.length - (/[<>=!:]*$/.exec(text)?.[0].length ?? 0);
}
