import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connection } from './connection.js';

const KEY = 'a key';

let server: Server;
let connection: Connection;

async function against(answer: (response: ServerResponse) => void): Promise<Connection> {
  server = createServer((request, response) => {
    request.resume().on('end', () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  connection = await Connection.open((server.address() as AddressInfo).port, KEY);
  return connection;
}

afterEach(async () => {
  connection.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('a connection of the load', () => {
  it('posts again and again over the same connection, each time until the whole answer is there', async () => {
    let answered = 0;
    const posting = await against((response) => {
      response.writeHead(202, { 'content-length': 4 }).write('wh');
      setImmediate(() => {
        answered += 1;
        response.end('le');
      });
    });
    for (const times of [1, 2, 3]) {
      await posting.post();
      expect(answered).toBe(times);
    }
  });

  it('fails with the answer in words when it is not 202', async () => {
    const posting = await against((response) => response.writeHead(503, { 'content-length': 4 }).end('away'));
    await expect(posting.post()).rejects.toThrow(/503.*away/s);
  });

  it('fails when the server closes', async () => {
    const posting = await against((response) => response.destroy());
    await expect(posting.post()).rejects.toThrow('closed a connection');
  });
});
