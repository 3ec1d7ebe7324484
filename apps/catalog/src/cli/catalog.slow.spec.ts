import { fileURLToPath } from 'node:url';
import { runToEnd } from '@carbon/testing';
import { mappingHash } from '../index/mapping.js';
import { testSettings } from '../testing/catalog.js';
import { nth, waitUntilLive } from '../testing/indices.js';
import { freshLibrary } from '../testing/set-up.js';

const CLI = fileURLToPath(new URL('../../../../tools/carbon/dist/carbon.js', import.meta.url));

describe('npm run catalog -- rebuild', () => {
  const { library, indices, start } = freshLibrary();

  it('waits no longer than its timeout, reports a missing consumer of the new generation, and joins the rebuild', async () => {
    const rebuild = async (...within: string[]) => {
      const environment = testSettings(library.prefix);
      return await runToEnd(process.execPath, [CLI, 'catalog', 'rebuild', '--within', ...within], { environment });
    };
    const { code, err } = await rebuild('15');
    expect(code).toBe(1);
    expect(err).toContain(
      `No catalog instance is filling ${nth(1)}. The generation needs an instance with the mapping ${mappingHash()}`,
    );
    expect(err).not.toContain('catalog -- drop');
    expect(err).toContain(`${nth(1)} is not live yet, and the timeout has elapsed.`);
    const joined = await rebuild('1');
    expect(joined).toMatchObject({ code: 1, err: expect.stringContaining(`${nth(1)} is already being built.`) });
    await start();
    await waitUntilLive(indices, nth(1));
    expect(await indices.names()).toHaveLength(2);
  });
});
