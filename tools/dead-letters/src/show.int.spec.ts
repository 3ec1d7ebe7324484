import { deadLetterTopic } from '@carbon/contracts';
import { request, requestMessage } from './test-messages.js';
import { TestOffice } from './test-office.js';

const TOPIC = 'offset.requested';

/** Every run of the command is a process of its own that joins groups of its own. */
const PATIENCE_MS = 180_000;

describe('dead-letters show', () => {
  let office: TestOffice;
  beforeAll(async () => {
    office = await TestOffice.create();
    office.consume(TOPIC);
  });
  afterAll(() => office.remove());

  /** Makes a letter of it; gives its place. */
  const letterOf = async (...given: Parameters<typeof requestMessage>) => {
    const letters = await office.giveUp(TOPIC, requestMessage(...given));
    return `${TOPIC}:${letters.at(-1)?.offset}`;
  };

  it('tells everything: place, reason, who, where from, headers, bytes, and what is wrong', async () => {
    const place = await letterOf('off_1', { ...request(), id: 'off_1', kgCO2e: -1, customerRef: 'Käse 🌳' });
    const { code, out } = await office.run(['show', place]);
    expect(code).toBe(0);
    expect(out).toContain(`letter         ${place}\n`);
    expect(out).toContain('reason         invalid_data\n');
    expect(out).toMatch(/came from {6}offset\.requested, partition \d+, position \d+\n/);
    expect(out).toMatch(/appended {7}\d{4}-.+Z\n/);
    expect(out).toMatch(/now {12}would be given up again: invalid_data: id: must be an offset id; kgCO2e: .+\n/);
    expect(out).toContain('key            off_1\n');
    expect(out).toContain('ce_type        offset.requested.v1\n');
    expect(out).toContain('x-request-id   r-1\n');
    expect(out).toContain('"customerRef":"Käse 🌳"');
    expect(out).not.toContain('x-reason-code');
  });

  it('shows bytes that are not text as hexadecimal digits, and writes exactly them with --raw', async () => {
    const bytes = Buffer.from([0x00, 0xff, 0x0a, 0xfe, 0x80]);
    const place = await letterOf('off_2', bytes);
    expect((await office.run(['show', place])).out).toMatch(/\n\n00ff0afe80\n$/);
    expect((await office.run(['show', '--raw', place])).bytes).toEqual(bytes);
  });

  it('gives programs all of it as JSON', async () => {
    const place = await letterOf('off_3', '{"a":', { twice: ['1', '2'], odd: Buffer.from([0xff]) });
    const { out } = await office.run(['show', '--json', place]);
    expect(JSON.parse(out)).toMatchObject({
      place,
      reason: 'invalid_json',
      original: { topic: TOPIC },
      fault: { code: 'invalid_json' },
      key: { text: 'off_3' },
      value: { text: '{"a":' },
      headers: expect.arrayContaining([
        { name: 'twice', text: '1' },
        { name: 'twice', text: '2' },
        { name: 'odd', hex: 'ff' },
      ]),
    });
  });

  it('cannot be used to write to the terminal of whoever looks', async () => {
    const place = await letterOf('off_4', '"\u001b]0;owned\u0007\u202e"', { evil: '\u001b[2J' });
    const { out } = await office.run(['show', place]);
    expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    expect(out).toContain('\\u{1b}]0;owned\\u{7}\\u{202e}');
  });

  it('says that a null has no bytes', async () => {
    const letters = await office.giveUp(TOPIC, { key: 'off_5', value: null });
    const place = `${TOPIC}:${letters.at(-1)?.offset}`;
    expect((await office.run(['show', place])).out).toContain('value          none (null)');
    expect(await office.run(['show', '--raw', place])).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('null'),
    });
  });

  it('says so when no letter lies there, and ends with 1', async () => {
    const { code, out, err } = await office.run(['show', `${TOPIC}:4000000000000000000`]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('no letter lies at');
  });

  it(
    'takes a letter that was cut from where it first lay, while that is kept',
    async () => {
      await office.set(deadLetterTopic(TOPIC), 'max.message.bytes', '4096');
      const value = JSON.stringify({ filler: 'x'.repeat(20_000) });
      const place = await letterOf('off_6', value);
      expect((await office.run(['list', '--json', '--topic', TOPIC])).out).toMatch(/"cutBytes":1\d{4}/);
      expect((await office.run(['show', '--raw', place])).out).toBe(value);
      expect((await office.run(['show', place])).out).not.toContain('cut off');

      await office.forget(TOPIC);
      const { code, err } = await office.run(['show', '--raw', place]);
      expect(code).toBe(1);
      expect(err).toMatch(/\d+ bytes were cut off, and the original at offset\.requested\/\d+:\d+ is no longer kept/);
      expect((await office.run(['show', place])).out).toMatch(/cut +\d+ bytes were cut off/);
    },
    PATIENCE_MS,
  );
});
