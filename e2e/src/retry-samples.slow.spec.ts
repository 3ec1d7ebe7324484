import { spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { runToEnd } from '@carbon/testing';
import { systemOnSharedEngines, type TestSystem } from './testing/system.js';

const SAMPLES = join(import.meta.dirname, '../../docs/samples');
/** The service itself needs no Python. */
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** A way in which a request fails, after the gateway has or has not processed it. */
type BadResponse = (
  request: IncomingMessage,
  response: ServerResponse,
  forward: () => Promise<Response>,
) => Promise<void>;

const losesTheResponse: BadResponse = async (request, _response, forward) => {
  await forward();
  request.socket.destroy();
};
const refuses =
  (status: number): BadResponse =>
  async (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json', 'retry-after': '1' });
    response.end(JSON.stringify({ status, code: 'not_accepted' }));
  };

let test: TestSystem;
let server: Server;
let badResponses: BadResponse[];
let keys: unknown[];
beforeAll(async () => {
  test = await systemOnSharedEngines();
  server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await test.stop();
});
beforeEach(() => {
  keys = [];
  badResponses = [losesTheResponse, refuses(503), refuses(429)];
});

/** Forwards to the gateway, unless a bad response is left. */
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url, headers } = request;
  const body = method === 'POST' ? { body: await buffer(request) } : {};
  if (method === 'POST') keys.push(headers['idempotency-key']);
  const key = headers['idempotency-key'];
  const sent = { 'content-type': 'application/json', ...(typeof key === 'string' && { 'idempotency-key': key }) };
  const forward = () => fetch(`${test.system.urls.gateway}${url}`, { method, headers: sent, ...body });
  const badResponse = badResponses.shift();
  if (badResponse) return badResponse(request, response, forward);
  const answer = await forward();
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
}

describe('the programs of docs/offsets.md', () => {
  const programs = { 'create-offset.sh': 'sh', ...(hasPython && { 'create_offset.py': 'python3' }) };
  const files = Object.keys(programs) as (keyof typeof programs)[];

  const runSample = (file: keyof typeof programs, weight: string, key: string) => {
    const { port } = server.address() as AddressInfo;
    const environment = { GATEWAY_URL: `http://127.0.0.1:${port}` };
    return runToEnd(programs[file] ?? 'sh', [join(SAMPLES, file), weight, key], { environment });
  };

  it.each(files)('create one offset whatever fails, and wait until it is completed: %s', async (file) => {
    const key = `order-${file}`;
    const { code, out, err } = await runSample(file, '1234.5', key);
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^off_[0-9a-z]{26} completed/);
    expect(keys).toEqual([key, key, key, key]);
    const { items } = await test.carbon.offsets.list({ limit: 100 }).page();
    expect(items.filter(({ kgCO2e }) => kgCO2e === 1234.5)).toHaveLength(files.indexOf(file) + 1);
  });

  it.each(files)('say why an offset is refused, and why it failed: %s', async (file) => {
    badResponses = [];
    const refused = await runSample(file, '-1', `refused-${file}`);
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/^not accepted: 400 .*kgCO2e/)]);
    const failed = await runSample(file, '1e12', `failed-${file}`);
    expect([failed.code, failed.err]).toEqual([1, expect.stringMatching(/^off_\w+ failed: .*insufficient_supply/)]);
    expect(keys).toHaveLength(2);
  });
});
