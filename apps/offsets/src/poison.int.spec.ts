import { fingerprint, type OffsetRequestedV1 } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { pool, request } from './test-events.js';
import { type Message, requestMessage, TestLetters } from './test-letters.js';
import { TestService } from './test-service.js';

const PARTITION = 5;
/** So soon is a good message done that stands behind a bad one, on a busy machine: the bad one stays bad for ever. */
const WITHIN_MS = 20_000;

type Bad = (known: OffsetRequestedV1) => Message;
const sound = (more: object = {}) => JSON.stringify({ ...request({ kgCO2e: 1 }), ...more });
const as = (more: Partial<Message>): Message => requestMessage(request({ kgCO2e: 1 }), more);

/** Nobody can be told about these: why they are given up, and an example. */
const LETTERS: [code: string, what: string, bad: Bad][] = [
  ['invalid_json', 'text that is not JSON', () => as({ value: '{"id":' })],
  ['invalid_json', 'bytes that are not UTF-8', () => as({ value: Buffer.from([0x22, 0xff, 0xfe, 0x22]) })],
  ['invalid_json', 'nothing at all', () => as({ value: '' })],
  ['invalid_json', 'the word null', () => as({ value: 'null' })],
  ['unexpected_tombstone', 'a null value', () => as({ value: null })],
  ['invalid_data', 'no object', () => as({ value: '[1]' })],
  ['invalid_data', 'no id', () => as({ value: '{"account":"default","kgCO2e":1}' })],
  ['invalid_data', 'an id of another form', () => as({ value: sound({ id: 'off_1' }) })],
  ['invalid_data', 'no account', () => as({ value: sound({ account: undefined }) })],
  ['invalid_data', 'an account that no database takes', () => as({ value: sound({ account: 'a\u0000' }) })],
  ['invalid_data', 'a nesting without end', () => as({ value: `${'['.repeat(50_000)}${']'.repeat(50_000)}` })],
  ['invalid_data', 'nearly a mebibyte', () => as({ value: JSON.stringify({ filler: 'x'.repeat(1_000_000) }) })],
  ['unknown_type', 'a type of the future', () => as({ headers: { ce_type: 'offset.requested.v2' } })],
  ['unknown_type', 'the name of a member of every object', () => as({ headers: { ce_type: '__proto__' } })],
  ['unknown_type', 'no headers', () => as({ headers: {} })],
  ['invalid_key', 'no key', () => as({ key: null })],
  ['invalid_key', 'an empty key', () => as({ key: '' })],
  ['invalid_key', 'a key that is not UTF-8', () => as({ key: Buffer.from([0xc3, 0x28]) })],
  [
    'idempotency_conflict',
    'another wish under a known id',
    (known) => requestMessage({ ...known, kgCO2e: 2, grams: '2000', fingerprint: fingerprint({ kgCO2e: 2 }) }),
  ],
  ['idempotency_conflict', 'a known id of another account', (known) => requestMessage({ ...known, account: 'thief' })],
];

/** Of these the id and the account can be read, so their callers are told. */
const FAILED: [what: string, more: object | string][] = [
  ['a weight that is text', { kgCO2e: '1' }],
  ['a negative weight', { kgCO2e: -1 }],
  ['a weight beyond every number', '"kgCO2e":1e999'],
  ['grams of another weight', { grams: '7' }],
  ['the fingerprint of another wish', { fingerprint: 'a'.repeat(64) }],
  ['a time that PostgreSQL does not know', { createdAt: '0000-01-01T00:00:00.000Z' }],
  ['a reference that no database takes', { customerRef: '\u0000' }],
  ['half a character', '"customerRef":"\\ud800"'],
  ['a member that is missing', { grams: undefined }],
];

describe('poison among good requests', () => {
  let service: TestService;
  let letters: TestLetters;
  let app: Awaited<ReturnType<TestService['start']>>;
  const known = request({ kgCO2e: 1 });
  beforeAll(async () => {
    service = await TestService.create();
    letters = await TestLetters.of(service);
    await service.publishAssets([pool('a')]);
    app = await service.start();
    await service.publishRequests([known]);
    await service.settled(app, known.id);
  });
  afterAll(async () => {
    await letters.close();
    await service.close();
  });

  /** Puts it before a good request of the same partition, and holds that this one is done in time. */
  const putBeforeGood = async (bad: Message) => {
    const good = request({ kgCO2e: 1 });
    const began = performance.now();
    const put = await letters.put(
      'offset.requested',
      { ...bad, partition: PARTITION },
      { ...requestMessage(good), partition: PARTITION },
    );
    expect(await service.settled(app, good.id)).toMatchObject({ status: 'completed' });
    expect(performance.now() - began).toBeLessThan(WITHIN_MS);
    return put;
  };

  it.each(LETTERS)('is dead-lettered as %s when it has %s, byte for byte', async (code, _, make) => {
    const bad = make(known);
    const put = await putBeforeGood(bad);
    const letter = await letters.letterOf(put);
    expect(letter.key).toEqual(bad.key === null ? null : Buffer.from(bad.key ?? ''));
    // As digits: to compare a mebibyte of array elements takes half a minute.
    expect(letter.value?.toString('hex')).toBe(bad.value === null ? undefined : Buffer.from(bad.value).toString('hex'));
    const { original, added } = split(letter.headers);
    expect(original).toEqual(bytesOf(bad.headers));
    expect(added).toMatchObject({
      'x-reason-code': code,
      'x-handler': 'offsets.requests',
      'x-topic': 'offset.requested',
      'x-partition': String(PARTITION),
      'x-position': put.position,
      'x-first-failed-at': expect.stringMatching(/^\d{4}-.+Z$/),
      'x-appended-at': expect.stringMatching(/^\d{4}-.+Z$/),
    });
  });

  it.each(FAILED)('becomes a failed offset when it has %s, and its caller is told', async (_, more) => {
    const one = request({ kgCO2e: 1 });
    const json = JSON.stringify(typeof more === 'string' ? one : { ...one, ...more });
    const value = typeof more === 'string' ? `${json.slice(0, -1)},${more}}` : json;
    const before = (await letters.all()).length;
    await putBeforeGood(requestMessage(one, { value }));
    expect(await service.settled(app, one.id)).toMatchObject({
      status: 'failed',
      failure: { code: 'request_rejected', detail: expect.stringContaining('Nothing was retired') },
    });
    expect(await letters.all()).toHaveLength(before);
  });

  it('takes what a newer writer has added to a request', async () => {
    const one = request({ kgCO2e: 1 });
    await putBeforeGood(requestMessage(one, { value: JSON.stringify({ ...one, colour: 'green' }) }));
    expect(await service.settled(app, one.id)).toMatchObject({ status: 'completed' });
  });

  it('makes as many letters as there were of it, and holds nobody up, when much comes at once', async () => {
    const before = (await letters.all()).length;
    const goods = Array.from({ length: 200 }, () => request({ kgCO2e: 1 }));
    const bads = LETTERS.filter(([, what]) => !what.includes('mebibyte')).flatMap(([, , make]) => [
      make(known),
      make(known),
    ]);
    const mixed = goods.flatMap((good, n) => [...(bads[n] === undefined ? [] : [bads[n]]), requestMessage(good)]);
    await letters.put('offset.requested', ...mixed);
    const done = 'SELECT count(*)::integer AS n FROM offsets WHERE id = ANY ($1) AND status = $2';
    await eventually(
      async () =>
        expect(await service.rows(done, [goods.map(({ id }) => id), 'completed'])).toEqual([{ n: goods.length }]),
      { within: WITHIN_MS },
    );
    await eventually(async () => expect(await letters.all()).toHaveLength(before + bads.length));
  });
});

/** Bytes in both, whatever they were given as. */
function bytesOf(headers: Message['headers'] = {}): Record<string, Buffer> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Buffer.from(String(value))]));
}

function split(headers: Message['headers'] = {}) {
  const isOurs = (name: string) => name.startsWith('x-') && name !== 'x-request-id';
  const entries = Object.entries(bytesOf(headers));
  return {
    original: Object.fromEntries(entries.filter(([name]) => !isOurs(name))),
    added: Object.fromEntries(entries.filter(([name]) => isOurs(name)).map(([name, value]) => [name, String(value)])),
  };
}
