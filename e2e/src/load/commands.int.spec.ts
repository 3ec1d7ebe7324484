import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Ran, runToEnd } from '@carbon/testing';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const NO_GATEWAY = 'http://127.0.0.1:9';

const run = (command: string, args: readonly string[], url = NO_GATEWAY): Promise<Ran> =>
  runToEnd(process.execPath, [`${DIST}${command}/command.js`, ...args], { environment: { GATEWAY_URL: url } });

/** Runs a command beside a gateway that is alive and responds to everything else with a status. */
async function runBeside(status: number, command: string, args: readonly string[]): Promise<Ran> {
  const gateway = createServer(({ url }, response) => {
    response.statusCode = url === '/health/live' ? 200 : status;
    response.end('{"code":"unavailable"}');
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const { port } = gateway.address() as AddressInfo;
  return await run(command, args, `http://127.0.0.1:${port}`).finally(() => gateway.close());
}

describe('npm run load, npm run watch-searches', () => {
  it.each<[string, string[], RegExp]>([
    ['load', ['--offsets', 'abc'], /^error: option '--offsets <n>' argument 'abc' is invalid/],
    ['load', ['foo'], /^error: too many arguments/],
    ['searches', ['--bogus'], /^error: unknown option '--bogus'/],
  ])('exit with 2 on a usage error: %s %j', async (command, args, message) => {
    expect(await run(command, args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(message) });
  });

  it.each(['load', 'searches'])('exit soon with 75 and a sentence when no gateway answers: %s', async (command) => {
    const sentence =
      /^No response from http:\/\/127\.0\.0\.1:9: .*ECONNREFUSED.* does GATEWAY_URL or --url name it\?\n$/;
    expect(await run(command, [])).toMatchObject({ code: 75, out: '', err: expect.stringMatching(sentence) });
  });

  it.each(['load', 'searches'])(
    'exit with 77 and a sentence without the key that the gateway requires: %s',
    async (command) => {
      const ran = await runBeside(401, command, []);
      const sentence = /refuses \/v1\/\S+: API_KEY is missing or unknown there\.\n$/;
      expect(ran).toMatchObject({ code: 77, out: '', err: expect.stringMatching(sentence) });
    },
  );

  it('exit with 75 and a sentence when the gateway cannot search', async () => {
    const ran = await runBeside(503, 'searches', ['--seconds', '1']);
    const sentence = /^\/v1\/assets\/projects\?\S+ was answered with 503 \{"code":"unavailable"\}\n$/;
    expect(ran).toMatchObject({ code: 75, out: '', err: expect.stringMatching(sentence) });
  });
});
