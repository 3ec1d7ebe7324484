import { aheadOf, differenceOf } from './differences.js';

describe('differenceOf', () => {
  it('finds none in equal contents, nor where there is nothing on either side', () => {
    expect(differenceOf('pool_a', { name: 'A', vintages: [1, 2] }, { vintages: [1, 2], name: 'A' })).toBeUndefined();
    expect(differenceOf('pool_a', undefined, undefined)).toBeUndefined();
  });

  it('names every field that differs, with both values', () => {
    expect(differenceOf('pool_a', { name: 'A', rating: 2, price: 1 }, { name: 'B', price: 1, source: 'X' })).toEqual({
      kind: 'different',
      id: 'pool_a',
      detail: 'name is "B", should be "A"; rating is absent, should be 2; source is "X", should be absent',
    });
  });

  it('shortens long values without cutting a character in two', () => {
    const { detail = '' } = differenceOf('pool_a', { name: '😀'.repeat(500) }, { name: 'B' }) ?? {};
    expect(detail.length).toBeLessThan(200);
    expect(detail).toMatch(/😀…$/u);
  });

  it('tells what is on one side only by its name', () => {
    expect(differenceOf('pool_a', { name: 'A' }, undefined)).toMatchObject({
      kind: 'missing',
      detail: 'the topic has "A"',
    });
    expect(differenceOf('pool_a', undefined, { name: 'A' })).toMatchObject({ kind: 'surplus' });
  });
});

describe('aheadOf', () => {
  it('finds a version that the topic has not reached, and none that it has', () => {
    expect(aheadOf('pool_a', 8n, 9n)).toBeUndefined();
    expect(aheadOf('pool_a', 8n, 8n)).toBeUndefined();
    expect(aheadOf('pool_a', 8n, 10n)).toMatchObject({ kind: 'ahead', id: 'pool_a' });
  });
});
