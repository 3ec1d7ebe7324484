import { type Token, tokensOf } from '../search/criteria-tokens.js';

/** The conditions that must all hold, each as it is written. A text of alternatives is one, in parentheses. */
function clausesOf(criteria: string): readonly string[] {
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

/** Whether a clause is one of the conditions that must all hold. */
export function hasClause(criteria: string, clause: string): boolean {
  return clausesOf(criteria).includes(clause);
}

/** Returns valid criteria with a clause as a further condition, or without it where it is one already. */
export function toggled(criteria: string, clause: string): string {
  const clauses = clausesOf(criteria);
  return (clauses.includes(clause) ? clauses.filter((other) => other !== clause) : [...clauses, clause]).join(' and ');
}
