import { compile, type QueryClause } from '@carbon/criteria';
import { golden, goldenFields } from '@carbon/criteria/golden';
import { testEngines } from '@carbon/testing';
import { z } from 'zod';
import { ANALYSIS } from '../indexing/analysis.js';
import { OpenSearch } from '../open-search/open-search.js';
import { queryOf, testCriteriaIndex } from './test-criteria-index.js';

/** Beyond it stand scripts that are newer in one of the two than in the other. */
const LAST = 0xffff;
const BATCH = 5000;
const DEADLINE_MS = 30_000;

const prefix = z.object({ prefix: z.object({ name: z.object({ value: z.string() }) }) });
const analysed = z.object({ tokens: z.array(z.object({ token: z.string() })) });

/** Ranges left out: Chinese and Korean, which have no case, and Latin letters that may be newer than the index. */
const LEFT_OUT = [
  [0x3400, 0x9fff],
  [0xac00, 0xdfff],
  [0xa7cb, 0xa7f1],
] as const;

/** Letters and digits in their composed form. */
function everyLetter(): readonly string[] {
  const letters: string[] = [];
  for (let code = 0x30; code <= LAST; code++) {
    if (LEFT_OUT.some(([from, to]) => code >= from && code <= to)) continue;
    const letter = String.fromCodePoint(code);
    if (/[\p{L}\p{Nd}\p{Nl}]/u.test(letter) && letter.normalize('NFC') === letter) letters.push(letter);
  }
  return letters;
}

/** What a pattern for words makes of a letter. */
function foldedByUs(letter: string): string {
  const compiled = compile(`name:${letter}*`, goldenFields);
  return compiled.ok ? prefix.parse(compiled.query).prefix.name.value : compiled.errors.join();
}

/** The query of the longest pattern with this beginning that is accepted, if any; every character more is more work. */
function hardest(head: string, letters: string): readonly QueryClause[] {
  let [accepted, refused] = [1, 240];
  while (refused - accepted > 1) {
    const length = (accepted + refused) >> 1;
    if (compile(patternOf(head, letters, length), goldenFields).ok) accepted = length;
    else refused = length;
  }
  return accepted === 1 ? [] : [queryOf(patternOf(head, letters, accepted), goldenFields)];
}

function patternOf(head: string, letters: string, length: number): string {
  return `ticker like "${head}${letters.repeat(length).slice(0, length)}"`;
}

async function foldedByIndex(openSearch: OpenSearch, letters: readonly string[]): Promise<readonly string[]> {
  const body = { tokenizer: 'keyword', filter: ANALYSIS.analyzer.words.filter, text: letters };
  const { tokens } = await openSearch.ask({ method: 'POST', path: '/_analyze', body }, analysed, DEADLINE_MS);
  return tokens.map(({ token }) => token);
}

describe('patterns on OpenSearch', () => {
  it('are folded letter by letter as the index folds words, wherever that gives small letters', async () => {
    const openSearch = new OpenSearch(testEngines().opensearchUrl);
    try {
      const letters = everyLetter();
      expect(letters.length).toBeGreaterThan(10_000);
      for (let from = 0; from < letters.length; from += BATCH) {
        const batch = letters.slice(from, from + BATCH);
        const wanted = await foldedByIndex(openSearch, batch);
        const differing = batch.filter(
          (letter, at) => !/[A-Z]/.test(wanted[at] ?? '') && foldedByUs(letter) !== wanted[at],
        );
        expect(differing).toEqual([]);
      }
    } finally {
      await openSearch.close();
    }
  });

  it('are answered, however hard those are for the index that are accepted', async () => {
    const plain = ['*a', '*ab', 'a*a', '*a*b', '*🌳'].map((head) => [head, 'a'] as const);
    // What differs here and is the same, or several, once the index has folded it.
    const folding = ['aA', 'æa', 'ßS', 'ﬀF', '⒨', '“"', 'ᴀᴬ'].map((letters) => [`*${letters}`, letters] as const);
    const accepted = [...plain, ...folding].flatMap(([head, letters]) =>
      [1, 2, 3, 4, 5, 6, 7, 8].flatMap((count) => hardest(head + '?'.repeat(count), letters)),
    );
    expect(accepted.length).toBeGreaterThan(8 * plain.length);
    const { opensearchUrl: url } = testEngines();
    const index = await testCriteriaIndex({ url, fields: goldenFields, documents: golden.documents });
    try {
      expect(await index.idsOf(accepted)).toHaveLength(accepted.length);
    } finally {
      await index.close();
    }
  });
});
