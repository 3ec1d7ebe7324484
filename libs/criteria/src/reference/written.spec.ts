import { writeCriteria } from './generate.js';
import { randomFields } from './golden.js';
import { seeded } from './random.js';
import { selectByMeaning, treeOf } from './test-select.js';
import { smallest, type Written } from './written.js';

const choose = seeded(11);
const written = Array.from({ length: 300 }, () => writeCriteria(choose, randomFields));
const mentions = async ({ text }: Written) => /like/i.test(text);

describe('what is written at random', () => {
  it('is shortened to the one condition that fails', async () => {
    const failing = written.filter(({ text }) => /like/i.test(text));
    expect(failing.length).toBeGreaterThan(30);
    for (const each of failing) {
      const { text } = await smallest(each, mentions);
      expect(text).toMatch(/^\S+\s(not\s)?like\s\S.*$/i);
      expect(text).not.toMatch(/&&|\|\|| (and|or) /i);
    }
  });

  it('still means what it says in each of its shorter forms', () => {
    for (const { text, meaning } of written.flatMap((each) => each.smaller())) {
      expect([text, selectByMeaning(treeOf(text))]).toEqual([text, selectByMeaning(meaning)]);
    }
  });
});
