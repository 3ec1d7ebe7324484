import { deadLetterTopic } from '@carbon/contracts';
import type { ReceivedBatch } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import type { Message } from 'kafkajs';
import { assetMessage } from './test-messages.js';
import { TestOffice } from './test-office.js';

const TOPIC = 'asset.published';

/** Every run of the command is a process of its own that joins groups of its own. */
const PATIENCE_MS = 180_000;

describe('dead-letters replay of assets', () => {
  let office: TestOffice;
  let giveUp = true;
  const refuse = async ({ messages }: ReceivedBatch) =>
    giveUp ? messages.map(({ position }) => ({ position, code: 'refused_by_index', detail: '' })) : [];
  beforeAll(async () => {
    office = await TestOffice.create();
    office.consume(TOPIC, refuse);
  });
  afterAll(() => office.remove());
  beforeEach(() => {
    giveUp = true;
  });

  const lettersOf = async (...messages: Message[]) => {
    const letters = await office.giveUp(TOPIC, ...messages);
    return letters.slice(-messages.length).map(({ offset }) => `${TOPIC}:${offset}`);
  };
  const pricesOf = async (id: string, after = 0) =>
    (await office.messagesOf(TOPIC))
      .filter(({ key }) => String(key) === id)
      .slice(after)
      .map(({ value }) => (value === null ? null : (JSON.parse(value.toString()) as { price: number }).price));

  it(
    'refuses an old version over a newer one, unless it is forced',
    async () => {
      const [place = ''] = await lettersOf(assetMessage('pool_a', 1));
      giveUp = false;
      await office.send(TOPIC, assetMessage('pool_a', 2));
      expect(await office.run(['replay', place])).toMatchObject({
        code: 1,
        out: expect.stringMatching(
          /refused: the library has a newer version of this asset \(asset\.published\/\d:\d+\)/,
        ),
        err: 'sent 0, unchanged 0, refused 1\n',
      });
      expect(await pricesOf('pool_a')).toEqual([1, 2]);
      expect((await office.run(['replay', place, '--force'])).code).toBe(0);
      expect(await pricesOf('pool_a')).toEqual([1, 2, 1]);
    },
    PATIENCE_MS,
  );

  it('refuses to bring back what was withdrawn since', async () => {
    const [place = ''] = await lettersOf(assetMessage('pool_b', 1));
    giveUp = false;
    await office.send(TOPIC, { key: 'pool_b', value: null });
    expect((await office.run(['replay', place])).code).toBe(1);
    expect(await pricesOf('pool_b')).toEqual([1, null]);
  });

  it(
    'sends nothing when the library says so already, as after a first replay',
    async () => {
      const mended = assetMessage('pool_c', 3);
      const [place = ''] = await lettersOf({ ...mended, value: '{"id":"pool_c"' });
      giveUp = false;
      const file = await office.file(String(mended.value));
      expect((await office.run(['replay', place, '--value', file])).err).toBe('sent 1, unchanged 0, refused 0\n');
      expect(await office.run(['replay', place, '--value', file])).toMatchObject({
        code: 0,
        err: 'sent 0, unchanged 1, refused 0\n',
      });
      expect(await pricesOf('pool_c', 1)).toEqual([3]);
    },
    PATIENCE_MS,
  );

  it('is not hindered by newer messages that are no assets', async () => {
    const mended = assetMessage('pool_d', 4);
    const [place = ''] = await lettersOf({ ...mended, value: '{' }, { key: 'pool_d', value: 'poison' });
    expect((await office.run(['replay', place, '--value', await office.file(String(mended.value))])).code).toBe(0);
  });

  it(
    'sends a message that one of its readers gave up again, and only its newest version, once',
    async () => {
      const other = office.consume(TOPIC, refuse, `${TOPIC}.other`);
      await office.send(TOPIC, assetMessage('pool_e', 5), assetMessage('pool_e', 6), assetMessage('pool_e', 7));
      const places = await eventually(async () => {
        const letters = (await office.messagesOf(deadLetterTopic(TOPIC))).filter(({ key }) => String(key) === 'pool_e');
        expect(letters).toHaveLength(6);
        return letters.map(({ offset }) => `${TOPIC}:${offset}`);
      });
      await other.close();
      giveUp = false;
      expect(await office.run(['replay', ...places])).toMatchObject({
        code: 1,
        err: 'sent 1, unchanged 1, refused 4\n',
      });
      expect(await pricesOf('pool_e')).toEqual([5, 6, 7, 7]);
    },
    PATIENCE_MS,
  );
});
