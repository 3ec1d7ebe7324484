/** Bounds on one criteria text. All are counts; lengths are in UTF-16 code units. */
export interface CriteriaLimits {
  /** The maximum length of a text that is parsed. */
  readonly length: number;
  /** The maximum nesting of parentheses, lists and prefix negations. */
  readonly depth: number;
  /** The maximum number of comparisons and list values together. OpenSearch rejects 1,025 clauses in one query. */
  readonly clauses: number;
  /** The maximum length of a value, with its escapes resolved. */
  readonly valueLength: number;
  /** The maximum number of wildcard patterns; each may scan every value of a field. */
  readonly patterns: number;
  /** The maximum number of `*` in one pattern. */
  readonly patternStars: number;
  /** The maximum number of `?` in one pattern; after a `*` each doubles what the index has to build. */
  readonly patternQuestions: number;
  /** The minimum number of literal characters in a pattern. */
  readonly patternLiterals: number;
  /** The same for a pattern that starts with a wildcard. */
  readonly leadingPatternLiterals: number;
  /** The maximum effort of the index for all `?` after a `*`: the sum of the sizes of its sets. */
  readonly patternEffort: number;
  /** The maximum number of reported errors. */
  readonly errors: number;
}

/** The default limits; OpenSearch responds fast at each of them. */
export const DEFAULT_LIMITS: CriteriaLimits = Object.freeze({
  length: 4096,
  depth: 16,
  clauses: 256,
  valueLength: 256,
  patterns: 8,
  patternStars: 4,
  patternQuestions: 8,
  patternLiterals: 1,
  leadingPatternLiterals: 3,
  patternEffort: 20_000,
  errors: 10,
});

/** Completes partly given limits with the defaults. */
export function withDefaults(limits?: Partial<CriteriaLimits>): CriteriaLimits {
  return limits === undefined ? DEFAULT_LIMITS : { ...DEFAULT_LIMITS, ...limits };
}
