import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Visit } from './admission-step.js';
import { InWork } from './in-work.js';

const ONE = { most: 1, mostOfAccount: 1, mostOfConnection: 1 };

/** A visit of an account by its key, or to an open gateway. */
function visitOn(socket: Socket, account?: string): Visit {
  const incoming = new IncomingMessage(socket);
  const request = { raw: incoming, routeOptions: { config: {} } };
  const caller = account === undefined ? { account: 'default' } : { account, key: { id: `key of ${account}` } };
  return { request, reply: { raw: new ServerResponse(incoming) }, scope: 'assets:read', caller } as unknown as Visit;
}

describe('what is in work', () => {
  it('does not grow by a client that has left before its request was begun', () => {
    const inWork = new InWork(ONE);
    for (let n = 0; n < 3; n += 1) {
      const left = visitOn(new Socket().destroy());
      expect(() => inWork.admit(left)).toThrow('The connection was closed');
    }
    inWork.admit(visitOn(new Socket()));
  });

  it('shrinks by every request that ends, answered or left', () => {
    const inWork = new InWork(ONE);
    for (let n = 0; n < 3; n += 1) {
      const visit = visitOn(new Socket());
      inWork.admit(visit);
      expect(() => inWork.admit(visitOn(new Socket()))).toThrow('Too much is asked for');
      visit.reply.raw.emit('close');
    }
  });

  it('is no more of an account than its share, on however many connections, and others have theirs', () => {
    const inWork = new InWork({ most: 4, mostOfAccount: 2, mostOfConnection: 9 });
    const admit = (account?: string) => {
      const visit = visitOn(new Socket(), account);
      inWork.admit(visit);
      return visit;
    };
    const [greedy] = [admit('greedy'), admit('greedy')];
    expect(() => admit('greedy')).toThrow('Too much is asked for');
    admit('other');
    greedy?.reply.raw.emit('close');
    admit('greedy');
    admit('other');
    expect(() => admit('third')).toThrow('Too much is asked for');
  });

  it('may be all of one account while the gateway is open, for everybody has the same', () => {
    const inWork = new InWork({ ...ONE, most: 3 });
    for (let n = 0; n < 3; n += 1) inWork.admit(visitOn(new Socket()));
    expect(() => inWork.admit(visitOn(new Socket()))).toThrow('Too much is asked for');
  });
});
