/** Returns a whole number from 0 to below the given one. */
type Choose = (below: number) => number;

/** A part of a rule; `text` stands for itself, `name` for a rule or a terminal. */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'once' | 'optional' | 'repeated'; readonly branches: readonly (readonly Part[])[] };

/** The words of the terminals that a grammar names and does not define. */
export type Lexicon = Readonly<Record<string, readonly [string, ...string[]]>>;
/** Returns whether a symbol may be a terminal. */
export type Terminals = Readonly<Record<string, (symbol: string) => boolean>>;

const KINDS = { '(': 'once', '[': 'optional', '{': 'repeated' } as const;
const REPEAT_ONE_IN = 3;

/** A grammar in EBNF: `name = …`, `"text"`, `[ optional ]`, `{ repeated }`, `( … )`, `a | b`. Draws and recognizes sentences. */
export class Grammar {
  private readonly rules = new Map<string, Part>();

  constructor(text: string) {
    for (const [, name = '', body = ''] of text.matchAll(/^(\w+) +=((?:.*\n(?!\w))*.*)/gm)) {
      const pieces = body.match(/"[^"]+"|\w+|[[\]{}()|]/g) ?? [];
      this.rules.set(name, parseChoice(pieces, 'once'));
      if (pieces.length > 0) throw new Error(`${name}: "${pieces[0]}" closes nothing`);
    }
  }

  /** Returns the symbols of a random sentence. @param joined the rule whose symbols are written without white space */
  draw(rule: string, choose: Choose, lexicon: Lexicon, joined: string): readonly string[] {
    const draw = (part: Part): readonly string[] => {
      if (part.kind === 'text') return [part.text];
      if (part.kind === 'name') return this.draw(part.text, choose, lexicon, joined);
      const once = () => part.branches[choose(part.branches.length)]?.flatMap(draw) ?? [];
      if (part.kind === 'once') return once();
      if (part.kind === 'optional') return choose(2) === 0 ? once() : [];
      const drawn: string[] = [];
      while (choose(REPEAT_ONE_IN) === 0) drawn.push(...once());
      return drawn;
    };
    const body = this.rules.get(rule);
    if (body !== undefined) return rule === joined ? [draw(body).join('')] : draw(body);
    const words = lexicon[rule];
    if (words === undefined) throw new Error(`nothing says what "${rule}" is`);
    return [words[choose(words.length)] ?? words[0]];
  }

  /** Returns whether the symbols are a sentence of this rule. */
  accepts(rule: string, symbols: readonly string[], terminals: Terminals): boolean {
    /** Returns the positions at which a part that starts at `from` may end. */
    const ends = (part: Part, from: number): ReadonlySet<number> => {
      if (part.kind === 'name') return endsOfRule(part.text, from);
      if (part.kind === 'text') {
        return new Set(symbols[from]?.toLowerCase() === part.text.toLowerCase() ? [from + 1] : []);
      }
      const once = (at: number) => part.branches.flatMap((branch) => [...endsOfRow(branch, at)]);
      if (part.kind === 'once') return new Set(once(from));
      if (part.kind === 'optional') return new Set([from, ...once(from)]);
      const found = new Set([from]);
      for (const end of found) for (const next of once(end)) found.add(next);
      return found;
    };
    const endsOfRow = (parts: readonly Part[], from: number) => {
      let reached: ReadonlySet<number> = new Set([from]);
      for (const part of parts) reached = new Set([...reached].flatMap((end) => [...ends(part, end)]));
      return reached;
    };
    const endsOfRule = (name: string, from: number): ReadonlySet<number> => {
      const isTerminal = terminals[name];
      if (isTerminal) return new Set(from < symbols.length && isTerminal(symbols[from] ?? '') ? [from + 1] : []);
      const body = this.rules.get(name);
      if (body === undefined) throw new Error(`nothing says what "${name}" is`);
      return ends(body, from);
    };
    return endsOfRule(rule, 0).has(symbols.length);
  }
}

/** Consumes pieces up to the closing bracket. */
function parseChoice(pieces: string[], kind: 'once' | 'optional' | 'repeated'): Part {
  const branches: Part[][] = [[]];
  while (pieces.length > 0 && !')]}'.includes(pieces[0] ?? '')) {
    const piece = pieces.shift() ?? '';
    if (piece === '|') branches.push([]);
    else branches.at(-1)?.push(parsePart(piece, pieces));
  }
  return { kind, branches };
}

function parsePart(piece: string, pieces: string[]): Part {
  if (piece.startsWith('"')) return { kind: 'text', text: piece.slice(1, -1) };
  const kind = KINDS[piece as keyof typeof KINDS];
  if (kind === undefined) return { kind: 'name', text: piece };
  const inner = parseChoice(pieces, kind);
  pieces.shift();
  return inner;
}
