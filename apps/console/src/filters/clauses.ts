import { OPERATOR_WORDS, type Token, tokensOf } from '../search/criteria-tokens.js';

const CONNECTOR = /^(?:and|&&)$/i;
const NEGATION = /^(?:not|!|-)$/i;
/** What follows the name of a field. */
const OPERATOR = new RegExp(`^(?:[:=<>]|[<>!]=|not|is|eq|ne|[gl](?:e|te?)|${OPERATOR_WORDS.join('|')})$`, 'i');

/** The conditions that must all hold, each as it is written. A text of alternatives is one, in parentheses. */
export function clausesOf(criteria: string): readonly string[] {
  const text = criteria.trim();
  if (text === '') return [];
  const tokens = tokensOf(text);
  const is = (n: number, pattern: RegExp) => {
    const token = tokens[n];
    return token !== undefined && token.kind !== 'string' && pattern.test(token.text);
  };
  let depth = 0;
  let isBetween = false;
  /** Whether the last token may end a condition. */
  let isEnd = false;
  const joints: Pick<Token, 'from' | 'to'>[] = [];
  for (const [n, token] of tokens.entries()) {
    if (is(n, /^\)$/)) depth -= 1;
    if (depth === 0) {
      if (is(n, /^(?:or|\|\|)$/i)) return [`(${text})`];
      const isConnector = is(n, CONNECTOR);
      const isName: boolean =
        token.kind === 'word' && (isEnd || !is(n - 1, OPERATOR)) && !isConnector && is(n + 1, OPERATOR);
      const isBegin: boolean = isName || is(n, NEGATION) || is(n, /^\($/);
      if (isConnector && !isBetween) joints.push(token);
      // Two conditions side by side must both hold.
      if (isBegin && isEnd) joints.push({ from: token.from, to: token.from });
      if (is(n, /^between$/i)) isBetween = true;
      else if (isConnector) isBetween = false;
      isEnd = is(n, /^exists$/i) || !(isConnector || isBegin || is(n, OPERATOR));
    }
    if (is(n, /^\($/)) depth += 1;
  }
  const starts = [0, ...joints.map(({ to }) => to)];
  return starts.map((from, n) => text.slice(from, joints[n]?.from).trim());
}

/** Signs that mean the same on fields with a facet: none of these fields is searched by words. */
const EQUALS: ReadonlySet<string> = new Set([':', '=']);

/**
 * A clause in one spelling: `country: brazil` and `country = "Brazil"` are the same. Only a field with one whole value has
 * other spellings here; the rest is compared as it is written.
 */
function spelled(clause: string): string {
  const [field, sign, value, ...rest] = tokensOf(clause);
  const isEqual = field?.kind === 'word' && EQUALS.has(sign?.text ?? '') && value !== undefined && rest.length === 0;
  // Wildcards, escapes and `null` mean something else in quotes.
  if (!isEqual || /[*?\\]|^null$/i.test(value.text)) return clause;
  return `${field.text} = "${value.text.replace(/^(["'])(.*)\1$/s, '$2')}"`.toLowerCase();
}

/** Whether a clause is one of the conditions that must all hold. */
export function hasClause(criteria: string, clause: string): boolean {
  return clausesOf(criteria).some((other) => spelled(other) === spelled(clause));
}

/** Returns valid criteria with a clause as a further condition, or without it where it is one already. */
export function toggled(criteria: string, clause: string): string {
  const clauses = clausesOf(criteria);
  const others = clauses.filter((other) => spelled(other) !== spelled(clause));
  return (others.length < clauses.length ? others : [...clauses, clause]).join(' and ');
}
