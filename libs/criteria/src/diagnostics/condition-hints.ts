import { clauseHint, encodedHint, stageHint, statementHint } from './clauses.js';
import type { Explanation, Hint, Proposal } from './criteria-error.js';
import { worded } from './proposals.js';
import { because, firstCondition, repaired, write } from './repairs.js';
import { echo } from './snippet.js';
import {
  afterSpace,
  bare,
  type FailedText,
  nameAt,
  operatorOf,
  phraseEnd,
  quote,
  RUN_ENDS,
  scalarOf,
} from './source.js';

/** The maximum distance of the error to the field and to the end of its condition, in characters. */
const REACH = 160;
const CLAUSE_REACH = 30;
const FIELD = '([\\p{L}\\p{N}_.-]{1,80})';
const BETWEEN = new RegExp(
  `${FIELD}(?:\\s{1,9}is)?(\\s{1,9}(?:not\\s{1,9})?between)\\s{1,9}(?:symmetric\\s{1,9})?\\(?\\s{0,9}([^\\s,()]{1,40})\\s{0,9}(?:,|;|[-–—]|\\bto\\b|\\band\\b)\\s{0,9}([^\\s,()]{1,40})`,
  'iu',
);
const LIST = new RegExp(
  `${FIELD}(\\s{1,9}(?:not\\s{1,9})?in\\b|\\s{0,9}[∈∉])\\s{0,9}(?:[([{]([^()[\\]{}]{1,120})[)\\]}](?=$|[\\s)])|([^()[\\]{}]{1,120}?)(?=$|\\s(?:and|or|not)\\s))`,
  'iu',
);
const INTERVAL = new RegExp(
  `${FIELD}(\\s{0,9}[:=]\\s{0,9}|\\s{1,9}in\\s{0,9})([([{])\\s{0,9}([^\\s()[\\]{}]{1,40}?)\\s{0,9}(to\\b|\\.\\.|[-–—]|,)\\s{0,9}([^\\s()[\\]{}]{1,40})\\s{0,9}([)\\]}])`,
  'iu',
);
/** Between the entries of a list: a comma, another separator, or white space between quotes. */
const ENTRY_END = /\s*(?:[,;]|\bor\b)\s*|(?<=["'])\s+(?=["'])/i;
const OPERAND = /^(any|some|all)\s{0,9}\(\s{0,9}(?:array\s{0,9})?\[?([^()[\]]{1,120})\]?\s{0,9}\)/i;
const ANY_OF_FIELD =
  /^("[^"]{1,80}"|'[^']{1,80}'|[\w.-]{1,80})\s{0,9}=\s{0,9}any\s{0,9}\(\s{0,9}([\w.]{1,80})\s{0,9}\)/i;

/** `vintages/any(v: v ge 2015)`; with `ne` it means something else than `!=` here. */
const LAMBDA =
  /^(\w{1,80})\/any\(\s{0,9}(\w{1,20})\s{0,9}:\s{0,9}\2\s{1,9}(eq|gt|ge|lt|le)\s{1,9}([^\s()]{1,80})\s{0,9}\)/i;

type Explain = (failed: FailedText, error: Explanation) => Hint | undefined;

/** The hints that look at more than the token that breaks a rule; the first one counts. */
const HINTS: readonly Explain[] = [
  statement,
  ({ text, fields }) => encodedHint(text, fields),
  ({ text, fields }, { position }) => stageHint(text, position, fields),
  clause,
  run,
  apostrophe,
  quotedName,
  anyOf,
  between,
  list,
  interval,
];

/** Returns the hint for a whole condition of another language around a syntax error; undefined if there is none. */
export function conditionHint(failed: FailedText, error: Explanation): Hint | undefined {
  for (const hint of HINTS) {
    const found = hint(failed, error);
    if (found !== undefined) return found;
  }
  return undefined;
}

function statement({ text, fields }: FailedText, { position }: Explanation): Hint | undefined {
  const hint = statementHint(text, fields);
  return position <= afterSpace(text, 0) + 1 || typeof hint === 'object' ? hint : undefined;
}

function clause({ text, start, before, fields }: FailedText, { position }: Explanation): string | undefined {
  const name = /\$?\w{1,9}\s{0,9}[:=]\s{0,9}$/.exec(text.slice(Math.max(0, position - CLAUSE_REACH), position))?.[0]
    .length;
  const places = [
    start,
    position,
    ...(before ? [before.position] : []),
    ...(name === undefined ? [] : [position - name]),
  ];
  return places
    .filter((place) => place >= 0)
    .map((place) => clauseHint(text, place, fields))
    .find((hint) => hint !== undefined);
}

/** `price < 5 USD`, `price < 1,000`, `vintages: 2015 - 2018`: a number, date or range of several words. */
function run({ text, before, fields }: FailedText, { position }: Explanation): Proposal | undefined {
  const field = before && fields.find(before.field);
  if (before === undefined || field === undefined) return undefined;
  const end = phraseEnd(text, before.operandAt, RUN_ENDS);
  const value = text.slice(before.operandAt, end);
  const mayBeList = before.kind !== 'value' && /^\d+,\d{1,2}$/.test(value);
  const repair = position < before.operandAt || position > end || mayBeList ? undefined : repaired(field, value);
  const sign = text.slice(before.position + nameAt(text, before.position).length, before.operandAt);
  const rewrite = repair && write(`${field.name}${sign}${repair.written}`, fields);
  return rewrite && worded(rewrite, '', because(repair));
}

/** `'Côte d'Ivoire'`: an apostrophe between letters ends no value. */
function apostrophe({ text, before, fields }: FailedText, { position }: Explanation): Proposal | undefined {
  const value = scalarOf(before);
  if (before === undefined || value === undefined || text.charAt(value.position) !== "'") return undefined;
  if (value.text === '' || position !== value.position + value.length || !/\p{L}/u.test(text.charAt(position)))
    return undefined;
  const rest = /^[^"]{0,120}?'(?=[\s)]|$)/.exec(text.slice(position, position + REACH))?.[0];
  if (rest === undefined) return undefined;
  const content = text.slice(value.position + 1, position + rest.length - 1);
  return write(`${text.slice(before.position, before.operandAt)}${quote(content)}`, fields);
}

/** `"ticker" = x`, as some databases quote a name. */
function quotedName({ text, fields }: FailedText, { position }: Explanation): Proposal | undefined {
  const [quoted, , name = ''] = /^(["`])([\w.]{1,80})\1/.exec(text.slice(position, position + REACH)) ?? [];
  if (quoted === undefined || fields.find(name) === undefined) return undefined;
  const rest = `${name}${text.slice(position + quoted.length)}`;
  const condition = firstCondition(rest);
  return condition && write(echo(rest.slice(0, condition.length)), fields);
}

/** `ticker = any ('BCT', 'NCT')`, `'forestry' = any(categories)`, `vintages/any(v: v ge 2015)`. */
function anyOf({ text, before, fields }: FailedText, { position }: Explanation): Proposal | undefined {
  for (const place of [before?.position ?? position, position]) {
    const source = text.slice(place, place + REACH);
    const [whole = '', value, name = ''] = ANY_OF_FIELD.exec(source) ?? [];
    if (fields.find(name) !== undefined) {
      const rewrite = write(`${name} = ${value}`, fields);
      return rewrite && { ...rewrite, range: { position: place, length: whole.length } };
    }
    const [, many, , relation, bound] = LAMBDA.exec(source) ?? [];
    if (many !== undefined) return write(`${many} ${relation} ${bound}`, fields);
  }
  const [, word = '', values] = OPERAND.exec(text.slice(before?.operandAt, (before?.operandAt ?? 0) + REACH)) ?? [];
  if (before === undefined || values === undefined) return undefined;
  const operator = operatorOf(text, before);
  const isOneOf = operator === '=' && !/^all$/i.test(word);
  const isNoneOf = /^(!=|<>)$/.test(operator) && /^all$/i.test(word);
  return isOneOf || isNoneOf ? write(`${before.field} ${isOneOf ? 'in' : 'not in'} (${values})`, fields) : undefined;
}

function between(failed: FailedText, error: Explanation): Proposal | undefined {
  const match = around(BETWEEN, failed, error);
  const [whole = '', name, words, low, high] = match ?? [];
  // `between 1,5 and 2,5` has decimals, and its first comma ends no bound.
  const isDecimal =
    /\d,\d+$/.test(whole) && /^\s{1,9}and\s{1,9}\d/i.test(failed.text.slice((match?.index ?? 0) + whole.length));
  return name && !isDecimal ? write(`${name}${words} ${low} and ${high}`, failed.fields) : undefined;
}

/** `ticker in BCT, NCT`, `vintages ∈ {2015; 2016}`. */
function list(failed: FailedText, error: Explanation): Proposal | undefined {
  const [whole = '', name = '', words = '', enclosed, open] = around(LIST, failed, error) ?? [];
  const brackets = whole.slice(name.length + words.length).trim();
  const field = failed.fields.find(name);
  const source = enclosed ?? open ?? '';
  // An interval of mathematics, or decimals with a comma.
  const isInterval = isHalfOpen(brackets) && /[,;–—-]|\.\.|\sto\s/i.test(source);
  if (isInterval || (source.includes(';') && /\d,\d/.test(source))) return undefined;
  const entries = source === '' ? undefined : source.trim().split(ENTRY_END);
  if (field === undefined || entries === undefined) return undefined;
  // Words side by side in parentheses may be one value or several.
  const isSplit = enclosed === undefined;
  const written = entries.map((entry) => {
    if (!/\s/.test(entry) || /^(["']).*\1$/.test(entry)) return entry;
    return /\sto\s/i.test(entry) ? undefined : (repaired(field, entry)?.written ?? (isSplit ? bare(entry) : undefined));
  });
  if (written.includes(undefined)) return undefined;
  return write(`${name} ${/not|∉/i.test(words) ? 'not in' : 'in'} (${written.join(', ')})`, failed.fields);
}

/** `[2015-2018]`, and the half-open intervals of mathematics, of which `[5, 10)` can be nothing else. */
function interval(failed: FailedText, error: Explanation): Proposal | undefined {
  const match = around(INTERVAL, failed, error);
  const [whole = '', name = '', sign = '', opener = '', low = '', separator, high = '', closer = ''] = match ?? [];
  const field = failed.fields.find(name);
  const mayBeList = /^(?:,|\.\.)$/.test(separator ?? '') && !isHalfOpen(opener + closer);
  if (field === undefined || (opener === '(' && closer === ')') || mayBeList) return undefined;
  const bound = (text: string) => repaired(field, text)?.written ?? text;
  const open = opener === '(' ? '{' : opener;
  const proposal = write(
    `${name}${/in/i.test(sign) ? ':' : sign}${open}${bound(low)} TO ${bound(high)}${closer === ')' ? '}' : closer}`,
    failed.fields,
  );
  if (proposal === undefined || match === null) return undefined;
  return { ...proposal, range: { position: match.index, length: whole.length } };
}

/** Whether brackets are those of an interval with one of its bounds: two different ones. */
function isHalfOpen(text: string): boolean {
  return /^[([{].*[)\]}]$/.test(text) && !['()', '[]', '{}'].includes(text.charAt(0) + text.charAt(text.length - 1));
}

const MAX_MATCHES = 8;

/** Returns the match of a form that an error is within; its index counts from the start of the whole text. */
function around(form: RegExp, { text }: FailedText, { position, length }: Explanation): RegExpExecArray | null {
  const end = position + REACH;
  let from = Math.max(0, position - REACH);
  for (let matches = 0; matches < MAX_MATCHES; matches += 1) {
    const match = form.exec(text.slice(from, end));
    if (match === null) return null;
    match.index += from;
    const isAround = match.index <= position && match.index + match[0].length >= position + Math.min(length, 1);
    if (isAround) return afterSpace(text, match.index) === match.index ? match : null;
    from = match.index + match[0].length;
  }
  return null;
}
