import { compile } from '@carbon/criteria';
import {
  type GoldenDocument,
  matches,
  randomDocument,
  randomFields,
  seeded,
  smallest,
  type Written,
  writeCriteria,
} from '@carbon/criteria/golden';
import { z } from 'zod';
import { queryOf, type TestIndex } from './test-criteria-index.js';

/**
 * What is drawn is the same every time, unless jest is told otherwise:
 * `npm run jest -- criteria-differential --selectProjects int --globals '{"criteria":{"seed":7,"count":30000}}' --testTimeout 900000`.
 */
const settings = z
  .object({ seed: z.int().default(20_261_121), count: z.int().positive().default(1_000) })
  .prefault({})
  .parse((globalThis as { readonly criteria?: unknown }).criteria);

/** The seed of everything drawn. */
export const SEED: number = settings.seed;

/** How many criteria are compared in one test. */
export const COUNT: number = settings.count;

const choose = seeded(SEED);

/** 300 documents of few values, so that conditions meet them often and nearly. */
export const DOCUMENTS: readonly GoldenDocument[] = Array.from({ length: 300 }, (_, number) =>
  randomDocument(choose, randomFields, `d${number}`),
);

/** Criteria over the whole language, most of which are accepted. */
export function drawCriteria(count: number): readonly Written[] {
  return Array.from({ length: count }, () => writeCriteria(choose, randomFields));
}

/** Whether a text is accepted. */
export function isAccepted({ text }: Written): boolean {
  return compile(text, randomFields).ok;
}

const known = new WeakMap<Written, readonly string[]>();

/** What the language says that criteria select, without an index. Worked out once, for that takes longer than a search. */
export function expectedIds(written: Written): readonly string[] {
  const ids = known.get(written) ?? idsMeant(written);
  known.set(written, ids);
  return ids;
}

function idsMeant({ meaning }: Written): readonly string[] {
  return DOCUMENTS.filter((document) => matches(meaning, document))
    .map(({ id }) => id)
    .sort();
}

/** The least of the criteria on which the index and the language differ; nothing where they agree on all. */
export async function firstDifference(index: TestIndex, criteria: readonly Written[]): Promise<object | undefined> {
  const found = await index.idsOf(criteria.map(({ text }) => queryOf(text, randomFields)));
  const wrong = criteria.find((written, place) => !isSame(found[place], expectedIds(written)));
  if (wrong === undefined) return undefined;
  const least = await smallest(wrong, (written) => differs(index, written));
  const [ids] = await index.idsOf([queryOf(least.text, randomFields)]);
  return { seed: SEED, criteria: least.text, found: ids, expected: expectedIds(least), within: wrong.text };
}

async function differs(index: TestIndex, written: Written): Promise<boolean> {
  if (!isAccepted(written)) return false;
  const [ids] = await index.idsOf([queryOf(written.text, randomFields)]);
  return !isSame(ids, expectedIds(written));
}

function isSame(one: readonly string[] | undefined, other: readonly string[]): boolean {
  return one?.join() === other.join();
}
