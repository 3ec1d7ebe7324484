import { asset, TestLibrary } from './test-library.js';

describe('npm run assets', () => {
  let library: TestLibrary;
  beforeAll(async () => {
    library = await TestLibrary.create();
  });
  afterAll(() => library.remove());

  it('withdraws assets, tells the ids it does not know, and lists what is left by id', async () => {
    await library.publish(asset(3), asset(1), asset(2));
    const withdrawn = await library.run(['withdraw', 'proj_000002', 'proj_nobody']);
    expect(withdrawn).toMatchObject({ code: 1, err: 'proj_nobody is not in the library\nwithdrawn 1, unknown 1\n' });
    const tombstone = (await library.messages()).find(({ value }) => value === null);
    expect(tombstone).toMatchObject({ key: 'proj_000002', headers: { ce_type: 'asset.published.v1' } });

    await library.sendPoison('proj_000003');
    const { code, out, err } = await library.run(['list']);
    expect([code, err]).toEqual([0, '1 messages of the topic are not assets and are left out\n']);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([asset(1), asset(3)]);

    const gone = { code: 1, out: '', err: 'proj_000002 is not in the library\n' };
    expect(await library.run(['show', 'proj_000002'])).toMatchObject(gone);
    expect(await library.run(['withdraw', 'proj_000002'])).toMatchObject({ code: 1 });
  });

  it('publishes again what was withdrawn, and withdraws it again', async () => {
    await library.publish(asset(4));
    expect(await library.run(['withdraw', 'proj_000004'])).toMatchObject({ code: 0, err: 'withdrawn 1, unknown 0\n' });
    expect((await library.publish(asset(4))).err).toBe('published 1, unchanged 0, invalid 0\n');
    expect(JSON.parse((await library.run(['show', 'proj_000004'])).out)).toEqual(asset(4));
    expect(await library.run(['withdraw', 'proj_000004', 'proj_000004'])).toMatchObject({ code: 0 });
  });

  it.each<[string[], RegExp]>([
    [[], /^Usage: assets publish\|withdraw\|list\|show/],
    [['publish'], /missing required argument 'file'/],
    [['publsh', 'x'], /unknown command 'publsh'/],
    [['publish', 'none.ndjson'], /^none\.ndjson cannot be read \(ENOENT\)\n$/],
    [['publish', '.'], /^\. is a directory: name a file with one asset a line\n$/],
    [['withdraw'], /missing required argument 'id'/],
    [['show', 'BCT'], /^"BCT" is not an asset's id/],
  ])('ends with 2 for the wrong usage %j, and says what is wrong', async (args, message) => {
    const { code, err } = await library.run(args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) });
  });

  it('ends with 2 for a wrong setting', async () => {
    const { code, err } = await library.run(['list'], { environment: { KAFKA_BROKERS: 'nowhere' } });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('KAFKA_BROKERS must be') });
  });

  it('explains itself and ends with 0 when asked to', async () => {
    const { code, out } = await library.run(['publish', '--help']);
    expect(code).toBe(0);
    expect(out).toContain('--skip-invalid');
    expect(out).toContain('Required: id, type, source, name.');
  });
});
