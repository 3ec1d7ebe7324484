/** A whole number from 0 to below the given one. */
type Choose = (below: number) => number;

/** Makes a text, or the pieces of one: the symbols of a sentence in their order. */
type Draw = (choose: Choose) => readonly string[];

/** What a symbol stands for that a grammar names and does not define. */
export type Lexicon = Readonly<Record<string, readonly [string, ...string[]]>>;

const AGAIN_ONE_IN = 3;

/** Draws the sentences of a grammar in EBNF: `name = …`, `"text"`, `[ maybe ]`, `{ any number }`, `( … )`, `a | b`. */
export class Grammar {
  private readonly rules = new Map<string, Draw>();
  private pieces: readonly string[] = [];
  private at = 0;

  /** @param close the rule whose symbols are written without white space: they are drawn as one */
  constructor(
    text: string,
    private readonly lexicon: Lexicon,
    private readonly close: string,
  ) {
    for (const [, name = '', body = ''] of text.matchAll(/^(\w+) +=((?:.*\n(?!\w))*.*)/gm)) {
      this.pieces = body.match(/"[^"]+"|\w+|[[\]{}()|]/g) ?? [];
      this.at = 0;
      this.rules.set(name, this.readChoice());
      if (this.at < this.pieces.length) throw new Error(`${name}: "${this.pieces[this.at]}" closes nothing`);
    }
  }

  /** The symbols of a sentence of this rule. @throws for a name that neither the grammar nor the lexicon has */
  draw(rule: string, choose: Choose): readonly string[] {
    const found = this.rules.get(rule);
    if (found !== undefined) return rule === this.close ? [found(choose).join('')] : found(choose);
    const words = this.lexicon[rule];
    if (words === undefined) throw new Error(`nothing says what "${rule}" is`);
    return [words[choose(words.length)] ?? words[0]];
  }

  private readChoice(): Draw {
    const branches = [this.readRow()];
    while (this.pieces[this.at] === '|') {
      this.at++;
      branches.push(this.readRow());
    }
    return (choose) => branches[choose(branches.length)]?.(choose) ?? [];
  }

  private readRow(): Draw {
    const parts: Draw[] = [];
    for (
      let piece = this.pieces[this.at];
      piece !== undefined && !'|)]}'.includes(piece);
      piece = this.pieces[this.at]
    ) {
      this.at++;
      parts.push(this.readPart(piece));
    }
    return (choose) => parts.flatMap((part) => part(choose));
  }

  private readPart(piece: string): Draw {
    if (piece.startsWith('"')) return () => [piece.slice(1, -1)];
    if (!'([{'.includes(piece)) return (choose) => this.draw(piece, choose);
    const inner = this.readChoice();
    this.at++;
    if (piece === '(') return inner;
    if (piece === '[') return (choose) => (choose(2) === 0 ? inner(choose) : []);
    return (choose) => {
      const drawn: string[] = [];
      while (choose(AGAIN_ONE_IN) === 0) drawn.push(...inner(choose));
      return drawn;
    };
  }
}
