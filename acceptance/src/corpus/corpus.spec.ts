import { FILES, frozenLines, linesNow } from './corpus.js';

const MAX_SHOWN = 20;

describe('the criteria language', () => {
  it.each(FILES)('gives the same result as before for every text of %s', async (file) => {
    const now = await linesNow(file);
    const differing = frozenLines(file).flatMap((before, at) =>
      before === now[at] ? [] : [`line ${at + 1}\n  before ${before}\n  now    ${now[at]}`],
    );
    if (differing.length === 0) return;
    const shown = differing.slice(0, MAX_SHOWN).join('\n');
    throw new Error(`${differing.length} of ${now.length} texts are answered otherwise:\n${shown}`);
  });
});
