import { TOPICS } from '@carbon/contracts';
import { currentContext } from '@carbon/observability';
import { z } from 'zod';
import { SMALL_TOPICS } from '../testing/kafka.js';
import { decodedMessage, rawMessage, runOf } from '../testing/pipeline.js';
import { decode, inContext, validate } from './decode.js';
import { appendTimeOf, firstAppendTime } from './message.js';

describe('decode', () => {
  const one = (more: Parameters<typeof rawMessage>[1]) => decode(runOf({ raw: [rawMessage(5, more)] }));

  it('returns key, value, type, position, time and headers', () => {
    const headers = { ce_type: Buffer.from('offset.requested.v1'), twice: [Buffer.from('a'), Buffer.from('b')] };
    expect(one({ headers }).messages).toEqual([
      expect.objectContaining({
        key: 'key-5',
        value: { n: 5 },
        type: 'offset.requested.v1',
        position: 5n,
        timestamp: new Date('2026-01-01T00:00:00.000Z'),
        headers: { ce_type: 'offset.requested.v1', twice: 'a' },
      }),
    ]);
  });

  it('reads a null value as a tombstone, with or without a type', () => {
    const { messages } = one({ value: null, headers: {} });
    expect(messages).toEqual([expect.objectContaining({ value: null, type: '' })]);
  });

  it.each([
    ['invalid_key', 'no key', { key: null }],
    ['invalid_key', 'an empty key', { key: Buffer.alloc(0) }],
    ['invalid_key', 'a key that is not UTF-8', { key: Buffer.from([0xff]) }],
    ['invalid_json', 'no JSON', { value: Buffer.from('{') }],
    ['invalid_json', 'an empty value', { value: Buffer.alloc(0) }],
    ['invalid_json', 'the word null', { value: Buffer.from('null') }],
    ['invalid_json', 'a value that is not UTF-8', { value: Buffer.from([0x22, 0xff, 0x22]) }],
    ['invalid_json', 'a byte order mark', { value: Buffer.from('\uFEFF{}') }],
    ['unreadable', 'whatever else it cannot read', { offset: 'x' }],
  ])('dead-letters (%s) %s, keeping the bytes', (code, _what, more) => {
    const bad = rawMessage(2, more);
    const { messages, deadLetters } = decode(runOf({ raw: [rawMessage(1), bad, rawMessage(3)] }));
    expect(messages.map(({ position }) => position)).toEqual([1n, 3n]);
    expect(deadLetters).toEqual([expect.objectContaining({ code, attempts: 0, raw: bad })]);
  });
});

describe('validate', () => {
  const check = validate(SMALL_TOPICS);
  const one = (more: object, topic = 'offset.requested') =>
    check(runOf({ topic, messages: [{ ...decodedMessage(1), ...more }] }));

  it('leaves out unknown members: a writer may be a version ahead', () => {
    expect(one({ value: { n: 1, later: true } }).messages[0]?.value).toEqual({ n: 1 });
  });

  it('accepts a tombstone only where the topic allows them', () => {
    expect(one({ value: null, type: '' }, 'asset.published').messages).toHaveLength(1);
    expect(one({ value: null }).deadLetters[0]?.code).toBe('unexpected_tombstone');
  });

  it.each([
    ['unknown_type', { type: 'offset.requested.v2' }],
    ['unknown_type', { type: '' }],
    ['unknown_type', { type: '__proto__' }],
    ['unknown_type', { type: 'toString' }],
    ['invalid_data', { value: { n: '1' } }],
    ['invalid_data', { value: [] }],
  ])('dead-letters (%s) %j, in addition to earlier dead letters', (code, more) => {
    const { deadLetters: before } = one({ value: {} });
    const { messages, deadLetters } = check(
      runOf({ deadLetters: before, messages: [{ ...decodedMessage(1), ...more }] }),
    );
    expect(messages).toEqual([]);
    expect(deadLetters.map((deadLetter) => deadLetter.code)).toEqual(['invalid_data', code]);
  });

  it('dead-letters an asset under the key of another one', () => {
    const asset = { id: 'pool_a', type: 'POOL', source: 'TOUCAN', name: 'A' };
    const under = (key: string) => ({ ...decodedMessage(1), key, value: asset, type: 'asset.published.v1' });
    const run = runOf({ topic: 'asset.published', messages: [under('pool_b'), under('pool_a')] });
    const { messages, deadLetters } = validate(TOPICS)(run);
    expect(deadLetters.map(({ code }) => code)).toEqual(['key_mismatch']);
    expect(messages.map(({ key }) => key)).toEqual(['pool_a']);
  });

  it('names the member that is wrong and never its value', () => {
    expect(one({ value: { n: 'secret' } }).deadLetters[0]?.detail).toMatch(/^n: (?!.*secret)/);
  });

  it('dead-letters a message for which its schema throws, and only that one', () => {
    const schema = z.object({ n: z.number() }).transform(({ n }) => {
      if (n === 1) throw new TypeError('secret');
      return { n };
    });
    const topic = { ...SMALL_TOPICS['offset.requested'], types: { 'offset.requested.v1': schema } };
    const failingValidation = validate({ 'offset.requested': topic });
    const { messages, deadLetters } = failingValidation(runOf({ messages: [decodedMessage(1), decodedMessage(2)] }));
    expect(deadLetters).toEqual([expect.objectContaining({ code: 'unreadable', raw: decodedMessage(1).raw })]);
    expect(deadLetters[0]?.detail).not.toContain('secret');
    expect(messages.map(({ position }) => position)).toEqual([2n]);
  });
});

describe('the context of a message', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const headers = { 'x-request-id': 'r-1', traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  const messagesWith = (...all: object[]) =>
    decode(runOf({ raw: all.map((one, n) => rawMessage(n, { headers: { ...one } })) })).messages;

  it('starts a new trace when a message has none, or one that must not be logged', () => {
    const forged = { 'x-request-id': 'r\n{"level":"fatal"}', traceparent: 'nonsense' };
    for (const { context } of messagesWith({}, forged)) {
      expect(context.requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(context.traceId).toMatch(/^[0-9a-f]{32}$/);
    }
  });

  it('runs the handler in the context of its only message, or of several messages in a new one', async () => {
    const messages = messagesWith(headers, headers);
    expect(messages.map(({ context }) => context)).toMatchObject([
      { requestId: 'r-1', traceId },
      { requestId: 'r-1', traceId },
    ]);
    const seen: (string | undefined)[] = [];
    const handle = inContext(async () => {
      seen.push(currentContext()?.requestId);
      return [];
    });
    const batch = { topic: 'offset.requested', partition: 0 } as const;
    await handle({ ...batch, messages: messages.slice(0, 1) });
    await handle({ ...batch, messages });
    expect(seen).toEqual(['r-1', expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });
});

describe('the time at which a message was appended', () => {
  const APPENDED = new Date('2026-03-02T10:15:30.123Z');
  const EARLIER = '2026-03-01T10:15:30.123Z';
  const replay = (at: string) => ({ 'x-replay-of': 'offset.requested.dead-letter:7', 'x-appended-at': at });

  it.each([
    ['1767225600000', '2026-01-01T00:00:00.000Z'],
    ['-1', '1970-01-01T00:00:00.000Z'],
    ['9223372036854775807', '9999-12-31T23:59:59.999Z'],
  ])('is one that every reader and the database know: of %s it is %s', (timestamp, time) => {
    expect(appendTimeOf({ timestamp }).toISOString()).toBe(time);
  });

  it.each([
    ['a message', {}, APPENDED],
    ['a replay, that of the original', replay(EARLIER), new Date(EARLIER)],
    ['no replay', { 'x-appended-at': EARLIER }, APPENDED],
    ['a replay without it', { 'x-replay-of': 'offset.requested.dead-letter:7' }, APPENDED],
    ['a replay that says a later time', replay('2026-03-02T10:15:30.124Z'), APPENDED],
    ['a replay that says no time', replay('yesterday'), APPENDED],
    ['a replay that says a time before 1970', replay('0000-01-01T00:00:00.000Z'), APPENDED],
  ])('is for %s', (_, headers, expected) => {
    expect(firstAppendTime(APPENDED, headers)).toEqual(expected);
  });
});
