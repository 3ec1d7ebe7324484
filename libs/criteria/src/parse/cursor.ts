import type { CriteriaLimits } from '../limits.js';
import { isPlainCharacter, isSpace } from '../text/characters.js';
import { SyntaxFailure, type SyntaxRule } from './syntax-failure.js';
import type { PredicateNode } from './syntax-tree.js';

/**
 * A position in the text, and the predicates before it. There are no tokens: the caller knows whether a term or a
 * value is due, and reads the characters accordingly, so `country:IN` needs no quotes.
 */
export class Cursor {
  /** The next character, in UTF-16 units. */
  at = 0;
  /** The complete predicates; they can be checked even if the text breaks a rule behind them. */
  readonly predicates: PredicateNode[] = [];
  /** The innermost parenthesis around terms that is still open, or -1. */
  opener = -1;
  private depth = 0;
  private clauses = 0;

  constructor(
    readonly text: string,
    readonly limits: CriteriaLimits,
  ) {}

  /**
   * The code of the next character, or of one further on; 0, which is in no class of characters, past the end. Beyond
   * the text `charCodeAt` would give `NaN`, and V8 would make every later call several times slower.
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

  /** Passes the characters of a word that mean nothing but themselves. */
  skipPlain(): void {
    while (isPlainCharacter(this.code())) this.at++;
  }

  startsWith(piece: string): boolean {
    return this.text.startsWith(piece, this.at);
  }

  /** Goes one level deeper: a parenthesis, a list or a negation, all of them ahead and so many characters long. */
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

  /** Makes the error that ends the parse; without a start the piece begins at the cursor. */
  failure(rule: SyntaxRule, start = this.at, at = this.at): SyntaxFailure {
    return new SyntaxFailure(rule, start, at);
  }
}
