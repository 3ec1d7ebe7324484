import { UserFault } from '@carbon/faults';
import { idempotencyKey } from './idempotency-key.js';

const sent = (...values: string[]) => ({
  headers: values.length > 0 ? { 'idempotency-key': values.join(', ') } : {},
  rawHeaders: values.flatMap((value) => ['idempotency-KEY', value]),
});
const faultOf = (...values: string[]) => {
  try {
    return idempotencyKey(sent(...values));
  } catch (error) {
    return error instanceof UserFault ? error.items.map(({ field, code }) => `${field}: ${code}`) : error;
  }
};

describe('the Idempotency-Key', () => {
  it('may be left out', () => {
    expect(idempotencyKey(sent())).toBeUndefined();
  });

  it.each(['k', '"8e03978e"', 'k'.repeat(255), '!~', 'a,b'])('may be %s', (key) => {
    expect(idempotencyKey(sent(key))).toBe(key);
  });

  it.each(['', ' ', 'a b', 'k'.repeat(256), 'ü', 'a\u007f', 'a\tb'])('may not be %j', (key) => {
    expect(faultOf(key)).toEqual(['Idempotency-Key: invalid_header']);
  });

  it('is sent once, even if both times alike', () => {
    expect(faultOf('a', 'a')).toEqual(['Idempotency-Key: duplicate_header']);
    expect(faultOf('a', 'b')).toEqual(['Idempotency-Key: duplicate_header']);
  });
});
