import { createHash } from 'node:crypto';
import { type OffsetRequestedV1 } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DeadLetters, type Put } from '../testing/dead-letters.js';
import { conflicting, type Message, pool, request, requestMessage } from '../testing/events.js';
import { TestService } from '../testing/service.js';

const PARTITION = 5;
const sha256 = (bytes: string | Buffer | null | undefined) =>
  bytes === null || bytes === undefined ? bytes : createHash('sha256').update(bytes).digest('hex');

const withMembers = (more: object = {}) => JSON.stringify({ ...request({ kgCO2e: 1 }), ...more });
const as = (more: Partial<Message>): Message => requestMessage(request({ kgCO2e: 1 }), more);
const known = request({ kgCO2e: 1 });

/** Messages without a readable id and account: the reason, and an example. */
const DEAD_LETTERS: [code: string, what: string, bad: Message][] = [
  ['invalid_json', 'text that is not JSON', as({ value: '{"id":' })],
  ['invalid_json', 'bytes that are not UTF-8', as({ value: Buffer.from([0x22, 0xff, 0xfe, 0x22]) })],
  ['invalid_json', 'nothing at all', as({ value: '' })],
  ['invalid_json', 'the word null', as({ value: 'null' })],
  ['unexpected_tombstone', 'a null value', as({ value: null })],
  ['invalid_data', 'no object', as({ value: '[1]' })],
  ['invalid_data', 'no id', as({ value: '{"account":"default","kgCO2e":1}' })],
  ['invalid_data', 'an id of another form', as({ value: withMembers({ id: 'off_1' }) })],
  ['invalid_data', 'no account', as({ value: withMembers({ account: undefined }) })],
  ['invalid_data', 'an account that no database takes', as({ value: withMembers({ account: 'a\u0000' }) })],
  ['invalid_data', 'very deep nesting', as({ value: `${'['.repeat(50_000)}${']'.repeat(50_000)}` })],
  ['invalid_data', 'nearly a mebibyte', as({ value: JSON.stringify({ filler: 'x'.repeat(1_000_000) }) })],
  ['unknown_type', 'a type of the future', as({ headers: { ce_type: 'offset.requested.v2' } })],
  ['unknown_type', 'the name of a member of every object', as({ headers: { ce_type: '__proto__' } })],
  ['unknown_type', 'no headers', as({ headers: {} })],
  ['invalid_key', 'no key', as({ key: null })],
  ['invalid_key', 'an empty key', as({ key: '' })],
  ['invalid_key', 'a key that is not UTF-8', as({ key: Buffer.from([0xc3, 0x28]) })],
  ['idempotency_conflict', 'another request under a known id', requestMessage(conflicting(known))],
  ['idempotency_conflict', 'a known id of another account', requestMessage({ ...known, account: 'thief' })],
];

/** Invalid requests whose id and account can be read. */
const FAILED: [what: string, more: object | string][] = [
  ['a weight that is text', { kgCO2e: '1' }],
  ['a negative weight', { kgCO2e: -1 }],
  ['a weight beyond every number', '"kgCO2e":1e999'],
  ['grams of another weight', { grams: '7' }],
  ['the fingerprint of another request', { fingerprint: 'a'.repeat(64) }],
  ['a time that PostgreSQL does not know', { createdAt: '0000-01-01T00:00:00.000Z' }],
  ['a reference that no database takes', { customerRef: '\u0000' }],
  ['half a character', '"customerRef":"\\ud800"'],
  ['a member that is missing', { grams: undefined }],
];

describe('bad messages among good requests', () => {
  let service: TestService;
  let deadLetters: DeadLetters;
  let app: NestFastifyApplication;
  beforeAll(async () => {
    service = await TestService.create();
    deadLetters = await DeadLetters.of(service);
    await service.publishAssets([pool('a')]);
    app = await service.start();
    await service.publishRequests([known]);
    await service.settled(app, known.id);
  });
  afterAll(async () => {
    await deadLetters.close();
    await service.close();
  });

  /** Writes each before a valid request on the same partition, and waits until the valid ones are completed. */
  const putAmongGood = async (bads: readonly Message[]) => {
    const puts: Put[] = [];
    const goods = bads.map(() => request({ kgCO2e: 1 }));
    for (const [n, good] of goods.entries()) {
      const both = [bads[n] as Message, requestMessage(good)].map((one) => ({ ...one, partition: PARTITION }));
      puts.push(await deadLetters.put('offset.requested', ...both));
    }
    for (const { id } of goods) expect(await service.settled(app, id)).toMatchObject({ status: 'completed' });
    return puts;
  };
  const textsOf = (headers: Message['headers'] = {}) =>
    Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  const isOurs = (name: string) => name.startsWith('x-') && name !== 'x-request-id';

  it('are dead-lettered with the reason, byte for byte, and delay no request behind them', async () => {
    const puts = await putAmongGood(DEAD_LETTERS.map(([, , bad]) => bad));
    const found = await eventually(async () => {
      const all = await deadLetters.all();
      expect(all).toHaveLength(DEAD_LETTERS.length);
      return new Map(all.map((deadLetter) => [String(deadLetter.headers?.['x-position']), deadLetter]));
    });
    for (const [n, [code, what, bad]] of DEAD_LETTERS.entries()) {
      const { position = '' } = puts[n] ?? {};
      const deadLetter = found.get(position);
      const headers = textsOf(deadLetter?.headers);
      expect({
        ...{ what, key: deadLetter?.key?.toString('hex'), value: sha256(deadLetter?.value) },
        original: Object.fromEntries(headers.filter(([name]) => !isOurs(name))),
        added: Object.fromEntries(headers.filter(([name]) => isOurs(name))),
      }).toEqual({
        ...{ what, key: bad.key === null ? undefined : Buffer.from(bad.key ?? '').toString('hex') },
        value: sha256(bad.value),
        original: Object.fromEntries(textsOf(bad.headers)),
        added: expect.objectContaining({
          ...{ 'x-reason-code': code, 'x-handler': 'offsets.requests', 'x-topic': 'offset.requested' },
          ...{ 'x-partition': String(PARTITION), 'x-position': position },
          'x-first-failed-at': expect.stringMatching(/^\d{4}-.+Z$/),
          'x-appended-at': expect.stringMatching(/^\d{4}-.+Z$/),
        }),
      });
    }
  });

  it('become failed offsets instead of dead letters when id and account can be read', async () => {
    const before = (await deadLetters.all()).length;
    const requests = FAILED.map(() => request({ kgCO2e: 1 }));
    const values = FAILED.map(([, more], n) => {
      if (typeof more === 'object') return JSON.stringify({ ...requests[n], ...more });
      return `${JSON.stringify(requests[n]).slice(0, -1)},${more}}`;
    });
    await putAmongGood(values.map((value, n) => requestMessage(requests[n] as OffsetRequestedV1, { value })));
    for (const [n, [what]] of FAILED.entries()) {
      expect({ what, ...(await service.settled(app, requests[n]?.id ?? '')) }).toMatchObject({
        what,
        status: 'failed',
        failure: { code: 'request_rejected', detail: expect.stringContaining('Nothing was retired') },
      });
    }
    expect(await deadLetters.all()).toHaveLength(before);
    await eventually(async () => {
      const events = await service.messagesOf('offset.failed');
      const published = events.map(({ key, value }) => [key, (value as { code: string }).code]);
      expect(published.sort()).toEqual(requests.map(({ id }) => [id, 'request_rejected']).sort());
    });
  });

  it('are not requests to which a newer version has added members', async () => {
    const one = request({ kgCO2e: 1 });
    await putAmongGood([requestMessage(one, { value: JSON.stringify({ ...one, colour: 'green' }) })]);
    expect(await service.settled(app, one.id)).toMatchObject({ status: 'completed' });
  });
});
