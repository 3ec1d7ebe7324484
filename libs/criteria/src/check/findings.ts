import {
  type Advice,
  type CriteriaError,
  type CriteriaErrorCode,
  criteriaError,
  type Span,
} from '../errors/criteria-error.js';
import type { CriteriaLimits } from '../limits.js';
import { effortOf } from './pattern-effort.js';

/** Collects mistakes of meaning, up to a limit; they do not stop the check. */
export class Findings {
  readonly errors: CriteriaError[] = [];
  private patterns = 0;
  private effort = 0;

  constructor(readonly limits: CriteriaLimits) {}

  get isFull(): boolean {
    return this.errors.length >= this.limits.errors;
  }

  /** Counts one pattern more; the first beyond the limit is noted, the others are as well beyond it. */
  countPattern(span: Span): boolean {
    this.patterns++;
    if (this.patterns === this.limits.patterns + 1) {
      this.add('TOO_MANY_PATTERNS', span, `more than ${this.limits.patterns} patterns with wildcards`);
    }
    return this.patterns <= this.limits.patterns;
  }

  /** Whether the effort of one pattern more leaves the index within the limit. */
  spendEffort(pattern: string): boolean {
    const { patternEffort } = this.limits;
    this.effort += effortOf(pattern, patternEffort - this.effort);
    return this.effort <= patternEffort;
  }

  /** Notes a mistake. Returns nothing, as the checked node that could not be made. */
  add(code: CriteriaErrorCode, span: Span, detail: string, advice?: Advice): undefined {
    if (!this.isFull) this.errors.push(criteriaError(code, span, detail, advice));
    return undefined;
  }
}
