/** The places where a part of a sentence may end that begins at a place. */
type Match = (symbols: readonly string[], from: number) => ReadonlySet<number>;

/** Whether a symbol may be what a grammar names and does not define. */
export type Kinds = Readonly<Record<string, (symbol: string) => boolean>>;

/** Tells whether symbols are a sentence of a grammar in EBNF, of the same form as `Grammar` draws from. */
export class Recogniser {
  private readonly rules = new Map<string, Match>();
  private pieces: readonly string[] = [];
  private at = 0;

  constructor(
    text: string,
    private readonly kinds: Kinds,
  ) {
    for (const [, name = '', body = ''] of text.matchAll(/^(\w+) +=((?:.*\n(?!\w))*.*)/gm)) {
      this.pieces = body.match(/"[^"]+"|\w+|[[\]{}()|]/g) ?? [];
      this.at = 0;
      this.rules.set(name, this.readChoice());
    }
  }

  /** Whether all of the symbols together are one sentence of this rule. */
  accepts(rule: string, symbols: readonly string[]): boolean {
    return this.match(rule, symbols, 0).has(symbols.length);
  }

  private match(rule: string, symbols: readonly string[], from: number): ReadonlySet<number> {
    const kind = this.kinds[rule];
    if (kind !== undefined) return new Set(from < symbols.length && kind(symbols[from] ?? '') ? [from + 1] : []);
    const found = this.rules.get(rule);
    if (found === undefined) throw new Error(`nothing says what "${rule}" is`);
    return found(symbols, from);
  }

  private readChoice(): Match {
    const branches = [this.readRow()];
    while (this.pieces[this.at] === '|') {
      this.at++;
      branches.push(this.readRow());
    }
    return (symbols, from) => new Set(branches.flatMap((branch) => [...branch(symbols, from)]));
  }

  private readRow(): Match {
    const parts: Match[] = [];
    let piece = this.pieces[this.at];
    for (; piece !== undefined && !'|)]}'.includes(piece); piece = this.pieces[this.at]) {
      this.at++;
      parts.push(this.readPart(piece));
    }
    return (symbols, from) => {
      let ends: ReadonlySet<number> = new Set([from]);
      for (const part of parts) ends = new Set([...ends].flatMap((end) => [...part(symbols, end)]));
      return ends;
    };
  }

  private readPart(piece: string): Match {
    if (piece.startsWith('"')) {
      const wanted = piece.slice(1, -1).toLowerCase();
      return (symbols, from) => new Set(symbols[from]?.toLowerCase() === wanted ? [from + 1] : []);
    }
    if (!'([{'.includes(piece)) return (symbols, from) => this.match(piece, symbols, from);
    const inner = this.readChoice();
    this.at++;
    if (piece === '(') return inner;
    if (piece === '[') return (symbols, from) => new Set([from, ...inner(symbols, from)]);
    return (symbols, from) => {
      const ends = new Set([from]);
      for (const end of ends) for (const next of inner(symbols, end)) ends.add(next);
      return ends;
    };
  }
}
