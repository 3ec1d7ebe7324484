import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@carbon/testing';
import { problem } from '../test-client.js';
import { startReader, TEST_IDS, type TestGateway } from '../test-gateway.js';
import { TestKeyFile, testKey } from '../test-keys.js';
import { startUpstream, type TestUpstream } from '../test-upstream.js';

const MOST = 8;
const MOST_OF_CONNECTION = 4;
const SEARCH = '/v1/assets/pools?criteria=&fullTextSearch=';

let gateway: TestGateway;
let catalog: TestUpstream;
/** Questions that the catalog has taken and not answered. */
const held: ServerResponse[] = [];

beforeAll(async () => {
  catalog = await startUpstream((_, response) => void held.push(response));
  gateway = await startReader({
    CATALOG_URL: catalog.url,
    REQUESTS_IN_FLIGHT: String(MOST),
    REQUESTS_PER_CONNECTION: String(MOST_OF_CONNECTION),
  });
});

afterAll(async () => {
  await gateway.close();
  await catalog.close();
});

function answerAll(): void {
  for (const response of held.splice(0)) response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
}

/** Does something while the gateway is full; then it is not any more, and what filled it is answered. */
async function whileFull(work: () => Promise<void>): Promise<void> {
  const waiting = Array.from({ length: MOST }, () => gateway.ask({ path: SEARCH }));
  try {
    await eventually(() => expect(held).toHaveLength(MOST));
    await work();
  } finally {
    answerAll();
  }
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
}

describe('a gateway with as much in work as it may have', () => {
  it('answers what more comes with 503, whatever it is, and goes on once there is room', async () => {
    await whileFull(async () => {
      for (const path of ['/v1/assets/schema', '/v1/offsets?id=x', '/v1/estimates?id=x']) {
        expect(await gateway.ask({ path })).toEqual(problem(503, 'service_unavailable'));
      }
    });
    expect((await gateway.ask({ path: '/v1/offsets?id=x' })).status).toBe(400);
  });

  it('says of an offset that it was not accepted, and how to come back', async () => {
    const post = (key: string) =>
      gateway.ask({ method: 'POST', path: '/v1/offsets', headers: { 'idempotency-key': key }, body: { kgCO2e: 1 } });
    await whileFull(async () => {
      expect(await post('my-key')).toEqual(problem(503, 'not_accepted', { retryKey: 'my-key' }));
      const { json } = await post('no key');
      const { retryKey } = json as { retryKey: string };
      expect(TEST_IDS.read('off', retryKey, 'default').verdict).toBe('issued');
    });
  });

  it('still says that it lives, explains problems and gives its numbers', async () => {
    await whileFull(async () => {
      for (const path of ['/health/live', '/problems/not_accepted', '/metrics']) {
        expect((await gateway.ask({ path })).status).toBe(200);
      }
    });
  });
});

describe('a connection that sends on without waiting for answers', () => {
  it('has no more in work than it may, and everybody else is served', async () => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    const request = (more = '') => `GET ${SEARCH} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    socket.write(request().repeat(20) + request('Connection: close\r\n'));
    await eventually(() => expect(held).toHaveLength(MOST_OF_CONNECTION));
    expect((await gateway.ask({ path: '/v1/offsets?id=x' })).status).toBe(400);
    answerAll();
    const wire = await text(socket);
    expect(wire.match(/HTTP\/1\.1 200/g)).toHaveLength(MOST_OF_CONNECTION);
    expect(wire.match(/HTTP\/1\.1 503/g)).toHaveLength(21 - MOST_OF_CONNECTION);
  });
});

describe('an account whose requests come without their bodies', () => {
  const [greedy, other] = [testKey('greedy'), testKey('other')];
  const file = new TestKeyFile(greedy, other);
  let keyed: TestGateway;
  beforeAll(async () => {
    keyed = await startReader({ API_KEYS_FILE: file.path, REQUESTS_IN_FLIGHT: String(MOST) });
  });
  afterAll(async () => {
    await keyed.close();
    file.remove();
  });

  const ask = ({ headers }: typeof greedy) =>
    keyed.ask({ method: 'POST', path: '/v1/offsets', headers: { ...headers }, body: {} });

  /** Begins a request whose body never comes. */
  function begin(socket: Socket): void {
    socket.write(
      `POST /v1/offsets HTTP/1.1\r\nHost: x\r\nAuthorization: ${greedy.headers.authorization}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 9\r\n\r\n',
    );
  }

  it('has its share in work and no more, and everybody else is served', async () => {
    const sockets = Array.from({ length: MOST }, () => connect(Number(new URL(keyed.url).port), '127.0.0.1'));
    try {
      let refused = 0;
      for (const socket of sockets) {
        socket.once('data', (head) => {
          if (head.includes(' 503 ')) refused += 1;
        });
        begin(socket);
      }
      await eventually(() => expect(refused).toBe(MOST - MOST / 4));
      expect(await ask(greedy)).toEqual(problem(503, 'not_accepted'));
      expect((await ask(other)).status).toBe(400);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await eventually(async () => expect((await ask(greedy)).status).toBe(400));
  });
});
