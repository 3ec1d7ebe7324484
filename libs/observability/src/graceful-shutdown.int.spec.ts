import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { HttpDrain } from './graceful-shutdown.js';

const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

describe('HttpDrain', () => {
  it('answers a request that came while the process paused', async () => {
    const server = createServer((_request, response) => void response.end('done')).listen(0, '127.0.0.1');
    const drain = new HttpDrain(server);
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
    socket.write(REQUEST);
    await once(socket, 'data');
    const drained = drain.drain(10_000);
    socket.write(REQUEST);
    const pauseEnd = performance.now() + 400;
    while (performance.now() < pauseEnd);
    const [answer] = await once(socket, 'data');
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n.*connection: close/is);
    await drained;
  });
});
