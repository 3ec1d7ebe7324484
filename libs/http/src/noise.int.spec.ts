import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { startTestApp, type TestApp } from './testing/app.js';
import { ask } from './testing/wire.js';

const SEED = 20_261_121;
const MANY = 400;
const AT_A_TIME = 60;

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ requestMs: 600, headMs: 300, checkEveryMs: 50, keepAliveMs: 100 });
});

afterAll(() => test.app.close());

const REQUESTS = [
  'GET /things?criteria=a&limit=5 HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n',
  'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"weight":1}',
  'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n{"weight":1}\r\n0\r\n\r\n',
  'OPTIONS /things HTTP/1.1\r\nHost: x\r\nOrigin: https://x\r\nAccess-Control-Request-Method: POST\r\n\r\n',
  'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
];
const PIECES = [...'\n\0 :,;%"{\xff', '\r\n', 'HTTP/1.1', 'Content-Length: 1\r\n', '0\r\n\r\n'];
const edit = (length: number) =>
  fc.record({
    at: fc.nat(length),
    cut: fc.nat(6),
    put: fc.oneof(fc.constantFrom('', ...PIECES), fc.string({ maxLength: 8, unit: 'binary' })),
  });

/** One or two requests with some bytes removed, doubled or replaced, and how the client behaves afterwards. */
const noise = fc.record({
  wire: fc
    .tuple(fc.constantFrom(...REQUESTS), fc.constantFrom('', ...REQUESTS))
    .map((both) => both.join(''))
    .chain((wire) =>
      fc
        .array(edit(wire.length), { minLength: 1, maxLength: 4 })
        .map((edits) => edits.reduce((text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut), wire)),
    ),
  leaves: fc.constantFrom('waits', 'waits', 'ends', 'resets'),
});

async function send({ wire, leaves }: { readonly wire: string; readonly leaves: string }): Promise<string> {
  const socket = connect(test.port, '127.0.0.1');
  socket.write(Buffer.from(wire, 'latin1'), () => {
    if (leaves === 'ends') socket.end();
    if (leaves === 'resets') socket.resetAndDestroy();
  });
  return await buffer(socket).then(
    (bytes) => bytes.toString('latin1'),
    () => '',
  );
}

describe('random edits of requests', () => {
  it(`cause no 5xx and no crash: ${MANY} times`, async () => {
    const all = fc.sample(noise, { seed: SEED, numRuns: MANY });
    const wrong: string[] = [];
    await Promise.all(
      Array.from({ length: AT_A_TIME }, async () => {
        for (let one = all.pop(); one !== undefined; one = all.pop()) {
          const received = await send(one);
          const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
          if (statuses.some((status) => status >= 500)) wrong.push(`${JSON.stringify(one)} ${received.slice(0, 200)}`);
        }
      }),
    );
    expect(wrong).toEqual([]);
    expect(test.bugs).toEqual([]);
    expect((await ask(test, '/things?criteria=')).status).toBe(200);
  });
});
