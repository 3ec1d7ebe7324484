import { deadLetterTopic } from '@carbon/contracts';
import { DeadLetterTopics, request, requestMessage, textHeaders } from './testing/dead-letter-topics.js';

const TOPIC = 'offset.requested';

/** The outcomes, or the codes of refusals, by dead letter. */
function outcomesOf(out: string): Record<string, string> {
  const lines = out.trim().split('\n');
  const outcomes = lines.map((line): Record<string, string> => JSON.parse(line));
  return Object.fromEntries(outcomes.map(({ place, outcome, code }) => [place, code ?? outcome]));
}

describe('dead-letters replay', () => {
  let topics: DeadLetterTopics;
  /** Ids that the consumer dead-letters, although they are valid. */
  const refusing = new Set<string>();
  beforeAll(async () => {
    topics = await DeadLetterTopics.create();
    topics.consume(TOPIC, async ({ messages }) =>
      messages.flatMap(({ position, key }) =>
        refusing.has(key) ? [{ position, code: 'idempotency_conflict', detail: '' }] : [],
      ),
    );
  });
  afterAll(() => topics.remove());

  const placeOf = async (...given: Parameters<typeof requestMessage>) =>
    (await topics.giveUp(TOPIC, requestMessage(...given)))[0] ?? '';
  /** Returns the place of a valid message that the consumer rejects once. */
  const refusedPlaceOf = async (...given: Parameters<typeof requestMessage>) => {
    refusing.add(given[0]);
    const place = await placeOf(...given);
    refusing.delete(given[0]);
    return place;
  };

  it('sends key, headers and bytes unchanged, with the headers of a replay', async () => {
    const offset = request();
    const odd = { twice: ['1', '2'], bytes: Buffer.from([0xff, 0x00]), empty: '' };
    const place = await refusedPlaceOf(offset.id, `  ${JSON.stringify(offset)}\n`, odd);
    expect(await topics.spawn(['replay', place, '--force'])).toMatchObject({
      code: 0,
      out: `{"place":"${place}","outcome":"sent"}\n`,
      err: expect.stringMatching(/^(replayed 1 dead letters\n)?sent 1, unchanged 0, refused 0\n$/),
    });
    const [original, replay, ...others] = await topics.messagesOf(TOPIC, offset.id);
    expect(others).toEqual([]);
    expect(replay?.value).toEqual(original?.value);
    const { 'x-replay-of': of, 'x-appended-at': appendedAt, ...headers } = replay?.headers ?? {};
    expect(headers).toEqual(original?.headers);
    expect(String(of)).toBe(place.replace(':', '.dead-letter:'));
    expect(Date.parse(String(appendedAt))).toBe(Number(original?.timestamp));
    expect(textHeaders(headers)).toMatchObject({ 'x-request-id': 'r-1', twice: ['1', '2'], empty: '' });
  });

  it('sends a fixed value, from a file or standard input, with everything else unchanged', async () => {
    const offset = request({ kgCO2e: 2, customerRef: 'Käse' });
    const place = await placeOf(offset.id, '{"id":', { keep: 'me' });
    const file = await topics.file(JSON.stringify(offset, undefined, 2));
    expect((await topics.run(['replay', place, '--value', file])).code).toBe(0);
    expect((await topics.run(['replay', place, '--value', '-'], { input: JSON.stringify(offset) })).code).toBe(0);
    const [, fromFile, fromInput] = await topics.messagesOf(TOPIC, offset.id);
    expect(fromFile?.value?.toString()).toBe(JSON.stringify(offset, undefined, 2));
    expect(fromInput?.value?.toString()).toBe(JSON.stringify(offset));
    expect(textHeaders(fromFile?.headers)).toMatchObject({ keep: 'me', ce_type: 'offset.requested.v1' });
  });

  it('refuses what would fail again, fixed or not, unless it is forced; --dry-run sends nothing', async () => {
    const offset = request();
    const place = await placeOf(offset.id, '{');
    const refused = (saying: string) => ({
      code: 1,
      out: expect.stringMatching(new RegExp(`"outcome":"refused",.*${saying}`)),
      err: 'sent 0, unchanged 0, refused 1\n',
    });
    expect(await topics.run(['replay', place])).toMatchObject(refused('would fail again: invalid_json'));
    const other = await topics.file(JSON.stringify({ ...offset, grams: '7' }));
    const repaired = await topics.run(['replay', place, '--value', other]);
    expect(repaired).toMatchObject(refused('the grams of its kgCO2e are 1000'));
    const file = await topics.file(JSON.stringify(offset));
    expect(await topics.run(['replay', place, '--value', file, '--dry-run'])).toMatchObject({
      code: 0,
      out: `{"place":"${place}","outcome":"would be sent"}\n`,
      err: 'would be sent 1, unchanged 0, refused 0\n',
    });
    expect(await topics.messagesOf(TOPIC, offset.id)).toHaveLength(1);
    expect((await topics.run(['replay', place, '--force'])).code).toBe(0);
    expect(await topics.messagesOf(TOPIC, offset.id)).toHaveLength(2);
  });

  it('fixes a missing key and a wrong type', async () => {
    const [keyless, typeless] = [request(), request()];
    const [first = '', second = ''] = await topics.giveUp(
      TOPIC,
      { ...requestMessage(keyless.id, keyless), key: null },
      requestMessage(typeless.id, typeless, { ce_type: 'offset.requested.v0' }),
    );
    expect((await topics.run(['replay', first, '--key', keyless.id])).code).toBe(0);
    expect((await topics.run(['replay', second, '--type', 'offset.requested.v1'])).code).toBe(0);
    const [replayed, ...others] = await topics.messagesOf(TOPIC, keyless.id);
    expect([String(replayed?.value), others]).toEqual([JSON.stringify(keyless), []]);
    expect(textHeaders((await topics.messagesOf(TOPIC, typeless.id))[1]?.headers).ce_type).toBe('offset.requested.v1');
  });

  it('does not send a conflicting request again, because it would come back', async () => {
    const offset = request();
    const place = await refusedPlaceOf(offset.id, offset);
    const { code, out } = await topics.run(['replay', place, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ place, outcome: 'refused', code: 'idempotency_conflict' });
    expect(await topics.messagesOf(TOPIC, offset.id)).toHaveLength(1);
  });

  it('sends the existing ones when others are missing, each once, and exits with 1', async () => {
    const place = await placeOf('off_here', '{');
    const args = ['replay', place, `${TOPIC}:999999`, place, 'offset.failed:0', '--force'];
    const { code, out, err } = await topics.run(args);
    expect({ code, err }).toEqual({ code: 1, err: 'sent 1, unchanged 0, refused 2\n' });
    expect(outcomesOf(out)).toEqual({
      [place]: 'sent',
      [`${TOPIC}:999999`]: 'no_dead_letter',
      'offset.failed:0': 'no_dead_letter',
    });
  });

  it('reports what its topic does not accept, and continues', async () => {
    const large = { ...requestMessage('off_fat', 'x'.repeat(5_000)), headers: { 'x-reason-code': 'invalid_json' } };
    await topics.send(deadLetterTopic('offset.failed'), large, { ...large, key: 'off_lean', value: 'lean' });
    await topics.boundMessages('offset.failed', 2000);
    const args = ['replay', '--all', '--reason', 'invalid_json', '--topic', 'offset.failed', '--force'];
    const { code, out } = await topics.run(args, { columns: 80 });
    expect({ code, lines: out.trim().split('\n').sort() }).toEqual({
      code: 1,
      lines: ['offset.failed:0  refused: it is too large for its topic', 'offset.failed:1  sent'],
    });
  });

  it('sends the original of a dead letter that was cut, and never the truncated value', async () => {
    const offset = request({ kgCO2e: 3, customerRef: 'y'.repeat(200) });
    await topics.boundMessages(deadLetterTopic(TOPIC), 600);
    const place = await refusedPlaceOf(offset.id, `${JSON.stringify(offset)}${' '.repeat(5_000)}`);
    expect((await topics.run(['replay', place, '--force'])).code).toBe(0);
    const [original, replay] = await topics.messagesOf(TOPIC, offset.id);
    expect(original?.value).toHaveLength(JSON.stringify(offset).length + 5_000);
    expect(replay?.value).toEqual(original?.value);
    const { 'x-replay-of': _, 'x-appended-at': __, ...headers } = replay?.headers ?? {};
    expect(headers).toEqual(original?.headers);

    await topics.deleteRecords(TOPIC);
    const { code, out } = await topics.run(['replay', place, '--force']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /"original_gone","detail":"\d+ bytes were cut off, and the original at .* is no longer kept"\}\n$/,
    );
    expect(await topics.messagesOf(TOPIC, offset.id)).toEqual([]);
  });
});

describe('dead-letters replay --all', () => {
  it('sends every dead letter of a reason, in batches, but not those that return meanwhile', async () => {
    const topics = await DeadLetterTopics.create();
    const origin = { 'x-handler': 'g', 'x-topic': TOPIC, 'x-partition': '0', 'x-position': '0' };
    const all = Array.from({ length: 1_203 }, () => request());
    const reason = (n: number) => (n % 3 === 0 ? 'unreadable' : 'handler_failed');
    const deadLetters = all.map((one, n) => requestMessage(one.id, one, { 'x-reason-code': reason(n), ...origin }));
    await topics.send(deadLetterTopic(TOPIC), ...deadLetters);
    topics.consume(TOPIC, async () => {
      throw new Error('It fails again.');
    });
    const { code, err } = await topics.run(['replay', '--all', '--reason', 'handler_failed', '--topic', TOPIC]);
    expect([code, err.trim().split('\n').at(-1)]).toEqual([0, 'sent 802, unchanged 0, refused 0']);
    await topics.remove();
    const sent = (await topics.messagesOf(TOPIC)).map(({ key }) => String(key));
    const chosen = all.filter((_, n) => reason(n) === 'handler_failed').map(({ id }) => id);
    expect(sent.sort()).toEqual(chosen.sort());
  });
});
