import {
  type Advice,
  type CriteriaError,
  type CriteriaErrorCode,
  criteriaError,
  type Span,
} from '../errors/criteria-error.js';

/** Ends the reading at the first mistake in the syntax; caught in `parse.ts` and nowhere else. */
export class SyntaxMistake extends Error {
  constructor(readonly error: CriteriaError) {
    super(error.detail);
  }
}

/** Stops the parser. */
export function mistake(code: CriteriaErrorCode, span: Span, detail: string, advice?: Advice): SyntaxMistake {
  return new SyntaxMistake(criteriaError(code, span, detail, advice));
}
