import { WrongUsage } from '@carbon/terminal';
import { readCount, readIdempotencyKey, readNames, readWeight } from './options.js';

describe('what is typed', () => {
  it.each([
    ['1234.5', 1234.5],
    ['.5', 0.5],
    ['1e3', 1000],
    ['-5', -5],
  ])('is a weight: %s', (text, weight) => {
    expect(readWeight(text)).toBe(weight);
  });

  it.each(['', '1,234.5', '5kg', '0x10', 'Infinity', '1e999', '٣'])('is no weight: %j', (text) => {
    expect(() => readWeight(text)).toThrow('a weight is a number of kilograms');
  });

  it('is a count from 1 on', () => {
    expect(readCount('20')).toBe(20);
    for (const text of ['0', '-1', '1.5', '1000001', 'all']) expect(() => readCount(text)).toThrow('a whole number');
  });

  it('is names, spaces or not', () => {
    expect(readNames('-price, name')).toEqual(['-price', 'name']);
  });

  it('is a key for retries that a header can carry', () => {
    expect(readIdempotencyKey('order-77')).toBe('order-77');
    for (const text of ['', 'a b', 'é', 'x'.repeat(256)])
      expect(() => readIdempotencyKey(text)).toThrow('visible ASCII');
  });

  it('is no key for retries when it holds an API key, and that is not repeated', () => {
    for (const text of ['cl_live_0123456789ab_Zx9', 'order-cl_live_0123456789ab_Zx9', 'Bearer cl_live_Zx9']) {
      expect(() => readIdempotencyKey(text)).toThrow(WrongUsage);
      expect(() => readIdempotencyKey(text)).toThrow(/that is an API key; it goes into API_KEY$/);
      expect(() => readIdempotencyKey(text)).not.toThrow('Zx9');
    }
  });
});
