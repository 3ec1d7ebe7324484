import { answerOf } from './answer.js';

const etagOf = (body: string, headers = {}) => answerOf(0, Buffer.from(body), headers).etag;

describe('the entity tag of an answer', () => {
  it('is the same for the same, whenever it was asked for', () => {
    const headers = { 'x-total-count': '7' };
    expect(answerOf(1, Buffer.from('[]'), headers).etag).toBe(answerOf(2, Buffer.from('[]'), headers).etag);
    expect(etagOf('[]')).toMatch(/^"[\w-]{22}"$/);
  });

  it('changes with the body, the total and the link', () => {
    const tags = [
      etagOf('[]'),
      etagOf('[1]'),
      etagOf('[]', { 'x-total-count': '0' }),
      etagOf('[]', { 'x-total-count': '1' }),
      etagOf('[]', { 'x-total-count': '1', link: '</v1/assets/pools?cursor=a>; rel="next"' }),
      etagOf('[]', { 'x-total-count': '1', link: '</v1/assets/pools?cursor=b>; rel="next"' }),
    ];
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('does not take the end of a head for the beginning of a body', () => {
    expect(etagOf('{}[]', {})).not.toBe(etagOf('[]', {}));
  });
});
