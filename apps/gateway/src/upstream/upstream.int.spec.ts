import { TransientFault } from '@carbon/faults';
import { Logger } from '@nestjs/common';
import { says, startUpstream } from '../test-upstream.js';
import { Upstream } from './upstream.js';

class OneAtATime extends Upstream {
  constructor(url: string) {
    super({ name: 'other', url, timeoutMs: 1_000, connections: 1 });
  }
}

describe('questions beyond what is asked at a time', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('are given up without a word to the breaker, for nobody was asked', async () => {
    const answer = says(200, 'application/json', '[]');
    const server = await startUpstream((request, response) => {
      if (request.url === '/quick') answer(request, response);
      else setTimeout(() => answer(request, response), 700);
    });
    const upstream = new OneAtATime(server.url);
    try {
      const slow = upstream.get('/slow', {});
      const crowd = await Promise.allSettled(Array.from({ length: 20 }, () => upstream.get('/quick', {})));
      for (const one of crowd) expect(one).toEqual({ status: 'rejected', reason: expect.any(TransientFault) });
      expect((await slow).status).toBe(200);
      expect((await upstream.get('/quick', {})).status).toBe(200);
      expect(server.asked).toHaveLength(2);
    } finally {
      await upstream.close();
      await server.close();
    }
  });
});
