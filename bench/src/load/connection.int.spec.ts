import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Connection } from './connection.js';

/** Runs the work over a connection to a server that sends this response to every request. */
async function against(answer: (response: ServerResponse) => void, work: (connection: Connection) => Promise<void>) {
  const server = createServer((request, response) => void request.resume().on('end', () => answer(response)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const connection = await Connection.open((server.address() as AddressInfo).port, 202);
  try {
    await work(connection);
  } finally {
    connection.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const REQUEST = 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';

describe('a connection of the load generator', () => {
  it('sends repeatedly over the same connection, each time after the complete response', () => {
    let answered = 0;
    const inTwoParts = (response: ServerResponse) => {
      response.writeHead(202, { 'content-length': 4 }).write('wh');
      setImmediate(() => {
        answered += 1;
        response.end('le');
      });
    };
    return against(inTwoParts, async (connection) => {
      for (const times of [1, 2, 3]) {
        await connection.send(REQUEST);
        expect(answered).toBe(times);
      }
    });
  });

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['the answer is not 202', (response) => response.writeHead(503, { 'content-length': 4 }).end('away'), /503.*away/s],
    ['the server closes', (response) => response.destroy(), /closed a connection/],
  ])('fails with a message when %s', (_, answer, words) =>
    against(answer, (connection) => expect(connection.send(REQUEST)).rejects.toThrow(words)),
  );
});
