import type { IHeaders } from 'kafkajs';
import { decode } from './decode.js';
import { rawMessage, runOf } from './test-run.js';

describe('decode', () => {
  const one = (more: Parameters<typeof rawMessage>[1]) => decode(runOf({ raw: [rawMessage(5, more)] }));

  it('gives key, value, type, position, time and headers', () => {
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

  it('takes a null value for a withdrawal, with or without a type', () => {
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
  ])('makes a letter (%s) of %s, keeping the bytes', (code, _what, more) => {
    const { messages, letters } = one(more);
    expect(messages).toEqual([]);
    expect(letters).toEqual([expect.objectContaining({ code, attempts: 0, raw: rawMessage(5, more) })]);
  });

  it('takes a header without a value for none', () => {
    const headers = { gone: null, twice: [null, Buffer.from('b')] } as unknown as IHeaders;
    expect(one({ headers }).messages).toEqual([expect.objectContaining({ headers: { twice: 'b' } })]);
  });

  it('makes a letter of whatever else it cannot read', () => {
    const { messages, letters } = decode(runOf({ raw: [rawMessage(1, { offset: 'x' }), rawMessage(2)] }));
    expect(letters).toEqual([expect.objectContaining({ code: 'unreadable', raw: rawMessage(1, { offset: 'x' }) })]);
    expect(messages).toEqual([expect.objectContaining({ position: 2n })]);
  });

  it('keeps the order of the good around the bad', () => {
    const raw = [rawMessage(1), rawMessage(2, { value: Buffer.from('!') }), rawMessage(3)];
    expect(decode(runOf({ raw })).messages.map(({ position }) => position)).toEqual([1n, 3n]);
  });
});
