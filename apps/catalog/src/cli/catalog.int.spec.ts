import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '@carbon/config';
import { eventually } from '@carbon/testing';
import { mappingHash } from '../indexing/revision.js';
import { asset } from '../test-asset.js';
import { startCatalog, type TestCatalog, type TestLibrary, testLibrary, testSettings } from '../test-catalog.js';
import { TestIndices } from '../test-indices.js';

const CLI = fileURLToPath(new URL('../../dist/cli/catalog.js', import.meta.url));
const nth = (number: number) => `${mappingHash()}-${number}`;

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** @param told what it has said so far, growing */
function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  told = { out: '', err: '' },
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], { env: { ...inheritedEnvironment(), ...environment } });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      told.err += text;
    });
    child.on('error', reject).on('close', (code) => resolve({ code, ...told }));
  });
}

describe('npm run catalog', () => {
  let library: TestLibrary;
  let indices: TestIndices;
  let catalog: TestCatalog | undefined;
  const command = (args: readonly string[], more: Record<string, string> = {}, told = { out: '', err: '' }) =>
    run(args, { ...testSettings(library.prefix), ...more }, told);
  const start = async () => {
    catalog = await startCatalog(library.prefix);
    await catalog.ready();
  };
  const lines = (text: string) => text.trimEnd().split('\n');

  beforeEach(async () => {
    library = await testLibrary();
    indices = new TestIndices(library.prefix);
    await library.publish(asset('pool_a'), asset('proj_a'), asset('proj_b'));
  });
  afterEach(async () => {
    await catalog?.close();
    catalog = undefined;
    await indices.close();
    await library.close();
  });

  it('rebuilds, tells how the generations stand, goes back, and removes what is not live', async () => {
    await start();
    const rebuilt = await command(['rebuild']);
    expect(rebuilt).toMatchObject({ code: 0, out: '' });
    expect(lines(rebuilt.err)[0]).toBe(`${nth(2)} is begun.`);
    expect(lines(rebuilt.err).at(-1)).toMatch(new RegExp(`^${nth(2)} is live\\. 3 messages in .* a second$`));

    const { code, out } = await command(['status']);
    expect(code).toBe(0);
    const [headings, live, ...others] = lines(out).map((line) => line.split(/ {2,}/));
    expect(headings).toEqual(['GENERATION', 'STATE', 'REVISION', 'POOLS', 'PROJECTS', 'BEHIND', 'AGE']);
    expect(live).toEqual([nth(2), 'live', expect.any(String), '1', '2', 'nothing', '0 min']);
    expect(others).toEqual([[nth(1), expect.stringMatching(/^retired at|^left behind/), ...(live ?? []).slice(2)]]);

    expect(await command(['drop', nth(2)])).toMatchObject({ code: 1, err: expect.stringContaining('is live') });
    expect(await command(['use', nth(1)])).toMatchObject({
      code: 0,
      err: expect.stringContaining(`${nth(1)} is live`),
    });
    expect(await indices.live()).toBe(nth(1));
    expect(await command(['drop', nth(2)])).toEqual({ code: 0, out: '', err: `${nth(2)} is removed.\n` });
    expect(await indices.names()).toEqual([`pools-${nth(1)}`, `projects-${nth(1)}`]);
    expect((await command(['verify'])).out).toBe(`It holds: ${nth(1)} is what the topic says, 3 assets.\n`);
  });

  it('ends with 1 when the index differs, and prints how', async () => {
    await start();
    await indices.ask('POST', `/${library.prefix}pools/_update/pool_a`, { doc: { name: 'Another' } });
    const { code, out } = await command(['verify', '--lines', '1']);
    expect(code).toBe(1);
    expect(lines(out)[0]).toBe('different pool_a: name is "Another", should be "pool_a"');
  });

  it('says who is missing when nobody feeds the new generation, and goes on when somebody does', async () => {
    const told = { out: '', err: '' };
    const rebuilding = command(['rebuild', '--within', '120'], {}, told);
    await eventually(() => expect(told.err).toContain('No catalog instance feeds'));
    await start();
    const { code, err } = await rebuilding;
    expect(code).toBe(0);
    expect(err).toContain(`No catalog instance feeds ${nth(1)}. It waits for one whose mapping is ${mappingHash()}`);
    expect(err).not.toContain('catalog -- drop');
    expect(err).toContain(`${nth(1)} is live.`);
  });

  it('stays no longer than it is told, and joins what is being built already', async () => {
    expect(await command(['rebuild', '--no-wait'])).toMatchObject({ code: 0 });
    const { code, err } = await command(['rebuild', '--within', '1']);
    expect(code).toBe(1);
    expect(err).toContain(`${nth(1)} is being built already.`);
    expect(err).toContain(`${nth(1)} is not live yet, and time is up.`);
    expect(await indices.names()).toHaveLength(2);
  });

  it('removes nothing while nothing is live, and lets searches go at once to what has not caught up when told to', async () => {
    await command(['rebuild', '--no-wait']);
    const dropped = await command(['drop', nth(1)]);
    expect(dropped).toMatchObject({ code: 1, err: expect.stringContaining('Nothing is live, so nothing is removed') });
    const hint = lines((await command(['status'])).out).at(-1);
    expect(hint).toMatch(/^No catalog instance feeds .*\. It cannot be given up before another generation is live\.$/);
    expect(await indices.names()).toHaveLength(2);
    const now = await command(['use', nth(1), '--now']);
    expect(now).toEqual({ code: 0, out: '', err: `${nth(1)} is live, caught up or not.\n` });
    expect(await indices.live()).toBe(nth(1));
  });

  it('says in the status that nobody feeds a generation which is to go live, and how to give it up', async () => {
    await start();
    await indices.makeForeign('00000000-2', 1_000, false);
    const { out } = await command(['status']);
    const [, abandoned, live, hint] = lines(out);
    expect(abandoned?.split(/ {2,}/).slice(0, 2)).toEqual(['00000000-2', 'fed by nobody']);
    expect(live?.split(/ {2,}/).slice(0, 2)).toEqual([nth(1), 'live']);
    expect(hint).toMatch(/^No catalog instance feeds 00000000-2\..*`npm run catalog -- drop 00000000-2`/);
    expect(await command(['drop', '00000000-2'])).toMatchObject({ code: 0 });
    expect(lines((await command(['status'])).out)).toHaveLength(2);
  });
});

describe('npm run catalog where there is nothing to do', () => {
  let library: TestLibrary;
  const command = (args: readonly string[], more: Record<string, string> = {}, told = { out: '', err: '' }) =>
    run(args, { ...testSettings(library.prefix), ...more }, told);
  // None of these changes anything, so one library is enough.
  beforeAll(async () => {
    library = await testLibrary();
  });
  afterAll(() => library.close());

  it.each<[string[], RegExp]>([
    [[], /^Usage: catalog status\|rebuild/],
    [['rebiuld'], /unknown command 'rebiuld'/],
    [['use'], /missing required argument 'generation'/],
    [['use', 'pools'], /^"pools" is no generation/],
    [['rebuild', '--within', '0'], /must be a whole number from 1/],
    [['verify', '--lines', 'all'], /must be a whole number from 1/],
  ])('ends with 2 for the wrong usage %j, and says what is wrong', async (args, message) => {
    const { code, err } = await command(args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) });
  });

  it.each<[string[], Record<string, string>, RegExp]>([
    [['use', '00000000-7'], {}, /^There is no generation 00000000-7/],
    [['verify'], {}, /^The aliases do not stand for one generation/],
    [
      ['status'],
      { OPENSEARCH_URL: 'http://me:secret@127.0.0.1:1', ENGINE_WAIT_MS: '0' },
      /^OpenSearch at 127\.0\.0\.1:1 does not answer/,
    ],
    [['status'], { KAFKA_BROKERS: '127.0.0.1:1', ENGINE_WAIT_MS: '0' }, /^Kafka at 127\.0\.0\.1:1 cannot be used/],
    [['rebuild'], { TOPIC_PREFIX: 'nobodys-' }, /^Kafka has no topic asset\.published/],
  ])('ends with 1 when %j with %j cannot be done, and says why', async (args, environment, message) => {
    const { code, err } = await command(args, environment);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(message) });
  });

  it('explains itself and ends with 0 when asked to', async () => {
    const { code, out } = await command(['rebuild', '--help']);
    expect(code).toBe(0);
    expect(out).toContain('--no-wait');
  });

  it('says how it ends', async () => {
    expect((await command(['--help'])).out).toMatch(/Exit codes: 0 done, 1 .*, 2 wrong usage, 3 .* not compare/s);
    expect((await command(['verify', '--help'])).out).toMatch(
      /exit 1 when it differs, 3\s+when not all could be\s+compared/,
    );
  });
});
