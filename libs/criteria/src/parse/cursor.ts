import type { CriteriaLimits } from '../limits.js';
import { isPlainCharacter, isSpace } from '../text/characters.js';
import { SyntaxFailure, type SyntaxRule } from './syntax-failure.js';
import type { PredicateNode } from './syntax-tree.js';

/**
 * A position in the text, and the predicates before it. There are no tokens: the caller knows whether a term or a value
 * is expected, and reads the characters accordingly, so `country:IN` needs no quotes.
 */
export class Cursor {
  /** The position of the next character, in UTF-16 code units. */
  at = 0;
  /** The complete predicates; they can be checked even if the text breaks a rule after them. */
  readonly predicates: PredicateNode[] = [];
  /** The position of the innermost open parenthesis around terms, or -1. */
  opener = -1;
  private depth = 0;
  private clauses = 0;

  constructor(
    readonly text: string,
    readonly limits: CriteriaLimits,
  ) {}

  /**
   * Returns the code of the next character, or of a later one; 0, which is in no class of characters, after the end.
   * After the end `charCodeAt` would return `NaN`, and V8 would make every later call several times slower.
   */
  code(ahead = 0): number {
    const at = this.at + ahead;
    return at < this.text.length ? this.text.charCodeAt(at) : 0;
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  skipSpace(): void {
    while (isSpace(this.code())) this.at++;
  }

  /** Skips the characters of a word that have no special meaning. */
  skipPlain(): void {
    while (isPlainCharacter(this.code())) this.at++;
  }

  startsWith(piece: string): boolean {
    return this.text.startsWith(piece, this.at);
  }

  /** Enters one level: a parenthesis, a list or a negation, whose opening token at the cursor has this length. */
  enter(length: number): void {
    if (++this.depth > this.limits.depth) throw this.failure('depth', this.at, this.at + length);
  }

  leave(): void {
    this.depth--;
  }

  /** Counts one comparison or list value. */
  countClause(position: number): void {
    if (++this.clauses > this.limits.clauses) throw this.failure('clauses', position);
  }

  /** Returns the error that ends the parse; without a start the piece begins at the cursor. */
  failure(rule: SyntaxRule, start = this.at, at = this.at): SyntaxFailure {
    return new SyntaxFailure(rule, start, at);
  }
}
