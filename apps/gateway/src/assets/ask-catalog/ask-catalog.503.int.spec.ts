import type { Socket } from 'node:net';
import { eventually } from '@carbon/testing';
import { problem } from '../../test-client.js';
import { startReader } from '../../test-gateway.js';
import { startTcp, startUpstream } from '../../test-upstream.js';

const path = '/v1/assets/pools?criteria=&fullTextSearch=';
const TIMEOUT_MS = 600;
/** A search whose time is over is given up on by then, on a busy machine: the catalog would take for ever. */
const LIMIT_MS = 6_000;
/** Above the largest answer that is taken. */
const TOO_MUCH = 9 * 1024 * 1024;

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const IMPATIENT = { CATALOG_TIMEOUT_MS: String(TIMEOUT_MS) };
const unavailable = problem(503, 'service_unavailable');

async function asked(onConnection: (socket: Socket) => void, settings: Readonly<Record<string, string>> = {}) {
  const catalog = await startTcp(onConnection);
  const gateway = await startReader({ CATALOG_URL: `http://127.0.0.1:${catalog.port}`, ...settings });
  try {
    return await gateway.ask({ path });
  } finally {
    await gateway.close();
    await catalog.close();
  }
}

describe('GET /v1/assets/pools when the catalog is away', () => {
  it('is 503 at once when nobody listens', async () => {
    const gateway = await startReader();
    try {
      const answer = await gateway.ask({ path });
      expect(answer).toEqual(unavailable);
      // Not after the twelve seconds that this gateway would wait.
      expect(answer.ms).toBeLessThan(LIMIT_MS);
    } finally {
      await gateway.close();
    }
  });

  it('is 503 when its time is over and it has taken the question and said nothing', async () => {
    const answer = await asked(() => {}, IMPATIENT);
    expect(answer).toEqual(unavailable);
    expect(answer.ms).toBeLessThan(LIMIT_MS);
  });

  it('is 503 when its time is over and the answer comes byte by byte', async () => {
    const answer = await asked((socket) => {
      socket.write(`${HEAD}content-length: 1000\r\n\r\n`);
      const drip = setInterval(() => socket.write(' '), 50);
      socket.on('close', () => clearInterval(drip));
    }, IMPATIENT);
    expect(answer).toEqual(unavailable);
    expect(answer.ms).toBeLessThan(LIMIT_MS);
  });

  it.each([
    ['is cut short', `${HEAD}content-length: 1000\r\n\r\n[{"name":"half`],
    ['is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['is a page', 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>'],
    ['is no JSON', `${HEAD}content-length: 7\r\n\r\ngarbage`],
    ['is empty', `${HEAD}content-length: 0\r\n\r\n`],
    ['is larger than any page', `${HEAD}content-length: ${TOO_MUCH}\r\n\r\n[${' '.repeat(TOO_MUCH - 2)}]`],
  ])('is 503 when the answer %s', async (_, answer) => {
    expect(await asked((socket) => void socket.once('data', () => socket.end(answer)))).toEqual(unavailable);
  });

  it('is 503 at once after some failures, and 200 soon after the catalog is back', async () => {
    const silent = await startUpstream(() => {});
    const gateway = await startReader({ CATALOG_URL: silent.url, CATALOG_TIMEOUT_MS: '3000' });
    const failures = await Promise.all(Array.from({ length: 5 }, () => gateway.ask({ path })));
    for (const failure of failures) expect(failure).toEqual(unavailable);
    // Now and then one is asked, to find out whether the catalog is back.
    await eventually(async () => {
      const refused = await gateway.ask({ path });
      expect(refused).toEqual(unavailable);
      expect(refused.ms).toBeLessThan(2_000);
    });
    await silent.close();
    const back = await startUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    }, silent.port);
    try {
      await eventually(async () => expect((await gateway.ask({ path })).status).toBe(200));
    } finally {
      await gateway.close();
      await back.close();
    }
  });
});
