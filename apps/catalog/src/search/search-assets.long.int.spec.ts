import type { Asset } from '@carbon/contracts';
import { nextAddress } from '@carbon/paging';
import { eventually } from '@carbon/testing';
import { asset } from '../test-asset.js';
import { catalogWith } from '../test-catalog-with.js';
import { walk } from '../test-walk.js';

/** The longest name, at nearly every character as long as UTF-8 makes one; the longest id, and the longest of ratings. */
const LIBRARY: readonly Asset[] = ['a', 'b', 'c'].map((end) =>
  asset(`proj_${end.repeat(64)}`, {
    name: '🌳'.repeat(511) + end,
    rating: -1.123456789012345e-7,
    registry: 'Ж'.repeat(256),
  }),
);

/** A search, one asset a page, that takes so many bytes. Each of the words means the registry of the assets above. */
function pathOf(bytes: number): string {
  const criteria = Array.from({ length: 7 }, () => `registry:"${'Ж'.repeat(256)}"`).join(' or ');
  const address = (text: string) =>
    nextAddress('/v1/assets/projects', { criteria: text, fullTextSearch: '', fields: 'id', limit: 1 });
  return address(criteria + ' '.repeat(bytes - address(criteria).length));
}

describe('a walk with the longest question through the longest names', () => {
  const { catalog } = catalogWith(...LIBRARY);

  beforeAll(async () => {
    await eventually(async () => expect(await catalog.search('projects')).toHaveLength(LIBRARY.length));
  });

  it('goes to the end, in heads of answers that common clients take', async () => {
    const pages = await walk(catalog, pathOf(12 * 1024));
    expect(pages.flatMap(({ assets }) => assets)).toEqual(LIBRARY.map(({ id }) => ({ id })));
  });

  it('is refused from the start when the question is longer', async () => {
    const { status, body } = await catalog.get(pathOf(12 * 1024 + 1));
    expect([status, body]).toMatchObject([
      414,
      { code: 'uri_too_long', detail: expect.stringContaining('Shorten the criteria') },
    ]);
  });
});
