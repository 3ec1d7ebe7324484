import { z } from 'zod';
import { SMALL_TOPICS } from '../test-kafka.js';
import { received, runOf } from './test-run.js';
import { validate } from './validate.js';

describe('validate', () => {
  const check = validate(SMALL_TOPICS);
  const one = (more: object, topic = 'offset.requested') =>
    check(runOf({ topic, messages: [{ ...received(1), ...more }] }));

  it('leaves out members it does not know: a writer may be a version ahead', () => {
    expect(one({ value: { n: 1, later: true } }).messages[0]?.value).toEqual({ n: 1 });
  });

  it('lets a withdrawal through where the topic knows them', () => {
    expect(one({ value: null, type: '' }, 'asset.published').messages).toHaveLength(1);
    expect(one({ value: null }).letters[0]?.code).toBe('unexpected_tombstone');
  });

  it.each([
    ['unknown_type', { type: 'offset.requested.v2' }],
    ['unknown_type', { type: '' }],
    ['unknown_type', { type: '__proto__' }],
    ['unknown_type', { type: 'toString' }],
    ['invalid_data', { value: { n: '1' } }],
    ['invalid_data', { value: [] }],
  ])('makes a letter (%s) of %j', (code, more) => {
    const { messages, letters } = one(more);
    expect(messages).toEqual([]);
    expect(letters[0]?.code).toBe(code);
  });

  it('says which member is wrong and never what it held', () => {
    expect(one({ value: { n: 'secret' } }).letters[0]?.detail).toMatch(/^n: (?!.*secret)/);
  });

  it('makes a letter of a message that its schema chokes on, of that one alone', () => {
    const schema = z.object({ n: z.number() }).transform(({ n }) => {
      if (n === 1) throw new TypeError('secret');
      return { n };
    });
    const topic = { ...SMALL_TOPICS['offset.requested'], types: { 'offset.requested.v1': schema } };
    const choking = validate({ 'offset.requested': topic });
    const { messages, letters } = choking(runOf({ messages: [received(1), received(2)] }));
    expect(letters).toEqual([expect.objectContaining({ code: 'unreadable', raw: received(1).raw })]);
    expect(letters[0]?.detail).not.toContain('secret');
    expect(messages.map(({ position }) => position)).toEqual([2n]);
  });

  it('adds to the letters there are', () => {
    const { letters } = one({ value: {} });
    const again = check(runOf({ letters, messages: [{ ...received(2), value: {} }] }));
    expect(again.letters).toHaveLength(2);
  });
});
