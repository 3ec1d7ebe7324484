import fc from 'fast-check';
import { writeCriteria, writePredicate } from './generate.js';
import { randomFields } from './golden.js';
import type { Choose } from './random.js';
import { type Form, writeSingle } from './write-operand.js';
import type { Written } from './written.js';

/** What is written, drawn by fast-check; what fails is shortened by dropping conditions, which ends soon. */
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

/** Criteria over the whole language, at most so deep. */
export function anyCriteria(depth: number): fc.Arbitrary<string> {
  return new WrittenArbitrary((choose) => writeCriteria(choose, randomFields, depth)).map(({ text }) => text);
}

/** Criteria with what they mean. */
export const anyWritten: fc.Arbitrary<Written> = new WrittenArbitrary((choose) => writeCriteria(choose, randomFields));

/** One condition. */
export const anyPredicate: fc.Arbitrary<string> = new WrittenArbitrary((choose) =>
  writePredicate(choose, randomFields),
).map(({ text }) => text);

/** A field, and two values, patterns or ranges of it as they stand after an equality. */
export interface Operands {
  readonly name: string;
  readonly operands: readonly [Written, Written];
}

/** Operands for `:`, which asks a text for its words, or for the spellings that ask for whole values. */
export function anyOperands(form: Form): fc.Arbitrary<Operands> {
  const fields = randomFields.list.filter(({ type, exact }) => form === 'words' || type !== 'text' || exact);
  return fc.constantFrom(...fields).chain((field) => {
    const operand = new WrittenArbitrary((choose) => writeSingle(choose, field, form));
    return fc.tuple(operand, operand).map((operands) => ({ name: field.name, operands }));
  });
}
