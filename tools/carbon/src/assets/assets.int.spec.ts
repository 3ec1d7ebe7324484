import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asset, ndjson, TestLibrary } from './testing/library.js';

let library: TestLibrary;
beforeEach(async () => {
  library = await TestLibrary.create();
});
afterEach(() => library.remove());

describe('assets publish', () => {
  it('publishes every line as an event, then only what changed, and all of it with --force', async () => {
    expect(await library.publish(asset(1), asset(2), asset(3))).toMatchObject({
      code: 0,
      out: '',
      err: 'published 3, unchanged 0, invalid 0\n',
    });
    const first = (await library.messages()).find(({ key }) => key === 'proj_000001');
    expect(first).toMatchObject({ type: 'asset.published.v1', value: asset(1) });
    expect(first?.headers).toMatchObject({ ce_specversion: '1.0', ce_source: '/assets', ce_subject: 'proj_000001' });

    const { id, ...others } = asset(1);
    const again = await library.publish({ ...others, id }, asset(2, { price: 3 }), asset(3));
    expect(again).toMatchObject({ code: 0, err: 'published 1, unchanged 2, invalid 0\n' });
    expect((await library.run(['publish', '--force', join(library.folder, 'some.ndjson')])).err).toContain(
      'published 3, unchanged 0',
    );
    expect(await library.messages()).toHaveLength(3 + 1 + 3);
    expect((await library.listed()).assets).toEqual([asset(1), asset(2, { price: 3 }), asset(3)]);
  });

  it('reports all errors with their lines, and publishes nothing unless every line is valid', async () => {
    const text = `${ndjson(asset(1))}\n{"id":\n${ndjson(asset(2, { price: -1, colour: 'red' }), asset(1))}`;
    const { code, err } = await library.run(['publish', await library.file(text)]);
    expect(code).toBe(1);
    expect(err.split('\n')).toEqual([
      'line 3: is not valid JSON: Unexpected end of JSON input',
      'line 4: price must be at least 0',
      expect.stringMatching(/^line 4: "colour" is unknown/),
      'line 5: id is already used on line 1',
      '3 lines are invalid, so nothing was published; fix the file, or publish the rest with --skip-invalid',
      'published 0, unchanged 0, invalid 3',
      '',
    ]);
    expect(await library.messages()).toEqual([]);
  });

  it('publishes the valid lines with --skip-invalid, and copies the bad ones byte for byte', async () => {
    const bad = [
      '{"id": "proj_7",  "nam',
      'x'.repeat(1_100_000),
      JSON.stringify(asset(1, { price: 9 })),
      'ö'.repeat(600_000),
    ];
    const text = `${JSON.stringify(asset(1))}\r\n \t\r\n${bad[0]}\n${bad[1]}\n${ndjson(asset(2))}\n${bad[2]}\n${bad[3]}`;
    const { code, err } = await library.run(['publish', '--skip-invalid', await library.file(text)]);
    expect(code).toBe(1);
    const copy = join(library.folder, 'some.invalid.ndjson');
    expect(err).toContain(`4 lines are invalid and copied to ${copy}\npublished 2, unchanged 0, invalid 4\n`);
    const copied = await readFile(join(library.folder, 'some.invalid.ndjson'), 'utf8');
    expect(copied === `${bad.join('\n')}\n`).toBe(true);
    expect((await library.listed()).assets).toEqual([asset(1), asset(2)]);
  });

  it('reads standard input, and writes its bad lines to invalid.ndjson', async () => {
    const input = `${ndjson(asset(1))}nonsense`;
    const { code, err } = await library.spawn(['publish', '--skip-invalid', '-'], { input });
    expect([code, err.split('\n').at(-2)]).toEqual([1, 'published 1, unchanged 0, invalid 1']);
    expect(await readFile(join(library.folder, 'invalid.ndjson'), 'utf8')).toBe('nonsense\n');
  });

  it('keeps a file of bad lines that it reads when Kafka does not take the repaired ones', async () => {
    const file = join(library.folder, 'invalid.ndjson');
    const input = `${ndjson(asset(1))}nonsense`;
    await writeFile(file, input);
    const environment = { KAFKA_BROKERS: '127.0.0.1:9', ENGINE_WAIT_MS: '1' };
    const { code } = await library.spawn(['publish', '--skip-invalid', '-'], { input, environment });
    expect([code, await readFile(file, 'utf8')]).toEqual([75, input]);
  });

  it('publishes nothing with --if-empty once the library had an asset, even if none is left', async () => {
    const file = await library.file(ndjson(asset(1)));
    const ran = () => library.run(['publish', '--if-empty', file]);
    expect((await ran()).err).toBe('published 1, unchanged 0, invalid 0\n');
    await library.run(['withdraw', 'proj_000001']);
    expect(await ran()).toMatchObject({ code: 0, err: 'The library has been published before: nothing is sent.\n' });
    expect((await library.listed()).assets).toEqual([]);
  });

  it('publishes a line with a future vintage, with a warning', async () => {
    const year = new Date().getUTCFullYear() + 1;
    const { code, err } = await library.publish(asset(1), asset(2, { vintages: [year] }));
    expect([code, err]).toEqual([
      0,
      `line 2: warning: vintages has ${year}, after the current year; credits of a later year cannot be issued yet\n` +
        'published 2, unchanged 0, invalid 0\n',
    ]);
  });

  it('publishes the largest asset that the contract allows', async () => {
    const wide = '😀';
    const words = ['ticker', 'chain', 'registry', 'registryId', 'country', 'region'];
    const largest = asset(1, {
      ...Object.fromEntries(words.map((name) => [name, wide.repeat(256)])),
      name: wide.repeat(512),
      description: wide.repeat(10_000),
      categories: Array(100).fill(wide.repeat(256)),
      methodologies: Array(100).fill(wide.repeat(256)),
      vintages: Array(100).fill(-2_147_483_648),
      sdgs: Array(100).fill(17),
    });
    expect((await library.publish(largest)).err).toBe('published 1, unchanged 0, invalid 0\n');
    const [listed] = (await library.listed()).assets;
    expect(Object.entries(largest).every(([name, value]) => isSame(value, Reflect.get(Object(listed), name)))).toBe(
      true,
    );
  });

  it('withdraws more assets than the producer accepts at a time', async () => {
    const all = Array.from({ length: 2_500 }, (_, n) => asset(n));
    await library.publish(...all);
    const ran = await library.run(['withdraw', ...all.map(({ id }) => id)]);
    expect(ran).toMatchObject({ code: 0, err: 'withdrawn 2500, unknown 0\n' });
  });

  it('publishes a file of some thousand lines once, and lists the newest version of each in order', async () => {
    // More than fits into one request to Kafka, several times.
    const description = (n: number) => `🌳${'–'.repeat(500 + (n % 800))}`;
    const all = Array.from({ length: 3_000 }, (_, n) => asset(n, { description: description(n) }));
    const changed = all.map((one, n) => (n % 100 === 7 ? { ...one, price: 3 } : one));
    const withdrawn = all.filter((_, n) => n % 100 === 8).map(({ id }) => id);
    // A slow machine prints lines of progress before the last one.
    const lastLine = ({ err }: { err: string }) => err.split('\n').at(-2);
    expect(lastLine(await library.publish(...all.toReversed()))).toBe('published 3000, unchanged 0, invalid 0');
    expect(lastLine(await library.publish(...changed))).toBe('published 30, unchanged 2970, invalid 0');
    expect(lastLine(await library.run(['withdraw', ...withdrawn]))).toBe('withdrawn 30, unknown 0');
    expect((await library.listed()).assets).toEqual(changed.filter(({ id }) => !withdrawn.includes(id)));
  });
});

describe('assets withdraw, list and show', () => {
  it('withdraw assets, name unknown ids, and ignore messages that are not assets', async () => {
    await library.publish(asset(3), asset(1), asset(2));
    const ran = await library.run(['withdraw', 'proj_000002', 'proj_nobody']);
    expect(ran).toMatchObject({ code: 1, err: 'proj_nobody is not in the library\nwithdrawn 1, unknown 1\n' });
    const tombstone = (await library.messages()).find(({ value }) => value === null);
    expect(tombstone).toMatchObject({ key: 'proj_000002', headers: { ce_type: 'asset.published.v1' } });

    await library.sendPoison('proj_000003');
    await library.sendPoison('proj_000001', JSON.stringify(asset(3, { name: 'Under the key of another' })));
    expect(await library.listed()).toEqual({
      assets: [asset(1), asset(3)],
      err: 'omitted 2 invalid messages of the topic\n',
    });
    const gone = { code: 1, out: '', err: 'proj_000002 is not in the library\n' };
    expect(await library.run(['show', 'proj_000002'])).toMatchObject(gone);
    expect(await library.run(['withdraw', 'proj_000002'])).toMatchObject({ code: 1 });

    expect((await library.run(['publish', join(library.folder, 'some.ndjson')])).err).toBe(
      'published 3, unchanged 0, invalid 0\n',
    );
    for (const args of [
      ['show', 'proj_000002'],
      ['show', 'proj_000002', '--json'],
    ])
      expect(JSON.parse((await library.run(args)).out)).toEqual(asset(2));
    expect((await library.run(['list'], { columns: 80 })).out).toMatch(/ID .*\nproj_000001 /);
    expect(await library.run(['list', '--json'], { columns: 80 })).toEqual(await library.run(['list']));
    expect(await library.run(['withdraw', 'proj_000002', 'proj_000002'])).toMatchObject({ code: 0 });
  });
});

describe('assets', () => {
  it('exits with 2 on a usage error, with 75 without Kafka, with 1 without the topic, and says what is wrong', async () => {
    const path = await library.file(ndjson(asset(1)));
    const away = { KAFKA_BROKERS: '127.0.0.1:1', ENGINE_WAIT_MS: '0' };
    const rows: [number, string[], RegExp, Record<string, string>?][] = [
      [2, [], /^Usage: carbon assets publish\|withdraw\|list\|show/],
      [2, ['publsh', 'x'], /unknown command 'publsh'/],
      [2, ['publish', 'none.ndjson'], /^none\.ndjson cannot be read \(ENOENT\)\n$/],
      [2, ['publish', '.'], /^\. is a directory: name a file with one asset a line\n$/],
      [2, ['show', 'BCT'], /^"BCT" is not the id of an asset/],
      [2, ['list'], /KAFKA_BROKERS must be/, { KAFKA_BROKERS: 'nowhere' }],
      [75, ['publish', path], /^Kafka at 127\.0\.0\.1:1 cannot be used/m, away],
      [75, ['list'], /^Kafka at 127\.0\.0\.1:1 cannot be used/, away],
      [1, ['publish', path], /^Kafka has no topic asset\.published/m, { TOPIC_PREFIX: `${library.topicPrefix}no-` }],
    ];
    const ran = await Promise.all(rows.map(([, args, , environment]) => library.run(args, { environment })));
    expect(ran).toMatchObject(
      rows.map(([code, , message]) => ({ code, out: '', err: expect.stringMatching(message) })),
    );
  });

  it('prints its help', async () => {
    const { code, out } = await library.run(['publish', '--help']);
    expect([code, out]).toEqual([0, expect.stringContaining('Required: id, type, source, name.')]);
  });
});

/** Does not print the difference, because that would be megabytes. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
