import { finished, howFar } from './speed.js';

describe('how far a generation is', () => {
  it('is told in percent and messages a second', () => {
    expect(howFar(200_000n, 150_000n, 10_000)).toBe('25 % of 200,000 messages, 5,000 a second');
    expect(howFar(200_000n, 200_000n, 0)).toBe('0 % of 200,000 messages, 0 a second');
    expect(howFar(0n, 0n, 10_000)).toBe('the topic is empty');
  });

  it('is told once it is done', () => {
    expect(finished(200_000n, 12_345)).toBe('200,000 messages in 12.3 s, 16,200 a second');
  });
});
