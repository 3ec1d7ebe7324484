import type { CheckedNode } from '../check/typed-tree.js';
import type { QueryClause } from '../compile/compile-criteria.js';
import { compileCriteria } from '../compile/compile-criteria.js';
import { fold } from './fold.js';
import type { Written } from './written.js';

/** A compiler with one bug. The comparison with the reference must detect each, or it proves little. */
export interface Mutant {
  readonly name: string;
  /** Returns the query of the faulty compiler from the correct one. */
  spoil(query: QueryClause, written: Written): QueryClause;
}

type Clause = Readonly<Record<string, unknown>>;
type Bool = Readonly<Record<'filter' | 'must_not' | 'should', readonly Clause[] | undefined>>;

/** The bugs, by what the compiler does wrong. */
export const MUTANTS: readonly Mutant[] = [
  mutant(
    'takes > for >=',
    onRanges((bounds) => renamed(bounds, 'gte', 'gt')),
  ),
  mutant(
    'takes <= for <',
    onRanges((bounds) => ('format' in bounds ? bounds : renamed(bounds, 'lt', 'lte'))),
  ),
  mutant('drops what must not be', onBools(withoutMustNot)),
  mutant(
    'looks for any of the words instead of all in a row',
    onKind('match_phrase', (body) => ({ match: body })),
  ),
  { name: 'leaves the words of a pattern unfolded', spoil: withUnfoldedWords },
  mutant('does not escape a literal * in a pattern', unescaped),
  mutant(
    'takes the first moment after a period in',
    onRanges((bounds) => ('format' in bounds ? renamed(bounds, 'lt', 'lte') : bounds)),
  ),
  mutant(
    'joins alternatives as what must all hold',
    onBools(({ should, ...rest }) => ({ bool: should ? { filter: should } : rest })),
  ),
  mutant('puts alternatives next to a filter, where they are optional', onBools(withShouldBeside)),
  mutant('merges ranges of one field', onBools(withMergedRanges)),
  mutant(
    'asks the whole value of a text whether it is there',
    onKind('exists', (body) => ({
      exists: { field: /^(name|notes)$/.test(String(body.field)) ? `${body.field}.exact` : body.field },
    })),
  ),
  mutant(
    'takes the first of several values only',
    onKind('terms', (body) => ({ terms: onValue(body, (values) => (values as readonly unknown[]).slice(0, 1)) })),
  ),
  mutant(
    'takes ? for *',
    onKind('wildcard', (body) => ({ wildcard: onPattern(body, (text) => text.replaceAll(/(?<!\\)\?/g, '*')) })),
  ),
  mutant('asks the words of a text for its whole value', (clause) => {
    return JSON.parse(JSON.stringify(clause).replaceAll('.exact":', '":')) as Clause;
  }),
];

function mutant(name: string, change: (clause: Clause) => Clause): Mutant {
  return { name, spoil: (query) => eachClause(query, change) };
}

/** Changes every clause of a query, the inner ones first. */
function eachClause(clause: Clause, change: (clause: Clause) => Clause): Clause {
  if (!('bool' in clause)) return change(clause);
  const parts = Object.entries(clause.bool as object).map(([occurs, inner]) => [
    occurs,
    Array.isArray(inner) ? inner.map((each: Clause) => eachClause(each, change)) : inner,
  ]);
  return change({ bool: Object.fromEntries(parts) });
}

function onKind(kind: string, change: (body: Clause) => Clause) {
  return (clause: Clause) => (kind in clause ? change(clause[kind] as Clause) : clause);
}

function onBools(change: (bool: Bool) => Clause) {
  return onKind('bool', (body) => change(body as Bool));
}

function onRanges(change: (bounds: Clause) => Clause) {
  return onKind('range', (body) => ({ range: onValue(body, (bounds) => change(bounds as Clause)) }));
}

/** Changes the value under the field's name. */
function onValue(body: Clause, change: (value: unknown) => unknown): Clause {
  return Object.fromEntries(Object.entries(body).map(([field, value]) => [field, change(value)]));
}

function onPattern(body: Clause, change: (text: string) => string): Clause {
  return onValue(body, (inner) => ({ value: change((inner as { readonly value: string }).value) }));
}

function renamed(bounds: Clause, from: string, to: string): Clause {
  const { [from]: bound, ...others } = bounds;
  return bound === undefined ? bounds : { ...others, [to]: bound };
}

function withoutMustNot({ must_not: _, ...rest }: Bool): Clause {
  return Object.keys(rest).length === 0 ? { match_all: {} } : { bool: rest };
}

function unescaped(clause: Clause): Clause {
  if ('wildcard' in clause) {
    return { wildcard: onPattern(clause.wildcard as Clause, (text) => text.replaceAll(/\\([*?])/g, '$1')) };
  }
  if (!('prefix' in clause) || !JSON.stringify(clause).includes('*')) return clause;
  return { wildcard: onPattern(clause.prefix as Clause, (text) => `${text}*`) };
}

function withShouldBeside({ filter = [], ...rest }: Bool): Clause {
  const isChoice = ({ bool }: Clause) => bool !== undefined && (bool as Bool).should !== undefined;
  const choice = filter.find(isChoice);
  if (choice === undefined || filter.length < 2) return { bool: { ...(filter.length > 0 && { filter }), ...rest } };
  const { should } = choice.bool as Bool;
  return { bool: { ...rest, filter: filter.filter((clause) => clause !== choice), should } };
}

function withMergedRanges({ filter = [], ...rest }: Bool): Clause {
  const merged = new Map<string, Clause>();
  const others = filter.filter((clause) => {
    const [field, bounds] = Object.entries((clause.range as Clause | undefined) ?? {})[0] ?? [];
    if (field !== undefined) merged.set(field, narrowed(merged.get(field), bounds as Clause));
    return field === undefined;
  });
  const ranges = [...merged].map(([field, bounds]) => ({ range: { [field]: bounds } }));
  const all = [...others, ...ranges];
  return { bool: { ...(all.length > 0 && { filter: all }), ...rest } };
}

/** A range has one bound on each side; the later one wins. */
function narrowed(earlier: Clause = {}, later: Clause): Clause {
  const sides = [
    ['gt', 'gte'],
    ['lt', 'lte'],
  ].filter((side) => side.some((relation) => relation in later));
  const kept = Object.entries(earlier).filter(([relation]) => !sides.flat().includes(relation));
  return { ...Object.fromEntries(kept), ...later };
}

/** The meaning still has the letters as typed; folding them changes nothing if the index folds them anyway. */
function withUnfoldedWords(query: QueryClause, { meaning }: Written): QueryClause {
  return hasUnfoldedWords(meaning) ? compileCriteria(meaning) : query;
}

function hasUnfoldedWords(node: CheckedNode): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.terms.some(hasUnfoldedWords);
    case 'not':
      return hasUnfoldedWords(node.term);
    case 'pattern':
      return node.on === 'word' && fold(node.pattern) !== node.pattern;
    default:
      return false;
  }
}
