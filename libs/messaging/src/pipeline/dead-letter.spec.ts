import { deadLetterHeadersSchema } from '@carbon/contracts';
import { PartitionRevoked } from '../consume/partition-ownership.js';
import { SILENT } from '../kafka/log.js';
import { MessageTooLarge, NotPublished, PublishOutcomeUnknown, type WireMessage } from '../publish/publisher.js';
import { sizeOf } from '../publish/send-queue.js';
import { rawMessage, runOf } from '../testing/pipeline.js';
import { DEAD_LETTER_HEADERS, DeadLetterStore, deadLetterMessage } from './dead-letter.js';
import { invalidMessage } from './message.js';

const since = new Date('2026-01-02T03:04:05.678Z');
const deadLetter = { ...invalidMessage(rawMessage(7), 'invalid_json', 'no JSON'), attempts: 2, firstFailedAt: since };
const storeWith = (send: (message: WireMessage) => Promise<void>, more: object = {}) =>
  new DeadLetterStore({ send, group: 'offsets', logger: SILENT, ...more });

describe('a dead letter', () => {
  it('keeps key, value and headers, and has its reason, group, origin, attempts and first failure', () => {
    const { raw } = deadLetter;
    const { headers, ...rest } = deadLetterMessage(runOf(), deadLetter, 'offsets');
    expect(rest).toEqual({ topic: 'offset.requested.dead-letter', key: raw.key, value: raw.value });
    expect(headers).toEqual({
      ...raw.headers,
      'x-reason-code': 'invalid_json',
      'x-handler': 'offsets',
      'x-topic': 'offset.requested',
      'x-partition': '2',
      'x-position': '7',
      'x-attempts': '2',
      'x-first-failed-at': '2026-01-02T03:04:05.678Z',
      'x-appended-at': '2026-01-01T00:00:00.000Z',
    });
    expect(deadLetterHeadersSchema.safeParse(headers).success).toBe(true);
    expect(Object.values(DEAD_LETTER_HEADERS)).toEqual(Object.keys(deadLetterHeadersSchema.shape));
  });

  it('keeps the time at which the original of a replay was appended, through any number of replays', () => {
    const replayed = (time: string) => {
      const headers = { 'x-replay-of': 'offset.requested.dead-letter:1', 'x-appended-at': time };
      const replay = { ...deadLetter, raw: rawMessage(7, { headers }) };
      return deadLetterMessage(runOf(), replay, 'offsets').headers['x-appended-at'];
    };
    expect(replayed('2025-12-24T00:00:00.000Z')).toBe('2025-12-24T00:00:00.000Z');
    expect(replayed('2026-12-24T00:00:00.000Z')).toBe('2026-01-01T00:00:00.000Z');
  });

  it('is sent until Kafka confirms it, with an error in the log each time and its wait in the health', async () => {
    let nowMs = 0;
    const waits: number[] = [];
    const errors: string[] = [];
    const confirmed: unknown[] = [];
    const send = async ({ headers }: WireMessage) => {
      waits.push(store.longestWaitMs);
      nowMs += 40_000;
      if (waits.length <= 20) throw new NotPublished('unreachable');
      confirmed.push(headers['x-position']);
    };
    const logger = { ...SILENT, error: (_fields: object, message: string) => errors.push(message) };
    const store = storeWith(send, { logger, now: () => nowMs });
    const run = runOf({ deadLetters: [deadLetter, { ...deadLetter, raw: rawMessage(8) }] });
    await store.store(run);
    expect(confirmed.sort()).toEqual(['7', '8']);
    expect(run.sleeps).toHaveLength(20);
    expect(waits.slice(0, 3)).toEqual([0, 40_000, 80_000]);
    expect(store.longestWaitMs).toBe(0);
    expect(errors.filter((message) => message === 'a dead letter waits for Kafka')).toHaveLength(20);
  });

  it('is not sent once the partition belongs to another member of the group', async () => {
    const sent: WireMessage[] = [];
    const { ownership } = runOf();
    const confirm = () => Promise.reject(new PartitionRevoked());
    const run = runOf({ deadLetters: [deadLetter], ownership: { ...ownership, confirm } });
    await expect(storeWith(async (message) => void sent.push(message)).store(run)).rejects.toThrow(PartitionRevoked);
    expect(sent).toEqual([]);
  });
});

describe('a dead letter that is too large', () => {
  const LIMIT = 2_000;
  const stored = async (more: Parameters<typeof rawMessage>[1], tooLarge: (bytes: number) => Error) => {
    const confirmed: WireMessage[] = [];
    const run = runOf({ deadLetters: [{ ...deadLetter, raw: rawMessage(7, more) }] });
    const store = storeWith(async (message) => {
      if (sizeOf(message) > LIMIT) throw tooLarge(sizeOf(message));
      confirmed.push(message);
    });
    await store.store(run);
    expect(run.sleeps).toEqual([]);
    return confirmed[0];
  };
  const value = Buffer.alloc(8_000, 'x');
  const ofPublisher = (bytes: number) => new MessageTooLarge(bytes, LIMIT);
  const ofBroker = () =>
    new PublishOutcomeUnknown({ cause: Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' }) });

  it.each([
    ['the publisher', ofPublisher],
    ['the broker', ofBroker],
  ])('keeps what fits of the value when %s refuses it, and says how much is missing', async (_who, tooLarge) => {
    const message = await stored({ value }, tooLarge);
    expect(message?.value).toEqual(value.subarray(0, 1_000));
    expect(message?.headers).toMatchObject({ 'x-reason-code': 'invalid_json', 'x-cut-bytes': '7000' });
    expect(message?.key).toEqual(deadLetter.raw.key);
  });

  it.each([
    ['headers', { value, headers: { wide: value } }],
    ['the key', { key: value }],
    ['headers, without a key,', { key: null, headers: { wide: value } }],
    ['a header called constructor, alone,', { key: null, value: null, headers: { constructor: value } }],
  ])('keeps only its reason and origin when %s are too large', async (_, more) => {
    const message = await stored(more, ofPublisher);
    expect(message).toMatchObject({ key: null, value: null, headers: { 'x-position': '7' } });
    expect(message?.headers).not.toHaveProperty('wide');
  });
});
