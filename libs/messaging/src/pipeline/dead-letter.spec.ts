import type { IHeaders } from 'kafkajs';
import { SILENT } from '../kafka/messaging-logger.js';
import type { WireMessage } from '../publish/outgoing-message.js';
import { NotAccepted } from '../publish/publish-errors.js';
import { deadLetter, envelope } from './dead-letter.js';
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
      },
    });
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
    await deadLetter({ send, handler: 'offsets', logger: SILENT })(run);
    expect(confirmed.map(({ headers }) => headers['x-position'])).toEqual(expect.arrayContaining(['7', '8']));
    expect(confirmed).toHaveLength(2);
    expect(run.pauses).toHaveLength(20);
  });
});
