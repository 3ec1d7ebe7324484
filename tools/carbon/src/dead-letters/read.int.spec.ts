import { stripVTControlCharacters } from 'node:util';
import { deadLetterTopic } from '@carbon/contracts';
import { DeadLetterTopics, request, requestMessage } from './testing/dead-letter-topics.js';

const TOPIC = 'offset.requested';

let topics: DeadLetterTopics;
beforeAll(async () => {
  topics = await DeadLetterTopics.create();
  topics.consume(TOPIC, async ({ messages }) =>
    messages.flatMap(({ position, key }) =>
      key.startsWith('off_conflict') ? [{ position, code: 'idempotency_conflict', detail: '' }] : [],
    ),
  );
});
afterAll(() => topics.remove());

const placeOf = async (...given: Parameters<typeof requestMessage>) =>
  (await topics.giveUp(TOPIC, requestMessage(...given)))[0] ?? '';

describe('dead-letters list', () => {
  const lines = async (...args: string[]) => {
    const { out } = await topics.run(['list', ...args]);
    return out.split('\n').filter((line) => line !== '');
  };
  beforeAll(async () => {
    await placeOf('off_1', '{"id"');
    await placeOf('off_2', '[1]');
    await placeOf('off_conflict', request());
    await placeOf('off_\u001b[2J\u202e\n4', '?');
  });

  it('prints a table at a terminal, and counts the reasons', async () => {
    const { code, out, err } = await topics.run(['list'], { columns: 200 });
    expect(code).toBe(0);
    const [titles, ...rows] = stripVTControlCharacters(out).split('\n');
    expect(titles?.split(/ +/)).toEqual(['PLACE', 'AT', 'REASON', 'ORIGINAL', 'HANDLER', 'ATTEMPTS', 'KEY']);
    expect(rows).toEqual([
      expect.stringMatching(
        /^offset\.requested:0 +\d{4}-\d\d-\d\dT[\d:.]+Z +invalid_json +offset\.requested\/\d+:\d+ +offset\.requested\.reader +0 +off_1$/,
      ),
      expect.stringMatching(/^offset\.requested:1 .* invalid_data .* off_2$/),
      expect.stringMatching(/^offset\.requested:2 .* idempotency_conflict .* 1 +off_conflict$/),
      expect.stringContaining('  off_\\u{1b}[2J\\u{202e}\\u{a}4'),
      '',
    ]);
    expect(err.split('\n')).toEqual([
      'offset.requested: 4 (invalid_json 2, idempotency_conflict 1, invalid_data 1)',
      'offset.completed: no dead letters',
      'offset.failed: no dead letters',
      'asset.published: no dead letters',
      '',
    ]);
  });

  it('prints a line of JSON for each into a pipe, and only those of a given topic, reason or time', async () => {
    const all = await lines('--json', '--topic', deadLetterTopic(TOPIC));
    expect(all).toHaveLength(4);
    const third = JSON.parse(all[2] ?? '');
    expect(third).toEqual({
      place: 'offset.requested:2',
      at: expect.stringMatching(/Z$/),
      appendedAt: expect.stringMatching(/Z$/),
      reason: 'idempotency_conflict',
      original: { topic: TOPIC, partition: expect.any(Number), position: expect.stringMatching(/^\d+$/) },
      handler: 'offset.requested.reader',
      attempts: 1,
      firstFailedAt: expect.stringMatching(/Z$/),
      key: 'off_conflict',
      bytes: expect.any(Number),
    });
    expect(await lines('--json', '--since', third.at)).toEqual(all.slice(2));
    expect(await lines('--reason', 'invalid_data', '--since', '1h')).toEqual([all[1]]);
    expect(await lines('--since', '2999-01-01T00:00:00Z')).toEqual([]);
    expect(await lines('--topic', 'asset.published')).toEqual([]);
  });
});

describe('dead-letters show', () => {
  it('prints everything: place, reason, handler, origin, headers, bytes, and the error', async () => {
    const place = await placeOf('off_1', { ...request(), id: 'off_1', kgCO2e: -1, customerRef: 'Käse 🌳' });
    const { code, out } = await topics.run(['show', place], { columns: 80 });
    expect(code).toBe(0);
    const head = ['dead letter    ', 'reason         ', 'key            ', 'ce_type        ', 'x-request-id   '];
    const values = [place, 'invalid_data', 'off_1', 'offset.requested.v1', 'r-1'];
    expect(out.split('\n')).toEqual(expect.arrayContaining(head.map((name, at) => `${name}${values[at]}`)));
    expect(out).toMatch(/original {7}offset\.requested, partition \d+, position \d+\n/);
    expect(out).toMatch(/appended {7}\d{4}-.+Z\n/);
    expect(out).toMatch(/now {12}would fail again: invalid_data: id: must be an offset id; kgCO2e: .+\n/);
    expect(out).toContain('"customerRef":"Käse 🌳"');
    expect(out).not.toContain('x-reason-code');
  });

  it('prints bytes that are not text as hexadecimal digits, and unchanged with --raw; null is empty', async () => {
    const bytes = Buffer.from([0x00, 0xff, 0x0a, 0xfe, 0x80]);
    const place = await placeOf('off_2', bytes);
    expect((await topics.run(['show', place], { columns: 80 })).out).toMatch(/\n\n00ff0afe80\n$/);
    expect((await topics.run(['show', '--raw', place])).bytes).toEqual(bytes);
    const [none = ''] = await topics.giveUp(TOPIC, { key: 'off_5', value: null });
    expect((await topics.run(['show', none], { columns: 80 })).out).toContain('value          none (null)');
    const raw = await topics.run(['show', '--raw', none]);
    expect(raw).toMatchObject({ code: 0, out: '', err: expect.stringContaining('null') });
  });

  it('prints everything as JSON, without control sequences', async () => {
    const value = '"\u001b]0;owned\u0007\u202e';
    const odd = { twice: ['1', '2'], odd: Buffer.from([0xff]), evil: '\u001b[2J' };
    const place = await placeOf('off_3', value, odd);
    expect(JSON.parse((await topics.run(['show', place])).out)).toMatchObject({
      place,
      reason: 'invalid_json',
      original: { topic: TOPIC },
      fault: { code: 'invalid_json' },
      key: { text: 'off_3' },
      value: { text: value },
      headers: expect.arrayContaining([
        { name: 'twice', text: '1' },
        { name: 'twice', text: '2' },
        { name: 'odd', hex: 'ff' },
      ]),
    });
    const { out } = await topics.run(['show', place], { columns: 80 });
    expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    expect(out).toContain('\\u{1b}]0;owned\\u{7}\\u{202e}');
  });

  it('reads the original of a dead letter that was cut, if the topic still has it', async () => {
    await topics.boundMessages(deadLetterTopic(TOPIC), 4096);
    const value = JSON.stringify({ filler: 'x'.repeat(20_000) });
    const place = await placeOf('off_6', value);
    expect((await topics.run(['list', '--json', '--topic', TOPIC])).out).toMatch(/"cutBytes":1\d{4}/);
    expect((await topics.run(['show', '--raw', place])).out).toBe(value);
    expect((await topics.run(['show', place], { columns: 80 })).out).not.toContain('cut off');

    await topics.deleteRecords(TOPIC);
    const { code, err } = await topics.run(['show', '--raw', place]);
    expect(code).toBe(1);
    expect(err).toMatch(/\d+ bytes were cut off, and the original at offset\.requested\/\d+:\d+ is no longer kept/);
    expect((await topics.run(['show', place], { columns: 80 })).out).toMatch(/cut +\d+ bytes were cut off/);
  });
});

describe('dead-letters', () => {
  it('exits with 2 on a usage error, 75 when Kafka does not respond, 1 when a dead letter is missing, 0 for help', async () => {
    const PLACE = 'offset.requested:0';
    const away = { KAFKA_BROKERS: '127.0.0.1:1', ENGINE_WAIT_MS: '0' };
    const rows: [number, string[], RegExp, Record<string, string>?][] = [
      [2, ['list', '--topic', 'offset.unknown'], /there is no such topic/],
      [2, ['list', '--since', '2026-01-01T00:00:00'], /'2026-01-01T00:00:00' is invalid/],
      [2, ['list', PLACE], /too many arguments/],
      [2, ['frobnicate'], /unknown command/],
      [2, ['show', '17'], /must be <topic>:<position>/],
      [2, ['show', 'offset.requested:-1'], /must be <topic>:<position>/],
      [2, ['replay'], /name dead letters, or say --all/],
      [2, ['replay', '--all'], /--all needs a --reason/],
      [2, ['replay', PLACE, '--all', '--reason', 'invalid_json'], /name dead letters, or say --all/],
      [2, ['replay', PLACE, '--reason', 'invalid_json'], /--reason, --topic and --since go with --all/],
      [2, ['replay', PLACE, 'offset.requested:1', '--key', 'k'], /correct one dead letter at a time/],
      [2, ['replay', PLACE, '--value', 'there-is-no-such-file'], /there-is-no-such-file cannot be read/],
      [75, ['list'], /^Kafka at 127\.0\.0\.1:1 cannot be .* Is it running/m, away],
      [75, ['replay', PLACE], /sent 0, unchanged 0, refused 0/, away],
      [1, ['list'], /npm run topics/, { TOPIC_PREFIX: 'there-are-none-' }],
      [1, ['show', `${TOPIC}:4000000000000000000`], /there is no dead letter/],
    ];
    const ran = await Promise.all(rows.map(([, args, , environment]) => topics.run(args, { environment })));
    expect(ran).toMatchObject(
      rows.map(([code, , message]) => ({ code, out: '', err: expect.stringMatching(message) })),
    );
    for (const { err } of ran) expect(err).not.toContain('    at ');
    const help = { code: 0, out: expect.stringContaining('--value <file>') };
    expect(await topics.run(['replay', '--help'])).toMatchObject(help);
  });
});
