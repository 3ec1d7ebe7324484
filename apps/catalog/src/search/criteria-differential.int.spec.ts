import { compile, type QueryClause } from '@carbon/criteria';
import { golden, goldenFields, MUTANTS } from '@carbon/criteria/golden';
import { testEngines } from '@carbon/testing';
import { z } from 'zod';
import { ANALYSIS } from '../index/mapping.js';
import {
  COUNT,
  DOCUMENTS,
  drawCriteria,
  expectedIds,
  firstDifference,
  queryOf,
  SEED,
  type TestIndex,
  type TestIndexOptions,
  testCriteriaIndex,
} from '../testing/criteria-index.js';

/** Beyond it are scripts that only one of the two Unicode versions contains. */
const LAST = 0xffff;
const BATCH = 5000;
const MUTANT_BATCH = 50;

const prefix = z.object({ prefix: z.object({ name: z.object({ value: z.string() }) }) });
const analysed = z.object({ tokens: z.array(z.object({ token: z.string() })) });

/** Ranges to skip: Chinese and Korean, which have no case, and Latin letters that may be newer than the index. */
const LEFT_OUT = [
  [0x3400, 0x9fff],
  [0xac00, 0xdfff],
  [0xa7cb, 0xa7f1],
] as const;

/** Letters and digits in their composed form. */
function everyLetter(): readonly string[] {
  const codes = Array.from({ length: LAST - 0x2f }, (_, place) => 0x30 + place);
  return codes
    .filter((code) => !LEFT_OUT.some(([from, to]) => code >= from && code <= to))
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => /[\p{L}\p{Nd}\p{Nl}]/u.test(letter) && letter.normalize('NFC') === letter);
}

/** Returns a letter as a pattern for words folds it. */
function foldedByUs(letter: string): string {
  const compiled = compile(`name:${letter}*`, goldenFields);
  return compiled.ok ? prefix.parse(compiled.query).prefix.name.value : compiled.errors.join();
}

/** Returns the query of the longest accepted pattern with this beginning, if any; every character is more work. */
function hardest(head: string, letters: string): readonly QueryClause[] {
  const pattern = (length: number) => `ticker like "${head}${letters.repeat(length).slice(0, length)}"`;
  let [accepted, refused] = [1, 240];
  while (refused - accepted > 1) {
    const length = (accepted + refused) >> 1;
    if (compile(pattern(length), goldenFields).ok) accepted = length;
    else refused = length;
  }
  return accepted === 1 ? [] : [queryOf(pattern(accepted), goldenFields)];
}

describe('the criteria language on OpenSearch', () => {
  const indices: TestIndex[] = [];
  const indexOf = async (options: Omit<TestIndexOptions, 'url'> = {}) => {
    const index = await testCriteriaIndex({ url: testEngines().opensearchUrl, ...options });
    indices.push(index);
    return index;
  };

  afterAll(() => Promise.all(indices.map((index) => index.close())));

  it('selects what each golden example says', async () => {
    const { documents, valid } = golden;
    const index = await indexOf({ fields: goldenFields, documents });
    const found = await index.idsOf(valid.map(({ criteria }) => queryOf(criteria, goldenFields)));
    const selected = valid.map(({ criteria }, place) => [criteria, found[place]]);
    expect(selected).toEqual(valid.map(({ criteria, matches }) => [criteria, [...matches].sort()]));
    expect(valid.length).toBeGreaterThanOrEqual(44);
  });

  describe(`in ${COUNT} random criteria, seed ${SEED}`, () => {
    const criteria = drawCriteria();
    let index: TestIndex;

    beforeAll(async () => {
      index = await indexOf({ shards: 1 });
    });

    /** Returns whether a wrong query selects other documents than its criteria mean; spoils and searches only until one does. */
    const isCaught = async (spoil: (typeof MUTANTS)[number]['spoil']) => {
      for (let from = 0; from < criteria.length; from += MUTANT_BATCH) {
        const batch = criteria.slice(from, from + MUTANT_BATCH).flatMap((written) => {
          const right = queryOf(written.text);
          const wrong = spoil(right, written);
          return JSON.stringify(wrong) === JSON.stringify(right) ? [] : [{ written, wrong }];
        });
        const found = batch.length > 0 ? await index.idsOf(batch.map(({ wrong }) => wrong)) : [];
        if (batch.some(({ written }, place) => found[place]?.join() !== expectedIds(written).join())) return true;
      }
      return false;
    };

    it('accepts nearly all, and selects some documents but not all, so that the comparison is significant', () => {
      expect(criteria.length).toBeGreaterThanOrEqual(COUNT * 0.95);
      const counts = criteria.map((written) => expectedIds(written).length);
      const telling = counts.filter((count) => count > 0 && count < DOCUMENTS.length);
      expect(telling.length).toBeGreaterThanOrEqual(COUNT * 0.8);
    });

    it('selects what they were generated to mean', async () => {
      expect(await firstDifference(index, criteria)).toBeUndefined();
    });

    it('selects the same from several shards, and after a merge of segments', async () => {
      const sharded = await indexOf({ shards: 3 });
      const half = criteria.length / 2;
      expect(await firstDifference(sharded, criteria.slice(half))).toBeUndefined();
      await sharded.merge();
      expect(await firstDifference(sharded, criteria.slice(0, half))).toBeUndefined();
    });

    it.each(MUTANTS)('detects a compiler that $name', async ({ spoil }) => {
      expect(await isCaught(spoil)).toBe(true);
    });
  });

  describe('in patterns', () => {
    let index: TestIndex;

    beforeAll(async () => {
      index = await indexOf({ fields: goldenFields, documents: golden.documents });
    });

    it('folds letters as the index folds words, where the result is lower case', async () => {
      const letters = everyLetter();
      expect(letters.length).toBeGreaterThan(10_000);
      for (let from = 0; from < letters.length; from += BATCH) {
        const batch = letters.slice(from, from + BATCH);
        const body = { tokenizer: 'keyword', filter: ANALYSIS.analyzer.words.filter, text: batch };
        const { tokens } = await index.openSearch.request(
          { method: 'POST', path: '/_analyze', body },
          analysed,
          30_000,
        );
        const expected = tokens.map(({ token }) => token);
        const differing = batch.filter(
          (one, at) => !/[A-Z]/.test(expected[at] ?? '') && foldedByUs(one) !== expected[at],
        );
        expect(differing).toEqual([]);
      }
    });

    it('answers the most expensive patterns that are accepted', async () => {
      const plain = ['*a', '*ab', 'a*a', '*a*b', '*🌳'].map((head) => [head, 'a'] as const);
      // Texts that differ here and are equal, or several, after the index has folded them.
      const folding = ['aA', 'æa', 'ßS', 'ﬀF', '⒨', '“"', 'ᴀᴬ'].map((letters) => [`*${letters}`, letters] as const);
      const accepted = [...plain, ...folding].flatMap(([head, letters]) =>
        [1, 2, 3, 4, 5, 6, 7, 8].flatMap((count) => hardest(head + '?'.repeat(count), letters)),
      );
      expect(accepted.length).toBeGreaterThan(8 * plain.length);
      expect(await index.idsOf(accepted)).toHaveLength(accepted.length);
    });
  });
});
