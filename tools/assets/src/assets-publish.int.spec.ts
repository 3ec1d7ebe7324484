import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asset, ndjson, TestLibrary } from './test-library.js';

describe('npm run assets -- publish', () => {
  let library: TestLibrary;
  beforeEach(async () => {
    library = await TestLibrary.create();
  });
  afterEach(() => library.remove());

  it('publishes every line as an event, and nothing when the same file is published again', async () => {
    expect(await library.publish(asset(1), asset(2), asset(3))).toMatchObject({
      code: 0,
      out: '',
      err: 'published 3, unchanged 0, invalid 0\n',
    });
    const first = (await library.messages()).find(({ key }) => key === 'proj_000001');
    expect(first).toMatchObject({ type: 'asset.published.v1', value: asset(1) });
    expect(first?.headers).toMatchObject({ ce_specversion: '1.0', ce_source: '/assets', ce_subject: 'proj_000001' });

    const again = await library.run(['publish', 'some.ndjson']);
    expect(again).toMatchObject({ code: 0, err: 'published 0, unchanged 3, invalid 0\n' });
    expect(await library.sent()).toBe(3);
  });

  it('publishes only the line that changed, whatever the order of its members', async () => {
    await library.publish(asset(1), asset(2));
    const { id, ...others } = asset(1);
    const changed = asset(2, { price: 3 });
    expect((await library.publish({ ...others, id }, changed)).err).toBe('published 1, unchanged 1, invalid 0\n');
    expect(JSON.parse((await library.run(['show', 'proj_000002'])).out)).toEqual(changed);
    expect(await library.sent()).toBe(3);
  });

  it('sends unchanged assets too with --force', async () => {
    await library.publish(asset(1));
    const { err } = await library.run(['publish', '--force', 'some.ndjson']);
    expect(err).toBe('published 1, unchanged 0, invalid 0\n');
    expect(await library.sent()).toBe(2);
  });

  it('tells all faults with their lines, and publishes nothing unless every line is sound', async () => {
    const text = `${ndjson(asset(1))}\n{"id":\n${ndjson(asset(2, { price: -1, colour: 'red' }), asset(1))}`;
    const { code, err } = await library.run(['publish', await library.file(text)]);
    expect(code).toBe(1);
    expect(err.split('\n')).toEqual([
      'line 3: is not valid JSON: Unexpected end of JSON input',
      'line 4: price must be at least 0',
      expect.stringMatching(/^line 4: "colour" is unknown/),
      'line 5: id stands on line 1 already',
      '3 lines are bad, so nothing was published; mend the file, or publish the rest with --skip-invalid',
      'published 0, unchanged 0, invalid 3',
      '',
    ]);
    expect(await library.sent()).toBe(0);
  });

  it('publishes the sound lines with --skip-invalid, and copies the bad ones byte for byte', async () => {
    const [half, long, repeated] = [
      '{"id": "proj_7",  "nam',
      'x'.repeat(1_100_000),
      JSON.stringify(asset(1, { price: 9 })),
    ];
    const path = await library.file(`${ndjson(asset(1))}${half}\n${ndjson(asset(2))}${long}\n${repeated}`);
    const { code, err } = await library.run(['publish', '--skip-invalid', path]);
    expect(code).toBe(1);
    expect(err).toContain('3 lines are bad and copied to some.invalid.ndjson\npublished 2, unchanged 0, invalid 3\n');
    const copied = await readFile(join(library.folder, 'some.invalid.ndjson'), 'utf8');
    expect(copied === `${half}\n${long}\n${repeated}\n`).toBe(true);
    expect((await library.run(['show', 'proj_000001'])).out).toContain('"price": 2.5');
  });

  it('reads standard input, and puts its bad lines into invalid.ndjson', async () => {
    const input = `${ndjson(asset(1))}nonsense`;
    const { code, err } = await library.run(['publish', '--skip-invalid', '-'], { input });
    expect([code, err.split('\n').at(-2)]).toEqual([1, 'published 1, unchanged 0, invalid 1']);
    expect(await readFile(join(library.folder, 'invalid.ndjson'), 'utf8')).toBe('nonsense\n');
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
    const { out } = await library.run(['list']);
    expect(Object.is(JSON.stringify(sorted(JSON.parse(out))), JSON.stringify(sorted(largest)))).toBe(true);
  });

  it('publishes an asset again over a message that is none', async () => {
    await library.publish(asset(1));
    await library.sendPoison('proj_000001');
    expect((await library.run(['publish', 'some.ndjson'])).err).toBe('published 1, unchanged 0, invalid 0\n');
  });

  it('says so in bounded time when Kafka is away, or has no such topic', async () => {
    const started = performance.now();
    const path = await library.file(ndjson(asset(1)));
    const away = await library.run(['publish', path], {
      environment: { KAFKA_BROKERS: '127.0.0.1:1', ENGINE_WAIT_MS: '0' },
    });
    expect(away).toMatchObject({ code: 1, err: expect.stringContaining('Kafka at 127.0.0.1:1 cannot be used') });
    const lost = await library.run(['publish', path], { environment: { TOPIC_PREFIX: `${library.topicPrefix}no-` } });
    expect(lost).toMatchObject({ code: 1, err: expect.stringContaining('Kafka has no topic asset.published') });
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});

function sorted(members: object): object {
  return Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
}
