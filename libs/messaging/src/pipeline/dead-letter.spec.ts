import { deadLetterHeadersSchema } from '@carbon/contracts';
import { PartitionReleased } from '../consume/hold.js';
import { SILENT } from '../kafka/messaging-logger.js';
import { sizeOf, type WireMessage } from '../publish/outgoing-message.js';
import { MessageTooLarge, NotAccepted, OutcomeUnknown } from '../publish/publish-errors.js';
import { rawMessage, runOf } from '../testing/pipeline.js';
import { deadLetter, envelope } from './dead-letter.js';
import { DEAD_LETTER_HEADERS } from './dead-letter-headers.js';
import { LettersUnderWay } from './letters-under-way.js';
import { unfit } from './run.js';

const since = new Date('2026-01-02T03:04:05.678Z');
const letter = { ...unfit(rawMessage(7), 'invalid_json', 'no JSON'), attempts: 2, firstFailedAt: since };
const step = (send: (message: WireMessage) => Promise<void>, more: object = {}) =>
  deadLetter({ send, handler: 'offsets', logger: SILENT, underWay: new LettersUnderWay(), ...more });

describe('a dead letter', () => {
  it('keeps key, value and headers, and says why, who, where, how often and since when', () => {
    const { raw } = letter;
    const { headers, ...rest } = envelope(runOf(), letter, 'offsets');
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
      return envelope(runOf(), { ...letter, raw: rawMessage(7, { headers }) }, 'offsets').headers['x-appended-at'];
    };
    expect(replayed('2025-12-24T00:00:00.000Z')).toBe('2025-12-24T00:00:00.000Z');
    expect(replayed('2026-12-24T00:00:00.000Z')).toBe('2026-01-01T00:00:00.000Z');
  });

  it('is sent until Kafka confirms it, with an error in the log each time, and its wait known to health', async () => {
    let nowMs = 0;
    const underWay = new LettersUnderWay(() => nowMs);
    const waited: number[] = [];
    const errors: string[] = [];
    const confirmed: unknown[] = [];
    const send = async ({ headers }: WireMessage) => {
      waited.push(underWay.longestMs);
      nowMs += 40_000;
      if (waited.length <= 20) throw new NotAccepted('away');
      confirmed.push(headers['x-position']);
    };
    const logger = { ...SILENT, error: (_fields: object, message: string) => errors.push(message) };
    const run = runOf({ letters: [letter, { ...letter, raw: rawMessage(8) }] });
    await step(send, { logger, underWay })(run);
    expect(confirmed.sort()).toEqual(['7', '8']);
    expect(run.pauses).toHaveLength(20);
    expect(waited.slice(0, 3)).toEqual([0, 40_000, 80_000]);
    expect(underWay.longestMs).toBe(0);
    expect(errors.filter((message) => message === 'a dead letter waits for Kafka')).toHaveLength(20);
  });

  it('is not sent once the partition belongs to another member of the group', async () => {
    const sent: WireMessage[] = [];
    const run = runOf({ letters: [letter] });
    run.hold.confirm = () => Promise.reject(new PartitionReleased());
    await expect(step(async (message) => void sent.push(message))(run)).rejects.toThrow(PartitionReleased);
    expect(sent).toEqual([]);
  });
});

describe('a dead letter that is too large', () => {
  const LIMIT = 2_000;
  const posted = async (more: Parameters<typeof rawMessage>[1], tooLarge: (bytes: number) => Error) => {
    const confirmed: WireMessage[] = [];
    const run = runOf({ letters: [{ ...letter, raw: rawMessage(7, more) }] });
    await step(async (message) => {
      if (sizeOf(message) > LIMIT) throw tooLarge(sizeOf(message));
      confirmed.push(message);
    })(run);
    expect(run.pauses).toEqual([]);
    return confirmed[0];
  };
  const value = Buffer.alloc(8_000, 'x');
  const word = (bytes: number) => new MessageTooLarge(bytes, LIMIT);
  const brokersWord = () =>
    new OutcomeUnknown({ cause: Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' }) });

  it.each([
    ['the publisher', word],
    ['the broker', brokersWord],
  ])('keeps what fits of the value when %s says so, and says how much is missing', async (_who, tooLarge) => {
    const posting = await posted({ value }, tooLarge);
    expect(posting?.value).toEqual(value.subarray(0, 1_000));
    expect(posting?.headers).toMatchObject({ 'x-reason-code': 'invalid_json', 'x-cut-bytes': '7000' });
    expect(posting?.key).toEqual(letter.raw.key);
  });

  it.each([
    ['headers', { value, headers: { wide: value } }],
    ['the key', { key: value }],
    ['headers, without a key,', { key: null, headers: { wide: value } }],
  ])('keeps only why and where when %s are what is too large', async (_, more) => {
    const posting = await posted(more, word);
    expect(posting).toMatchObject({ key: null, value: null, headers: { 'x-position': '7' } });
    expect(posting?.headers).not.toHaveProperty('wide');
  });
});
