import type { Span } from '../errors/criteria-error.js';
import type { CriteriaFields } from '../fields.js';
import type { CriteriaLimits } from '../limits.js';
import { isPlainCharacter, isSpace } from '../text/characters.js';
import type { PredicateNode } from './nodes.js';
import { mistake } from './syntax-mistake.js';

/**
 * A place in the text, and what has been read up to it. There are no tokens: the caller knows whether a term or a
 * value is due, and reads the characters accordingly, so `country:IN` needs no quotes.
 */
export class Cursor {
  /** The next character, in UTF-16 units. */
  at = 0;
  /** Predicates read whole; they are still worth checking when a later one has a mistake in its syntax. */
  readonly predicates: PredicateNode[] = [];
  /** Parentheses around terms that are still to be closed. */
  openParentheses = 0;
  private depth = 0;
  private clauses = 0;

  constructor(
    readonly text: string,
    readonly limits: CriteriaLimits,
    /** The names that hints may take for fields, when the caller knows them; reading never depends on them. */
    readonly fields?: CriteriaFields,
  ) {}

  /**
   * The code of the next character, or of one further on; 0, which is in no class of characters, past the end. Asked
   * beyond a text, `charCodeAt` would give `NaN`, and every call of it from here on would be several times slower.
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

  /** From a place passed before up to here. */
  spanFrom(position: number): Span {
    return { position, length: this.at - position };
  }

  /** The next characters, without passing them; never beyond the end. */
  spanAhead(length: number): Span {
    return { position: this.at, length: Math.min(length, this.text.length - this.at) };
  }

  /** The next whole character: both halves of a surrogate pair. */
  character(): string {
    const codePoint = this.text.codePointAt(this.at);
    return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
  }

  /** Goes one level deeper: a parenthesis, a list, a prefix negation; all of them ahead, so many characters long. */
  enter(length: number): void {
    if (++this.depth > this.limits.depth) {
      throw mistake(
        'TOO_DEEP',
        this.spanAhead(length),
        `more than ${this.limits.depth} levels of parentheses and negation`,
      );
    }
  }

  leave(): void {
    this.depth--;
  }

  /** Counts one comparison or list value. */
  countClause(position: number): void {
    if (++this.clauses > this.limits.clauses) {
      const detail = `more than ${this.limits.clauses} comparisons and list values`;
      throw mistake('TOO_MANY_CLAUSES', this.spanFrom(position), detail);
    }
  }
}
