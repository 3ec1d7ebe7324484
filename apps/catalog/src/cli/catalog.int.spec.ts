import { runInProcess } from '@carbon/testing';
import { MAPPING_REVISION } from '../index/mapping.js';
import { testSettings } from '../testing/catalog.js';
import { nth } from '../testing/indices.js';
import { asset, type TestLibrary } from '../testing/library.js';
import { emptyLibrary, freshLibrary } from '../testing/set-up.js';
import { catalogCommand } from './command.js';

const linesOf = (text: string) => text.trimEnd().split('\n');
const rowsOf = (text: string) => linesOf(text).map((line) => JSON.parse(line) as object);

const commandOn = async (
  { prefix }: TestLibrary,
  args: readonly string[],
  more: Record<string, string> = {},
  columns?: number,
) => {
  const environment = { ...testSettings(prefix), ...more };
  const terminal = columns === undefined ? {} : { columns };
  const { code, out, err } = await runInProcess(catalogCommand, args, { environment, ...terminal });
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
    const rest = { revision: MAPPING_REVISION, pools: 1, projects: 2, behind: 0, createdAt: expect.any(String) };
    // An instance records within seconds that the old one is retired.
    const old = { generation: nth(1), state: expect.stringMatching(/^(retired|outdated)$/), ...rest };
    expect(rowsOf(out)).toEqual([{ generation: nth(2), state: 'live', ...rest }, expect.objectContaining(old)]);
    const [headings, ...rows] = linesOf((await commandOn(library, ['status'], {}, 200)).out);
    expect(headings).toMatch(/GENERATION +STATE +REVISION +POOLS +PROJECTS +BEHIND +AGE/);
    expect(rows).toEqual([
      expect.stringMatching(`^${nth(2)} +live +\\d+ +1 +2 +nothing +\\d+ min$`),
      expect.stringMatching(`^${nth(1)} +(retired at \\S+Z|outdated) +\\d+ +1 +2 +nothing +\\d+ min$`),
    ]);

    expect(await command(['drop', nth(2)])).toMatchObject({ code: 1, err: expect.stringContaining('is live') });
    const used = await command(['use', nth(1)]);
    expect(used).toMatchObject({ code: 0, err: expect.stringContaining(`${nth(1)} is live`) });
    expect(await indices.live()).toBe(nth(1));
    expect(await command(['drop', nth(2)])).toEqual({ code: 0, out: '', err: `${nth(2)} is removed.\n` });
    expect(await indices.names()).toEqual([`pools-${nth(1)}`, `projects-${nth(1)}`]);
    expect((await command(['verify'])).out).toBe(`OK: ${nth(1)} matches the topic, 3 assets.\n`);
    const asJson = JSON.parse((await command(['verify', '--json'])).out);
    expect(asJson).toMatchObject({ verdict: 'OK', generation: nth(1), assets: 3, missing: 0, discrepancies: [] });

    await indices.ask('POST', `/${library.prefix}pools/_update/pool_a`, { doc: { name: 'Another' } });
    const verified = await command(['verify', '--lines', '1']);
    expect(verified.code).toBe(1);
    expect(linesOf(verified.out)[0]).toBe('different pool_a: name is "Another", should be "pool_a"');
  });

  it('removes nothing while no generation is live, and with --now makes a generation live before it has caught up', async () => {
    expect(await command(['rebuild', '--no-wait'])).toMatchObject({ code: 0 });
    const dropped = await command(['drop', nth(1)]);
    expect(dropped).toMatchObject({ code: 1, err: expect.stringContaining('Nothing is live, so nothing is removed') });
    const hint = linesOf((await command(['status'])).err).at(-1);
    expect(hint).toMatch(
      /^No catalog instance is filling .*\. It cannot be dropped before another generation is live\.$/,
    );
    expect(await indices.names()).toHaveLength(2);
    const now = await command(['use', nth(1), '--now']);
    expect(now).toEqual({ code: 0, out: '', err: `${nth(1)} is live, whether it has caught up or not.\n` });
    expect(await indices.live()).toBe(nth(1));
  });

  it('names a generation without consumers in the status, and says how to drop it', async () => {
    await start();
    await indices.makeForeign('00000000-2', 1_000, false);
    const { out, err } = await command(['status']);
    expect(rowsOf(out)).toMatchObject([
      { generation: '00000000-2', state: 'no consumer' },
      { generation: nth(1), state: 'live' },
    ]);
    expect(linesOf(err).at(-1)).toMatch(
      /^No catalog instance is filling 00000000-2\..*`npm run catalog -- drop 00000000-2`/,
    );
    expect(await command(['drop', '00000000-2'])).toMatchObject({ code: 0 });
    expect(rowsOf((await command(['status'])).out)).toHaveLength(1);
  });
});

describe('npm run catalog, with a usage error or during an outage', () => {
  const { library } = emptyLibrary();

  it.each<[number, string, RegExp, Record<string, string>]>([
    [2, '', /^Usage: catalog status\|rebuild/, {}],
    [2, 'rebiuld', /unknown command 'rebiuld'/, {}],
    [2, 'use', /missing required argument 'generation'/, {}],
    [2, 'use pools', /^"pools" is not a generation/, {}],
    [2, 'rebuild --within 0', /must be an integer from 1/, {}],
    [1, 'use 00000000-7', /^There is no generation 00000000-7/, {}],
    [1, 'verify', /^The aliases do not both point to the same generation/, {}],
    [
      75,
      'status',
      /^OpenSearch at 127\.0\.0\.1:1 cannot be used/,
      { OPENSEARCH_URL: 'http://me:secret@127.0.0.1:1', ENGINE_WAIT_MS: '0' },
    ],
    [75, 'verify', /^Kafka at 127\.0\.0\.1:1 cannot be used/, { KAFKA_BROKERS: '127.0.0.1:1', ENGINE_WAIT_MS: '0' }],
    [1, 'rebuild', /^Kafka has no topic asset\.published/, { TOPIC_PREFIX: 'nobodys-' }],
  ])('exits with %d for "%s", and prints the reason: %s', async (code, line, message, environment) => {
    const ended = await commandOn(library, line.split(' ').filter(Boolean), environment);
    expect(ended).toMatchObject({ code, err: expect.stringMatching(message) });
  });

  it('prints its help, with the exit codes', async () => {
    const { code, out } = await commandOn(library, ['--help']);
    expect(code).toBe(0);
    expect(out).toMatch(/Exit codes: 0 done, 1 .*, 2 usage error, 3 .* not compare.*, 75 an engine/s);
  });
});
