import type { CriteriaField } from '../fields.js';
import type { CriteriaLimits } from '../limits.js';
import type { Relation } from '../operators.js';
import type { EqualityForm, PredicateNode, RangeNode, ValueNode } from '../parse/syntax-tree.js';
import { effortOf } from './pattern-effort.js';
import type { CheckedNode } from './typed-tree.js';

/** The rule about fields, operators and values that a predicate breaks. Rules about patterns carry the name of their limit. */
export type TypeRuleName =
  | 'field'
  /** The index keeps only the words of the text. */
  | 'wholeValue'
  /** The type has no `like`. */
  | 'like'
  /** The type has no order. */
  | 'order'
  /** The value has half a surrogate pair. */
  | 'encoding'
  | 'address'
  | 'boolean'
  | 'calendar'
  | 'date'
  | 'years'
  | 'integer'
  | 'integerSize'
  | 'number'
  | 'numberSize'
  /** A phrase has no word. */
  | 'words'
  /** No value lies within the range. */
  | 'emptyRange'
  /** The type has no patterns. */
  | 'pattern'
  | 'addressPattern'
  | 'wordPattern'
  | 'boundPattern'
  | 'addressStart'
  | 'valueLength'
  | PatternLimit;

/** A limit that a pattern exceeds. */
export type PatternLimit =
  | 'patterns'
  | 'patternStars'
  | 'patternQuestions'
  | 'patternLiterals'
  | 'leadingPatternLiterals'
  | 'patternEffort';

/** A rule that a predicate breaks, and the part that breaks it. */
export interface TypeFailure {
  readonly rule: TypeRuleName;
  readonly predicate: PredicateNode;
  readonly field: CriteriaField | undefined;
  /** Undefined if the operator or the field is wrong, whatever the value. */
  readonly operand: ValueNode | RangeNode | undefined;
}

/** Collects failures, up to a limit; they do not stop the check. */
export class Failures {
  readonly list: TypeFailure[] = [];
  private patterns = 0;
  private effort = 0;

  constructor(readonly limits: CriteriaLimits) {}

  get isFull(): boolean {
    return this.list.length >= this.limits.errors;
  }

  /** Counts one more pattern; of the patterns beyond the limit only the first fails. */
  countPattern(): 'within' | 'first beyond' | 'beyond' {
    this.patterns++;
    if (this.patterns <= this.limits.patterns) return 'within';
    return this.patterns === this.limits.patterns + 1 ? 'first beyond' : 'beyond';
  }

  /** Returns whether the effort of one more pattern is within the limit. */
  spendEffort(pattern: string): boolean {
    const { patternEffort } = this.limits;
    this.effort += effortOf(pattern, patternEffort - this.effort);
    return this.effort <= patternEffort;
  }

  add(failure: TypeFailure): void {
    if (!this.isFull) this.list.push(failure);
  }
}

/** One predicate while its values are checked against its field. */
export class Comparison {
  constructor(
    readonly field: CriteriaField,
    readonly predicate: PredicateNode,
    readonly failures: Failures,
  ) {}

  /** Records a failure. Returns undefined, in place of the node. */
  fail(rule: TypeRuleName, operand?: ValueNode | RangeNode): undefined {
    this.failures.add({ rule, predicate: this.predicate, field: this.field, operand });
  }
}

/** The meaning of operators on one type of field. Each function returns the condition, or records a failure. */
export interface TypeRule {
  equals(comparison: Comparison, value: ValueNode, form: EqualityForm): CheckedNode | undefined;
  /** The value has a wildcard. */
  matches(comparison: Comparison, value: ValueNode, pattern: string, form: EqualityForm): CheckedNode | undefined;
  compares(comparison: Comparison, value: ValueNode, relation: Relation): CheckedNode | undefined;
  inRange(comparison: Comparison, range: RangeNode): CheckedNode | undefined;
}
