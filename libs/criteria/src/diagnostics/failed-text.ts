import type { CriteriaFields } from '../fields.js';
import type { PredicateNode } from '../parse/nodes.js';
import type { ForeignCondition } from './dialects.js';
import { echo } from './snippet.js';
import { listAt, literalAt } from './source.js';

/** A text that the parser refuses. */
export interface FailedText {
  readonly text: string;
  /** Where the piece begins that breaks a rule. */
  readonly start: number;
  /** Where the parser stopped. */
  readonly at: number;
  /** The last complete predicate before the failure. */
  readonly before: PredicateNode | undefined;
  readonly fields: CriteriaFields;
}

/** Returns the condition of another language whose value stands at a position. */
export function foreignCondition({ text, fields }: FailedText, name: string, valueAt: number): ForeignCondition {
  const value = literalAt(text, valueAt)?.text;
  return { name: echo(name), field: fields.find(name), value, list: echo(listAt(text, valueAt)) };
}
