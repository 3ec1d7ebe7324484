import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@carbon/testing';
import { SEARCH, TEST_IDS, useGateway } from '../testing/gateway.js';
import { problem } from '../testing/http.js';
import { TestKeyFile, testKey } from '../testing/keys.js';
import { holding, json, useStub } from '../testing/stub-server.js';

const MAX = 8;
const MAX_OF_CONNECTION = 4;

const catalog = useStub();
const gateway = useGateway(() => ({
  CATALOG_URL: catalog.url,
  REQUESTS_IN_FLIGHT: String(MAX),
  REQUESTS_PER_CONNECTION: String(MAX_OF_CONNECTION),
}));
const connectTo = (url: string) => connect(Number(new URL(url).port), '127.0.0.1');

describe('a gateway at its concurrency limit', () => {
  /** Runs `work` while the gateway is full, then responds to the requests that filled it. */
  async function whileFull(work: () => Promise<void>): Promise<void> {
    const searches = holding(json('[]'));
    catalog.respond(searches.listener);
    const waiting = Array.from({ length: MAX }, () => gateway.send({ path: SEARCH }));
    try {
      await eventually(() => expect(searches.count).toBe(MAX));
      await work();
    } finally {
      searches.release();
    }
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  }

  it('sheds further requests with 503, and continues once there is capacity', async () => {
    await whileFull(async () => {
      for (const path of ['/v1/assets/schema', '/v1/offsets?id=x', '/v1/estimates?id=x'])
        expect(await gateway.send({ path })).toEqual(problem(503, 'service_unavailable'));
    });
    expect((await gateway.send({ path: '/v1/offsets?id=x' })).status).toBe(400);
  });

  it('sheds an offset with not_accepted and a key for the retry', async () => {
    const post = (key: string) =>
      gateway.send({ method: 'POST', path: '/v1/offsets', headers: { 'idempotency-key': key }, body: { kgCO2e: 1 } });
    await whileFull(async () => {
      expect(await post('my-key')).toEqual(problem(503, 'not_accepted', { retryKey: 'my-key' }));
      const { retryKey } = (await post('no key')).json as { retryKey: string };
      expect(TEST_IDS.read('off', retryKey, 'default').verdict).toBe('issued');
    });
  });

  it('still serves health, problem pages and metrics', async () => {
    await whileFull(async () => {
      for (const path of ['/health/live', '/problems/not_accepted', '/metrics'])
        expect((await gateway.send({ path })).status).toBe(200);
    });
  });
});

describe('a connection that pipelines', () => {
  it('gets no more than its share, and others are served', async () => {
    const searches = holding(json('[]'));
    catalog.respond(searches.listener);
    const socket = connectTo(gateway.url);
    const request = (more = '') => `GET ${SEARCH} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    socket.write(request().repeat(20) + request('Connection: close\r\n'));
    await eventually(() => expect(searches.count).toBe(MAX_OF_CONNECTION));
    expect((await gateway.send({ path: '/v1/offsets?id=x' })).status).toBe(400);
    searches.release();
    const wire = await text(socket);
    expect(wire.match(/HTTP\/1\.1 200/g)).toHaveLength(MAX_OF_CONNECTION);
    expect(wire.match(/HTTP\/1\.1 503/g)).toHaveLength(21 - MAX_OF_CONNECTION);
  });
});

describe('a connection that pipelines requests for public files', () => {
  it('gets no more than its share', async () => {
    const socket = connectTo(gateway.url);
    const request = (more = '') => `GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    socket.write(request().repeat(20) + request('Connection: close\r\n'));
    const wire = await text(socket);
    const [served, shed] = [wire.match(/HTTP\/1\.1 200/g) ?? [], wire.match(/HTTP\/1\.1 503/g) ?? []];
    expect(served.length + shed.length).toBe(21);
    expect(shed.length).toBeGreaterThan(0);
  });
});

describe('an account whose requests come without their bodies', () => {
  const [overloading, other] = [testKey('greedy'), testKey('other')];
  const file = new TestKeyFile([overloading, other]);
  const keyed = useGateway(() => ({ API_KEYS_FILE: file.path, REQUESTS_IN_FLIGHT: String(MAX) }));
  const post = ({ headers }: typeof overloading) =>
    keyed.send({ method: 'POST', path: '/v1/offsets', headers: { ...headers }, body: {} });

  /** Starts a request whose body never arrives. */
  function begin(socket: Socket): void {
    socket.write(
      `POST /v1/offsets HTTP/1.1\r\nHost: x\r\nAuthorization: ${overloading.headers.authorization}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 9\r\n\r\n',
    );
  }

  it('gets no more than its share, and others are served', async () => {
    const sockets = Array.from({ length: MAX }, () => connectTo(keyed.url));
    try {
      let refused = 0;
      for (const socket of sockets) {
        socket.once('data', (head) => {
          if (head.includes(' 503 ')) refused += 1;
        });
        begin(socket);
      }
      await eventually(() => expect(refused).toBe(MAX - MAX / 4));
      expect(await post(overloading)).toEqual(problem(503, 'not_accepted'));
      expect((await post(other)).status).toBe(400);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await eventually(async () => expect((await post(overloading)).status).toBe(400));
  });
});
