import { clausesOf } from './clauses.js';

/** The bounds of a field, both included, as they are typed; empty where there is none. */
export interface BoundsText {
  readonly from: string;
  readonly to: string;
}

const NUMBER = String.raw`-?\d+(?:\.\d+)?`;

/** Reads a clause that is no more than a range or a value of a field, as the facets and people write it. */
function boundsIn(clause: string, field: string): BoundsText | undefined {
  const range = `(?<low>${NUMBER})?\\s*\\.\\.\\s*(?<high>${NUMBER})?`;
  const interval = `[[{]\\s*(?<start>${NUMBER})\\s+to\\s+(?<end>${NUMBER})\\s*[\\]}]`;
  const equal = `(?:==|:=|[:=]|eq\\b)\\s*(?:${range}|${interval}|(?<same>${NUMBER}))`;
  const least = `(?::?\\s*>=?|gte?|ge)\\s*(?<least>${NUMBER})`;
  const most = `(?::?\\s*<=?|lte?|le)\\s*(?<most>${NUMBER})`;
  const between = `between\\s+(?<lower>${NUMBER})\\s+and\\s+(?<upper>${NUMBER})`;
  const form = new RegExp(`^${field}\\s*(?:${equal}|${between}|${least}|${most})$`, 'i');
  const found = form.exec(clause)?.groups;
  if (found === undefined) return undefined;
  const { low, high, start, end, lower, upper, same } = found;
  return {
    from: low ?? start ?? lower ?? same ?? found.least ?? '',
    to: high ?? end ?? upper ?? same ?? found.most ?? '',
  };
}

/** Returns the bounds of a field among the conditions that must all hold; the first lower and the first upper one. */
export function boundsOf(criteria: string, field: string): BoundsText {
  const found = clausesOf(criteria).flatMap((clause) => boundsIn(clause, field) ?? []);
  const first = (name: keyof BoundsText) => found.map((bounds) => bounds[name]).find((bound) => bound !== '') ?? '';
  return { from: first('from'), to: first('to') };
}

/** Whether a clause of a field, a value or a half-open interval, selects something within bounds; never where there are none. */
export function overlaps(clause: string, field: string, { from, to }: BoundsText): boolean {
  const own = boundsIn(clause, field);
  if (own === undefined || (from === '' && to === '')) return false;
  const [low, high] = [Number(own.from || '-Infinity'), Number(own.to || 'Infinity')];
  const isAbove = from === '' || high > Number(from) || (low === high && low === Number(from));
  return isAbove && (to === '' || low <= Number(to));
}

/** Returns valid criteria with these bounds of a field in place of those that it has; the lower one comes first. */
export function bounded(criteria: string, field: string, bounds: BoundsText): string {
  const others = clausesOf(criteria).filter((clause) => boundsIn(clause, field) === undefined);
  return [...others, ...rangeClause(field, bounds)].join(' and ');
}

function rangeClause(field: string, { from, to }: BoundsText): readonly string[] {
  if (from === '' && to === '') return [];
  if (to === '') return [`${field} >= ${from}`];
  if (from === '') return [`${field} <= ${to}`];
  const [low, high] = Number(from) <= Number(to) ? [from, to] : [to, from];
  return [low === high ? `${field} = ${low}` : `${field}: ${low}..${high}`];
}
