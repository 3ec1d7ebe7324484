import {
  type Advice,
  type CriteriaError,
  type CriteriaErrorCode,
  criteriaError,
  type Span,
} from '../errors/criteria-error.js';

/** Collects mistakes of meaning, up to a limit; they do not stop the check. */
export class Findings {
  readonly errors: CriteriaError[] = [];

  constructor(private readonly most: number) {}

  get isFull(): boolean {
    return this.errors.length >= this.most;
  }

  /** Notes a mistake. Returns nothing, as the checked node that could not be made. */
  add(code: CriteriaErrorCode, span: Span, detail: string, advice?: Advice): undefined {
    if (!this.isFull) this.errors.push(criteriaError(code, span, detail, advice));
    return undefined;
  }
}
