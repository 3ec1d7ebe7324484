import { TransientFault } from '@carbon/faults';
import { Logger } from '@nestjs/common';
import { says, startUpstream } from '../test-upstream.js';
import { Upstream } from './upstream.js';

class OneAtATime extends Upstream {
  constructor(url: string, timeoutMs = 30_000) {
    super({ name: 'other', url, secret: 'a secret', timeoutMs, connections: 1 });
  }
}

const of = (account: string) => ({ 'x-account': account });

describe('answers that are too long', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('are refused without a word to the breaker, so that others are still asked', async () => {
    const long = `["${'x'.repeat(9 * 1024 * 1024)}"]`;
    const server = await startUpstream((request, response) => {
      says(200, 'application/json', request.url === '/long' ? long : '[]')(request, response);
    });
    const upstream = new OneAtATime(server.url);
    try {
      for (let n = 0; n < 6; n += 1)
        await expect(upstream.get('/long', of('acme'))).rejects.toBeInstanceOf(TransientFault);
      expect((await upstream.get('/short', of('acme'))).status).toBe(200);
      expect(server.asked.map(({ path }) => path)).toEqual([...Array.from({ length: 6 }, () => '/long'), '/short']);
    } finally {
      await upstream.close();
      await server.close();
    }
  });
});

/** Half of the time may be spent on waiting for a turn, and the slow answer takes longer than that. */
const TIMEOUT_MS = 6_000;
const SLOW_MS = 3_500;

describe('questions beyond what is asked at a time', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('are given up without a word to the breaker, for nobody was asked', async () => {
    const answer = says(200, 'application/json', '[]');
    const server = await startUpstream((request, response) => {
      if (request.url === '/quick') answer(request, response);
      else setTimeout(() => answer(request, response), SLOW_MS);
    });
    const upstream = new OneAtATime(server.url, TIMEOUT_MS);
    try {
      const slow = upstream.get('/slow', of('acme'));
      const crowd = await Promise.allSettled(Array.from({ length: 20 }, () => upstream.get('/quick', of('acme'))));
      for (const one of crowd) expect(one).toEqual({ status: 'rejected', reason: expect.any(TransientFault) });
      expect((await slow).status).toBe(200);
      expect((await upstream.get('/quick', of('acme'))).status).toBe(200);
      expect(server.asked).toHaveLength(2);
    } finally {
      await upstream.close();
      await server.close();
    }
  });

  it('are asked for the accounts by turns, however many one of them has', async () => {
    const server = await startUpstream(says(200, 'application/json', '[]'));
    const upstream = new OneAtATime(server.url);
    try {
      const many = Array.from({ length: 10 }, () => upstream.get('/', of('greedy')));
      await Promise.all([...many, upstream.get('/', of('other'))]);
      expect(server.asked.findIndex(({ headers }) => headers['x-account'] === 'other')).toBe(2);
    } finally {
      await upstream.close();
      await server.close();
    }
  });
});
