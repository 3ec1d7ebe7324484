import { deadLetterTopic } from '@carbon/contracts';
import type { Batch } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import type { Message } from 'kafkajs';
import { DeadLetterTopics } from './testing/dead-letter-topics.js';

const TOPIC = 'asset.published';

/** Returns a version of an asset as a message. */
function assetMessage(id: string, price: number): Message {
  const asset = { id, type: 'POOL', source: 'TEST', name: id, active: true, price, issued: 10 };
  return { key: id, value: JSON.stringify(asset), headers: { ce_type: 'asset.published.v1' } };
}

describe('dead-letters replay of assets', () => {
  let topics: DeadLetterTopics;
  let isRefusing = true;
  const refuse = async ({ messages }: Batch) =>
    isRefusing ? messages.map(({ position }) => ({ position, code: 'refused_by_index', detail: '' })) : [];
  beforeAll(async () => {
    topics = await DeadLetterTopics.create();
    topics.consume(TOPIC, refuse);
  });
  afterAll(() => topics.remove());
  beforeEach(() => {
    isRefusing = true;
  });

  /** Returns the place of the first of some messages that the consumer rejects; it accepts the later ones. */
  const refusedPlaceOf = async (...messages: Message[]) => {
    const [place = ''] = await topics.giveUp(TOPIC, ...messages);
    isRefusing = false;
    return place;
  };
  const pricesOf = async (id: string) =>
    (await topics.messagesOf(TOPIC, id)).map(({ value }) =>
      value === null ? null : (JSON.parse(value.toString()) as { price: number }).price,
    );

  it('refuses an old version over a newer one, unless it is forced', async () => {
    const place = await refusedPlaceOf(assetMessage('pool_a', 1));
    await topics.send(TOPIC, assetMessage('pool_a', 2));
    const newer = '"code":"newer_asset","detail":"the library has a newer version of this asset';
    expect(await topics.run(['replay', place])).toMatchObject({
      code: 1,
      out: expect.stringMatching(new RegExp(`${newer} \\(asset\\.published/\\d:\\d+\\)`)),
      err: 'sent 0, unchanged 0, refused 1\n',
    });
    expect(await pricesOf('pool_a')).toEqual([1, 2]);
    expect((await topics.run(['replay', place, '--force'])).code).toBe(0);
    expect(await pricesOf('pool_a')).toEqual([1, 2, 1]);
  });

  it('refuses to bring back what was withdrawn since', async () => {
    const place = await refusedPlaceOf(assetMessage('pool_b', 1));
    await topics.send(TOPIC, { key: 'pool_b', value: null });
    expect((await topics.run(['replay', place])).code).toBe(1);
    expect(await pricesOf('pool_b')).toEqual([1, null]);
  });

  it('ignores newer messages that are not assets, and sends nothing that the library already has', async () => {
    const repaired = assetMessage('pool_c', 3);
    const place = await refusedPlaceOf({ ...repaired, value: '{"id":"pool_c"' }, { key: 'pool_c', value: '{}' });
    const file = await topics.file(String(repaired.value));
    expect((await topics.run(['replay', place, '--value', file])).err).toBe('sent 1, unchanged 0, refused 0\n');
    expect(await topics.run(['replay', place, '--value', file])).toMatchObject({
      code: 0,
      err: 'sent 0, unchanged 1, refused 0\n',
    });
    const values = (await topics.messagesOf(TOPIC, 'pool_c')).map(({ value }) => String(value));
    expect(values).toEqual(['{"id":"pool_c"', '{}', repaired.value]);
  });

  it('sends a message again that one of its readers dead-lettered, and only its newest version, once', async () => {
    const other = topics.consume(TOPIC, refuse, `${TOPIC}.other`);
    await topics.send(TOPIC, ...[5, 6, 7].map((price) => assetMessage('pool_e', price)));
    const places = await eventually(async () => {
      const deadLetters = await topics.messagesOf(deadLetterTopic(TOPIC), 'pool_e');
      expect(deadLetters).toHaveLength(6);
      return deadLetters.map(({ offset }) => `${TOPIC}:${offset}`);
    });
    await other.close();
    isRefusing = false;
    expect(await topics.run(['replay', ...places])).toMatchObject({
      code: 1,
      err: 'sent 1, unchanged 1, refused 4\n',
    });
    expect(await pricesOf('pool_e')).toEqual([5, 6, 7, 7]);
  });
});
