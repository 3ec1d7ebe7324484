import { type Token, tokensOf } from '../search/criteria-tokens.js';

/** The conditions that must all hold, each as it is written. A text of alternatives is one, in parentheses. */
export function clausesOf(criteria: string): readonly string[] {
  const text = criteria.trim();
  if (text === '') return [];
  let depth = 0;
  let isBetween = false;
  const joints: Token[] = [];
  for (const token of tokensOf(text).filter(({ kind }) => kind !== 'string')) {
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    if (depth > 0) continue;
    // Also inside `1||price`: a word ends at a space.
    if (/^or$|\|\|/i.test(token.text)) return [`(${text})`];
    if (/^between$/i.test(token.text)) isBetween = true;
    else if (/^(?:and|&&)$/i.test(token.text)) {
      if (!isBetween) joints.push(token);
      isBetween = false;
    }
  }
  const starts = [0, ...joints.map(({ to }) => to)];
  return starts.map((from, n) => text.slice(from, joints[n]?.from).trim());
}

/** The signs that mean the same on every field with a facet, for none of them is searched by words. */
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
