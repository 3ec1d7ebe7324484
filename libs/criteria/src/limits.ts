/** Bounds on one criteria text. All are counts; lengths are in UTF-16 units. */
export interface CriteriaLimits {
  /** Longest text that is read at all. */
  readonly length: number;
  /** Deepest nesting of parentheses, lists and prefix negations. */
  readonly depth: number;
  /** Most comparisons and list values together. OpenSearch refuses 1,025 clauses in one query. */
  readonly clauses: number;
  /** Longest single value, after its escapes are resolved. */
  readonly valueLength: number;
  /** Most wildcard patterns; each may pass over every value of a field. */
  readonly patterns: number;
  /** Most `*` in one pattern. */
  readonly patternStars: number;
  /** Most `?` in one pattern; behind a `*` each doubles what the index has to build. */
  readonly patternQuestions: number;
  /** Fewest characters that are no wildcards in any pattern. */
  readonly patternLiterals: number;
  /** The same for a pattern that starts with a wildcard. */
  readonly leadingPatternLiterals: number;
  /** Most work the index may have with all `?` behind a `*`: the sizes of the sets it makes, added up. */
  readonly patternEffort: number;
  /** Most errors reported at once. */
  readonly errors: number;
}

/** The limits that hold unless the caller sets others; OpenSearch answers well at each of them. */
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
