import { CarbonError } from './carbon-error.js';

/**
 * The service answered with a problem document (RFC 9457). Every code has a class of its own below this one; this one
 * itself stands for codes that are newer than the client.
 */
export class ProblemError<Code extends string = string> extends CarbonError<Code> {
  override readonly name: string = 'ProblemError';
}
