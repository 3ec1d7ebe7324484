import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '../load/client.js';
import { WATCHED_SEARCHES, watchSearches } from './watch-searches.js';

const CATALOGS = 5;
const servers: Server[] = [];
const clients: Client[] = [];
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  for (const server of servers) server.close();
});

it('sends every search to every catalog', async () => {
  const received = new Set<string>();
  const all = new AbortController();
  for (let n = 0; n < CATALOGS; n += 1) {
    const server = createServer(({ url }, response) => {
      const { pathname, searchParams } = new URL(url ?? '', 'http://127.0.0.1');
      const criteria = searchParams.get('criteria')?.replace(/( and )?not id:none_\d+$/, '');
      received.add(JSON.stringify([n, pathname, criteria, searchParams.get('fullTextSearch')]));
      if (received.size === CATALOGS * WATCHED_SEARCHES.length) all.abort();
      response.setHeader('x-total-count', '0').end('[]');
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    clients.push(new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 1));
  }
  const { errors } = await watchSearches(clients, 4, AbortSignal.any([all.signal, AbortSignal.timeout(5_000)]));
  expect([received.size, errors]).toEqual([CATALOGS * WATCHED_SEARCHES.length, []]);
});
