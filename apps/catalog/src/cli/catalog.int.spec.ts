import { runInProcess } from '@carbon/testing';
import { testSettings } from '../testing/catalog.js';
import { nth } from '../testing/indices.js';
import { asset, type TestLibrary } from '../testing/library.js';
import { emptyLibrary, freshLibrary } from '../testing/set-up.js';
import { catalogCommand } from './command.js';

const linesOf = (text: string) => text.trimEnd().split('\n');
const cellsOf = (line = '') => line.split(/ {2,}/);

const commandOn = async ({ prefix }: TestLibrary, args: readonly string[], more: Record<string, string> = {}) => {
  const environment = { ...testSettings(prefix), ...more };
  const { code, out, err } = await runInProcess(catalogCommand, args, { environment });
  return { code, out, err };
};

describe('npm run catalog', () => {
  const { library, indices, start } = freshLibrary();
  const command = (args: readonly string[]) => commandOn(library, args);

  it('rebuilds, shows the generations, swaps back, removes generations that are not live, and verifies', async () => {
    await library.publish(asset('pool_a'), asset('proj_a'), asset('proj_b'));
    await start();
    const rebuilt = await command(['rebuild']);
    expect(rebuilt).toMatchObject({ code: 0, out: '' });
    expect(linesOf(rebuilt.err)[0]).toBe(`Building ${nth(2)}.`);
    expect(linesOf(rebuilt.err).at(-1)).toMatch(new RegExp(`^${nth(2)} is live\\. 3 messages in .* a second$`));

    const { code, out } = await command(['status']);
    expect(code).toBe(0);
    const [headings, live, ...others] = linesOf(out).map(cellsOf);
    expect(headings).toEqual(['GENERATION', 'STATE', 'REVISION', 'POOLS', 'PROJECTS', 'BEHIND', 'AGE']);
    const rest = [expect.any(String), '1', '2', 'nothing', expect.stringMatching(/^\d+ min$/)];
    expect(live).toEqual([nth(2), 'live', ...rest]);
    expect(others).toEqual([[nth(1), expect.stringMatching(/^retired at|^outdated/), ...rest]]);

    expect(await command(['drop', nth(2)])).toMatchObject({ code: 1, err: expect.stringContaining('is live') });
    const used = await command(['use', nth(1)]);
    expect(used).toMatchObject({ code: 0, err: expect.stringContaining(`${nth(1)} is live`) });
    expect(await indices.live()).toBe(nth(1));
    expect(await command(['drop', nth(2)])).toEqual({ code: 0, out: '', err: `${nth(2)} is removed.\n` });
    expect(await indices.names()).toEqual([`pools-${nth(1)}`, `projects-${nth(1)}`]);
    expect((await command(['verify'])).out).toBe(`OK: ${nth(1)} matches the topic, 3 assets.\n`);

    await indices.ask('POST', `/${library.prefix}pools/_update/pool_a`, { doc: { name: 'Another' } });
    const verified = await command(['verify', '--lines', '1']);
    expect(verified.code).toBe(1);
    expect(linesOf(verified.out)[0]).toBe('different pool_a: name is "Another", should be "pool_a"');
  });

  it('removes nothing while no generation is live, and with --now makes a generation live before it has caught up', async () => {
    expect(await command(['rebuild', '--no-wait'])).toMatchObject({ code: 0 });
    const dropped = await command(['drop', nth(1)]);
    expect(dropped).toMatchObject({ code: 1, err: expect.stringContaining('Nothing is live, so nothing is removed') });
    const hint = linesOf((await command(['status'])).out).at(-1);
    expect(hint).toMatch(/^No catalog instance consumes for .*\. It cannot be dropped before another generation is live\.$/);
    expect(await indices.names()).toHaveLength(2);
    const now = await command(['use', nth(1), '--now']);
    expect(now).toEqual({ code: 0, out: '', err: `${nth(1)} is live, whether it has caught up or not.\n` });
    expect(await indices.live()).toBe(nth(1));
  });

  it('names a generation without consumers in the status, and says how to drop it', async () => {
    await start();
    await indices.makeForeign('00000000-2', 1_000, false);
    const [, abandoned, live, hint] = linesOf((await command(['status'])).out);
    expect(cellsOf(abandoned).slice(0, 2)).toEqual(['00000000-2', 'no consumer']);
    expect(cellsOf(live).slice(0, 2)).toEqual([nth(1), 'live']);
    expect(hint).toMatch(/^No catalog instance consumes for 00000000-2\..*`npm run catalog -- drop 00000000-2`/);
    expect(await command(['drop', '00000000-2'])).toMatchObject({ code: 0 });
    expect(linesOf((await command(['status'])).out)).toHaveLength(2);
  });
});

describe('npm run catalog, with wrong usage or during an outage', () => {
  const { library } = emptyLibrary();

  it.each<[number, string, RegExp, Record<string, string>]>([
    [2, '', /^Usage: catalog status\|rebuild/, {}],
    [2, 'rebiuld', /unknown command 'rebiuld'/, {}],
    [2, 'use', /missing required argument 'generation'/, {}],
    [2, 'use pools', /^"pools" is not a generation/, {}],
    [2, 'rebuild --within 0', /must be an integer from 1/, {}],
    [1, 'use 00000000-7', /^There is no generation 00000000-7/, {}],
    [1, 'verify', /^The aliases do not name one generation/, {}],
    [
      1,
      'status',
      /^OpenSearch at 127\.0\.0\.1:1 does not answer/,
      { OPENSEARCH_URL: 'http://me:secret@127.0.0.1:1', ENGINE_WAIT_MS: '0' },
    ],
    [1, 'status', /^Kafka at 127\.0\.0\.1:1 cannot be used/, { KAFKA_BROKERS: '127.0.0.1:1', ENGINE_WAIT_MS: '0' }],
    [1, 'rebuild', /^Kafka has no topic asset\.published/, { TOPIC_PREFIX: 'nobodys-' }],
  ])('exits with %d for "%s", and prints the reason: %s', async (code, line, message, environment) => {
    const ended = await commandOn(library, line.split(' ').filter(Boolean), environment);
    expect(ended).toMatchObject({ code, err: expect.stringMatching(message) });
  });

  it('prints its help, with the exit codes', async () => {
    const { code, out } = await commandOn(library, ['--help']);
    expect(code).toBe(0);
    expect(out).toMatch(/Exit codes: 0 done, 1 .*, 2 wrong usage, 3 .* not compare/s);
  });
});
