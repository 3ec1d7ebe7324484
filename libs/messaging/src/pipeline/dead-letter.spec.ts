import { deadLetterHeadersSchema } from '@carbon/contracts';
import type { IHeaders } from 'kafkajs';
import { PartitionReleased } from '../consume/hold.js';
import { SILENT } from '../kafka/messaging-logger.js';
import { sizeOf, type WireMessage } from '../publish/outgoing-message.js';
import { MessageTooLarge, NotAccepted, OutcomeUnknown } from '../publish/publish-errors.js';
import { deadLetter, envelope } from './dead-letter.js';
import { DEAD_LETTER_HEADERS } from './dead-letter-headers.js';
import { LettersUnderWay } from './letters-under-way.js';
import { unfit } from './run.js';
import { rawMessage, runOf } from './test-run.js';

const since = new Date('2026-01-02T03:04:05.678Z');
const letter = { ...unfit(rawMessage(7), 'invalid_json', 'no JSON'), attempts: 2, firstFailedAt: since };

describe('dead-letter', () => {
  it('keeps key, value and headers, and says why, who, where, how often and since when', () => {
    const { raw } = letter;
    expect(envelope(runOf(), letter, 'offsets')).toEqual({
      topic: 'offset.requested.dead-letter',
      key: raw.key,
      value: raw.value,
      headers: {
        ...raw.headers,
        'x-reason-code': 'invalid_json',
        'x-handler': 'offsets',
        'x-topic': 'offset.requested',
        'x-partition': '2',
        'x-position': '7',
        'x-attempts': '2',
        'x-first-failed-at': '2026-01-02T03:04:05.678Z',
        'x-appended-at': '2026-01-01T00:00:00.000Z',
      },
    });
  });

  it('keeps the time at which the original of a replay was appended, through any number of replays', () => {
    const replayed = (time: string) => {
      const headers = { 'x-replay-of': 'offset.requested.dead-letter:1', 'x-appended-at': time };
      return envelope(runOf(), { ...letter, raw: rawMessage(7, { headers }) }, 'offsets').headers['x-appended-at'];
    };
    expect(replayed('2025-12-24T00:00:00.000Z')).toBe('2025-12-24T00:00:00.000Z');
    expect(replayed('2026-12-24T00:00:00.000Z')).toBe('2026-01-01T00:00:00.000Z');
  });

  it('has the headers that the contract names, and names no other', () => {
    expect(deadLetterHeadersSchema.safeParse(envelope(runOf(), letter, 'offsets').headers).success).toBe(true);
    expect(Object.values(DEAD_LETTER_HEADERS)).toEqual(Object.keys(deadLetterHeadersSchema.shape));
  });

  it('writes a header that came without a value as an empty one, for kafkajs cannot write it otherwise', () => {
    const headers = { gone: null, twice: [null, Buffer.from('b')] } as unknown as IHeaders;
    expect(envelope(runOf(), { ...letter, raw: rawMessage(7, { headers }) }, 'offsets').headers).toMatchObject({
      gone: Buffer.alloc(0),
      twice: [Buffer.alloc(0), Buffer.from('b')],
    });
  });

  it('goes on only when each letter is confirmed, however long Kafka takes', async () => {
    const confirmed: WireMessage[] = [];
    let tries = 0;
    const send = async (message: WireMessage) => {
      tries += 1;
      if (tries <= 20) throw new NotAccepted('away');
      confirmed.push(message);
    };
    const letters = [letter, { ...letter, raw: rawMessage(8) }];
    const run = runOf({ letters });
    await deadLetter({ send, handler: 'offsets', logger: SILENT, underWay: new LettersUnderWay() })(run);
    expect(confirmed.map(({ headers }) => headers['x-position'])).toEqual(expect.arrayContaining(['7', '8']));
    expect(confirmed).toHaveLength(2);
    expect(run.pauses).toHaveLength(20);
  });

  it('puts nothing there once the partition belongs to another member of the group', async () => {
    const sent: WireMessage[] = [];
    const run = runOf({ letters: [letter] });
    run.hold.confirm = () => Promise.reject(new PartitionReleased());
    const send = async (message: WireMessage) => void sent.push(message);
    const posting = deadLetter({ send, handler: 'offsets', logger: SILENT, underWay: new LettersUnderWay() })(run);
    await expect(posting).rejects.toThrow(PartitionReleased);
    expect(sent).toEqual([]);
  });

  describe('of a letter that is too large', () => {
    const LIMIT = 2_000;
    const posted = async (more: Parameters<typeof rawMessage>[1], tooLarge: (bytes: number) => Error) => {
      const confirmed: WireMessage[] = [];
      const send = async (message: WireMessage) => {
        if (sizeOf(message) > LIMIT) throw tooLarge(sizeOf(message));
        confirmed.push(message);
      };
      const run = runOf({ letters: [{ ...letter, raw: rawMessage(7, more) }] });
      await deadLetter({ send, handler: 'offsets', logger: SILENT, underWay: new LettersUnderWay() })(run);
      expect(run.pauses).toEqual([]);
      return confirmed;
    };
    const value = Buffer.alloc(8_000, 'x');
    const word = (bytes: number) => new MessageTooLarge(bytes, LIMIT);
    const brokersWord = () => {
      return new OutcomeUnknown({ cause: Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' }) });
    };

    it.each([
      ['the publisher', word],
      ['the broker', brokersWord],
    ])('keeps what fits of the value when %s says so, and says how much is missing', async (_who, tooLarge) => {
      const [posting] = await posted({ value }, tooLarge);
      expect(posting?.value).toEqual(value.subarray(0, 1_000));
      expect(posting?.headers).toMatchObject({ 'x-reason-code': 'invalid_json', 'x-cut-bytes': '7000' });
      expect(posting?.key).toEqual(letter.raw.key);
    });

    it('keeps only why and where when key or headers are what is too large', async () => {
      for (const more of [
        { value, headers: { wide: value } },
        { key: value },
        { key: null, headers: { wide: value } },
      ]) {
        const [posting] = await posted(more, word);
        expect(posting).toMatchObject({ key: null, value: null, headers: { 'x-position': '7' } });
        expect(posting?.headers).not.toHaveProperty('wide');
      }
    });
  });

  it('says at error each time that a letter cannot be written, and for health how long it has waited', async () => {
    let nowMs = 0;
    const underWay = new LettersUnderWay(() => nowMs);
    const waited: number[] = [];
    const errors: string[] = [];
    const send = async () => {
      waited.push(underWay.longestMs);
      nowMs += 40_000;
      if (waited.length < 3) throw new NotAccepted('away');
    };
    const logger = { ...SILENT, error: (_fields: object, message: string) => errors.push(message) };
    await deadLetter({ send, handler: 'offsets', logger, underWay })(runOf({ letters: [letter] }));
    expect(waited).toEqual([0, 40_000, 80_000]);
    expect(underWay.longestMs).toBe(0);
    expect(errors.filter((message) => message === 'a dead letter waits for Kafka')).toHaveLength(2);
  });
});
