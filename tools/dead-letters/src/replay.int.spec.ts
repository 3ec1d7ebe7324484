import { deadLetterTopic, fingerprint, type TopicName } from '@carbon/contracts';
import type { KafkaMessage } from 'kafkajs';
import { request, requestMessage } from './test-messages.js';
import { TestOffice, textHeaders } from './test-office.js';

const TOPIC = 'offset.requested';

/** Every run of the command is a process of its own that joins groups of its own. */
const PATIENCE_MS = 180_000;

describe('dead-letters replay', () => {
  let office: TestOffice;
  /** Ids that the consumer gives up on, although they are sound. */
  const refusing = new Set<string>();
  beforeAll(async () => {
    office = await TestOffice.create();
    office.consume(TOPIC, async ({ messages }) =>
      messages.flatMap(({ position, key }) =>
        refusing.has(key) ? [{ position, code: 'idempotency_conflict', detail: '' }] : [],
      ),
    );
  });
  afterAll(() => office.remove());

  const letterOf = async (...given: Parameters<typeof requestMessage>) => {
    const letters = await office.giveUp(TOPIC, requestMessage(...given));
    return `${TOPIC}:${letters.at(-1)?.offset}`;
  };
  const sentUnder = async (key: string, topic: TopicName = TOPIC): Promise<KafkaMessage[]> =>
    (await office.messagesOf(topic)).filter((message) => String(message.key) === key);

  it('sends key, headers and bytes as they were, and says that it is a replay, of what and since when', async () => {
    const wish = request();
    const odd = { twice: ['1', '2'], bytes: Buffer.from([0xff, 0x00]), empty: '' };
    refusing.add(wish.id);
    const place = await letterOf(wish.id, `  ${JSON.stringify(wish)}\n`, odd);
    refusing.delete(wish.id);
    expect(await office.run(['replay', place, '--force'])).toMatchObject({
      code: 0,
      out: `${place}  sent\n`,
      err: expect.stringMatching(/^(went through 1 letters\n)?sent 1, unchanged 0, refused 0\n$/),
    });
    const [original, replay, ...others] = await sentUnder(wish.id);
    expect(others).toEqual([]);
    expect(replay?.value).toEqual(original?.value);
    const { 'x-replay-of': of, 'x-appended-at': appendedAt, ...headers } = replay?.headers ?? {};
    expect(headers).toEqual(original?.headers);
    expect(String(of)).toBe(place.replace(':', '.dead-letter:'));
    expect(Date.parse(String(appendedAt))).toBe(Number(original?.timestamp));
    expect(textHeaders(headers)).toMatchObject({ 'x-request-id': 'r-1', twice: ['1', '2'], empty: '' });
  });

  it(
    'sends a repaired value with everything else as it was',
    async () => {
      const wish = request({ kgCO2e: 2, customerRef: 'Käse' });
      const place = await letterOf(wish.id, '{"id":', { keep: 'me' });
      const file = await office.file(JSON.stringify(wish, undefined, 2));
      expect((await office.run(['replay', place, '--value', file])).code).toBe(0);
      expect((await office.run(['replay', place, '--value', '-'], { input: JSON.stringify(wish) })).code).toBe(0);
      const [, fromFile, fromInput] = await sentUnder(wish.id);
      expect(fromFile?.value?.toString()).toBe(JSON.stringify(wish, undefined, 2));
      expect(fromInput?.value?.toString()).toBe(JSON.stringify(wish));
      expect(textHeaders(fromFile?.headers)).toMatchObject({ keep: 'me', ce_type: 'offset.requested.v1' });
    },
    PATIENCE_MS,
  );

  it.each([
    ['is not JSON', () => '{', 'would be given up again: invalid_json'],
    ['does not fit the schema', () => '{"id":7}', 'would be given up again: invalid_data: id: '],
    ['is of another id', () => JSON.stringify(request()), 'its key is "off_'],
    [
      'has grams of another weight',
      (wish: object) => JSON.stringify({ ...wish, grams: '7' }),
      'the grams of its kgCO2e are 1000',
    ],
    [
      'has another fingerprint',
      (wish: object) => JSON.stringify({ ...wish, customerRef: 'new' }),
      `the fingerprint of its request is ${fingerprint({ kgCO2e: 1, customerRef: 'new' })}`,
    ],
  ])('sends nothing when the repaired value %s, and says what to mend', async (_, repair, saying) => {
    const wish = request();
    const place = await letterOf(wish.id, '{');
    const { code, out, err } = await office.run(['replay', place, '--value', await office.file(repair(wish))]);
    expect({ code, err }).toEqual({ code: 1, err: 'sent 0, unchanged 0, refused 1\n' });
    expect(out).toContain(`${place}  refused: `);
    expect(out).toContain(saying);
    expect(await sentUnder(wish.id)).toHaveLength(1);
  });

  it(
    'refuses what would come straight back, unless it is forced',
    async () => {
      const place = await letterOf('off_again', '{"id"');
      expect(await office.run(['replay', place])).toMatchObject({
        code: 1,
        out: expect.stringContaining('invalid_json'),
      });
      expect(await sentUnder('off_again')).toHaveLength(1);
      expect((await office.run(['replay', place, '--force'])).code).toBe(0);
      expect(await sentUnder('off_again')).toHaveLength(2);
    },
    PATIENCE_MS,
  );

  it(
    'mends a missing key and a wrong type',
    async () => {
      const [keyless, typeless] = [request(), request()];
      const letters = await office.giveUp(
        TOPIC,
        { ...requestMessage(keyless.id, keyless), key: null },
        requestMessage(typeless.id, typeless, { ce_type: 'offset.requested.v0' }),
      );
      const placeOf = (reason: string) => {
        const letter = letters.findLast(({ headers }) => String(headers?.['x-reason-code']) === reason);
        return `${TOPIC}:${letter?.offset}`;
      };
      expect((await office.run(['replay', placeOf('invalid_key'), '--key', keyless.id])).code).toBe(0);
      expect((await office.run(['replay', placeOf('unknown_type'), '--type', 'offset.requested.v1'])).code).toBe(0);
      expect(await sentUnder(keyless.id)).toMatchObject([{ value: Buffer.from(JSON.stringify(keyless)) }]);
      expect(textHeaders((await sentUnder(typeless.id))[1]?.headers).ce_type).toBe('offset.requested.v1');
    },
    PATIENCE_MS,
  );

  it('does not send a conflicting request again, for it would come back', async () => {
    const wish = request();
    refusing.add(wish.id);
    const place = await letterOf(wish.id, wish);
    const { code, out } = await office.run(['replay', place, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ place, outcome: 'refused', code: 'idempotency_conflict' });
    expect(await sentUnder(wish.id)).toHaveLength(1);
    refusing.delete(wish.id);
  });

  it('tells what it would do with --dry-run, and does nothing', async () => {
    const wish = request();
    const place = await letterOf(wish.id, '{');
    const file = await office.file(JSON.stringify(wish));
    expect(await office.run(['replay', place, '--value', file, '--dry-run'])).toMatchObject({
      code: 0,
      out: `${place}  would be sent\n`,
      err: 'would be sent 1, unchanged 0, refused 0\n',
    });
    expect(await sentUnder(wish.id)).toHaveLength(1);
  });

  it('sends those that are there when others are not, each once, and ends with 1', async () => {
    const place = await letterOf('off_here', '{');
    const args = ['replay', place, `${TOPIC}:999999`, place, 'offset.failed:0', '--force'];
    const { code, out, err } = await office.run(args);
    expect({ code, err }).toEqual({ code: 1, err: 'sent 1, unchanged 0, refused 2\n' });
    expect(out.trim().split('\n').sort()).toEqual(
      [
        'offset.failed:0  refused: no letter lies there',
        `${place}  sent`,
        `${TOPIC}:999999  refused: no letter lies there`,
      ].sort(),
    );
  });

  it('refuses what its topic does not take, and goes on', async () => {
    const fat = { ...requestMessage('off_fat', 'x'.repeat(5_000)), headers: { 'x-reason-code': 'invalid_json' } };
    await office.send(deadLetterTopic('offset.failed'), fat, { ...fat, key: 'off_lean', value: 'lean' });
    await office.set('offset.failed', 'max.message.bytes', '2000');
    const args = ['replay', '--all', '--reason', 'invalid_json', '--topic', 'offset.failed', '--force'];
    const { code, out } = await office.run(args);
    expect({ code, lines: out.trim().split('\n').sort() }).toEqual({
      code: 1,
      lines: ['offset.failed:0  refused: its topic does not take so large a message', 'offset.failed:1  sent'],
    });
  });

  it(
    'sends a letter that was cut from where it first lay, and never what is left of it',
    async () => {
      const wish = request({ kgCO2e: 3, customerRef: 'y'.repeat(200) });
      await office.set(deadLetterTopic(TOPIC), 'max.message.bytes', '600');
      refusing.add(wish.id);
      const place = await letterOf(wish.id, `${JSON.stringify(wish)}${' '.repeat(5_000)}`);
      refusing.delete(wish.id);
      expect((await office.run(['replay', place, '--force'])).code).toBe(0);
      const [original, replay] = await sentUnder(wish.id);
      expect(original?.value).toHaveLength(JSON.stringify(wish).length + 5_000);
      expect(replay?.value).toEqual(original?.value);
      expect(Object.keys(replay?.headers ?? {}).sort()).toEqual(
        [...Object.keys(original?.headers ?? {}), 'x-appended-at', 'x-replay-of'].sort(),
      );

      await office.forget(TOPIC);
      expect(await office.run(['replay', place, '--force'])).toMatchObject({
        code: 1,
        out: expect.stringMatching(/refused: \d+ bytes were cut off, and the original at .* is no longer kept\n$/),
      });
      expect(await sentUnder(wish.id)).toEqual([]);
    },
    PATIENCE_MS,
  );

  it('ends with 75 when Kafka is away', async () => {
    const environment = { KAFKA_BROKERS: '127.0.0.1:1', ENGINE_WAIT_MS: '0' };
    const { code, err } = await office.run(['replay', `${TOPIC}:0`], { environment });
    expect(code).toBe(75);
    expect(err).toContain('sent 0, unchanged 0, refused 0');
  });
});

describe('dead-letters replay --all', () => {
  const COUNT = 1_203;
  let office: TestOffice;
  beforeAll(async () => {
    office = await TestOffice.create();
  });
  afterAll(() => office.remove());

  it(
    'sends every letter of a reason, some at a time, but not those that come back meanwhile',
    async () => {
      const origin = { 'x-handler': 'g', 'x-topic': TOPIC, 'x-partition': '0', 'x-position': '0' };
      const wishes = Array.from({ length: COUNT }, () => request());
      const letters = wishes.map((wish, n) => ({
        ...requestMessage(wish.id, wish, { 'x-reason-code': n % 3 === 0 ? 'unreadable' : 'handler_failed', ...origin }),
      }));
      await office.send(deadLetterTopic(TOPIC), ...letters);
      const consumer = office.consume(TOPIC, async () => {
        throw new Error('It fails again.');
      });
      const { code, err } = await office.run(['replay', '--all', '--reason', 'handler_failed', '--topic', TOPIC]);
      expect({ code, err: err.trim().split('\n').at(-1) }).toEqual({
        code: 0,
        err: 'sent 802, unchanged 0, refused 0',
      });
      await consumer.close();
      const sent = (await office.messagesOf(TOPIC)).map(({ key }) => String(key));
      expect(sent.sort()).toEqual(
        wishes
          .filter((_, n) => n % 3 !== 0)
          .map(({ id }) => id)
          .sort(),
      );
    },
    PATIENCE_MS,
  );
});
