import fc from 'fast-check';
import { checkCriteria } from '../check/check.js';
import type { CheckedNode } from '../check/typed-tree.js';
import { compile } from '../criteria.js';
import { type CriteriaLimits, DEFAULT_LIMITS } from '../limits.js';
import { parseCriteria } from '../parse/parse.js';
import { randomDocument, writeCriteria, writePredicate } from './generate.js';
import { type GoldenDocument, golden, goldenFields, randomFields } from './golden.js';
import { matches } from './matches.js';
import { type Choose, seeded } from './random.js';
import { type Form, writeSingle } from './write-operand.js';
import type { Written } from './written.js';

/** Returns code, position and length of every error in a text. */
export function errorsIn(text: string, limits?: Partial<CriteriaLimits>): readonly unknown[] {
  const compiled = compile(text, goldenFields, limits);
  return compiled.ok ? [] : compiled.errors.map(({ code, position, length }) => [code, position, length]);
}

/** Returns a table of texts with their results, to compare with the expected table. */
export function eachOf(table: object, read: (text: string) => unknown): object {
  return Object.fromEntries(Object.keys(table).map((text) => [text, read(text)]));
}

const chance = seeded(7);

/** The fixture and enough random documents that most conditions select some but not all. */
export const DOCUMENTS: readonly GoldenDocument[] = [
  ...golden.documents,
  ...Array.from({ length: 60 }, (_, index) => randomDocument(chance, randomFields, `random-${index}`)),
];

/** Returns the typed tree of a text that must be accepted. */
export function treeOf(text: string): CheckedNode {
  const limits = { ...DEFAULT_LIMITS, length: 1_000_000, depth: 200, clauses: 10_000, patterns: 10_000 };
  const parsed = parseCriteria(text, limits);
  const checked = parsed.ok ? checkCriteria(parsed.value, randomFields, limits) : parsed;
  if (!checked.ok) throw new Error(`${text}: ${JSON.stringify(compile(text, randomFields, limits))}`);
  return checked.value;
}

/** Returns the ids of the documents that match a condition. */
export function selectByMeaning(meaning: CheckedNode): readonly string[] {
  return DOCUMENTS.filter((document) => matches(meaning, document)).map(({ id }) => id);
}

/** Returns the ids of the documents that a text selects. */
export function select(text: string): readonly string[] {
  return selectByMeaning(treeOf(text));
}

/** Generates criteria by fast-check. A failure is shrunk by dropping conditions, which ends soon. */
class WrittenArbitrary extends fc.Arbitrary<Written> {
  constructor(private readonly write: (choose: Choose) => Written) {
    super();
  }

  override generate(random: fc.Random): fc.Value<Written> {
    return new fc.Value(
      this.write((below) => random.nextInt(0, below - 1)),
      undefined,
    );
  }

  override canShrinkWithoutContext(_: unknown): _ is Written {
    return false;
  }

  override shrink(written: Written): fc.Stream<fc.Value<Written>> {
    return fc.stream(written.smaller().values()).map((less) => new fc.Value(less, undefined));
  }
}

/** Criteria with their meaning. */
export const anyWritten: fc.Arbitrary<Written> = new WrittenArbitrary((choose) => writeCriteria(choose, randomFields));

/** One condition. */
export const anyPredicate: fc.Arbitrary<string> = new WrittenArbitrary((choose) =>
  writePredicate(choose, randomFields),
).map(({ text }) => text);

/** A field, and two values, patterns or ranges of it as operands of an equality. */
export interface Operands {
  readonly name: string;
  readonly operands: readonly [Written, Written];
}

/** Operands of `:`, which searches a text for words, or of the operators that compare whole values. */
export function anyOperands(form: Form): fc.Arbitrary<Operands> {
  const fields = randomFields.list.filter(({ type, exact }) => form === 'words' || type !== 'text' || exact);
  return fc.constantFrom(...fields).chain((field) => {
    const operand = new WrittenArbitrary((choose) => writeSingle(choose, field, form));
    return fc.tuple(operand, operand).map((operands) => ({ name: field.name, operands }));
  });
}
