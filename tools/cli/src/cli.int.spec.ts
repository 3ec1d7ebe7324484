import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Ran, runToEnd } from '@carbon/testing';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const COMMANDS = ['offset', 'offsets', 'show', 'receipt', 'estimate', 'pools', 'projects', 'schema'];

/** The command where no service is. */
function cli(...args: string[]): Promise<Ran> {
  return cliWith({ GATEWAY_URL: 'http://127.0.0.1:9' }, ...args);
}

function cliWith(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Ran> {
  return runToEnd(process.execPath, [CLI, ...args], { environment });
}

describe('npm run cli', () => {
  it('has help, of the whole and of each command', async () => {
    const helps = await Promise.all([[], ...COMMANDS.map((name) => [name])].map((args) => cli(...args, '--help')));
    const usages = ['', ...COMMANDS].map((name) => `Usage: cli ${name}`.trimEnd());
    expect(helps).toMatchObject(usages.map((usage) => ({ code: 0, err: '', out: expect.stringContaining(usage) })));
    for (const name of COMMANDS) expect(helps[0]?.out).toContain(`  ${name} `);
    for (const { out } of helps) expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('ends with 2 for wrong usage, asks nobody, and prints nothing on standard output', async () => {
    const wrong = [
      ['offset'],
      ['offset', '1,234'],
      ['offset', '5', '--idempotency-key', 'two words'],
      ['pools', 'source:', 'TOUCAN'],
      ['offsets', '--status', 'done'],
      ['offsets', '--limit', '0'],
      ['offsets', '--from', 'yesterday'],
      ['retire'],
    ];
    const usage = { code: 2, out: '', err: expect.stringMatching(/^error: /) };
    expect(await Promise.all(wrong.map((args) => cli(...args)))).toMatchObject(wrong.map(() => usage));
  });

  it('takes no key as an argument, and does not repeat one', async () => {
    const key = `cl_live_0123456789ab_${'a'.repeat(49)}`;
    const { code, out, err } = await cli('offsets', `--api-key=${key}`);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain("unknown option '--api-key=cl_live_0123456789ab_…'");
    expect(err).not.toContain('aaaa');
    const misplaced = await cli('offset', '5', '--idempotency-key', key);
    expect(misplaced).toMatchObject({
      code: 2,
      out: '',
      err: 'error: --idempotency-key: that is an API key; it goes into API_KEY\n',
    });
    expect(await cli('offset', '5', '--key', key)).toMatchObject({
      code: 2,
      out: '',
      err: expect.not.stringContaining(key),
    });
  });

  it('says who does not answer, and how to ask again without a second offset', async () => {
    const { code, out, err } = await cli('offset', '5');
    expect([code, out]).toEqual([75, '']);
    expect(err).toMatch(/^Nothing answers at http:\/\/127\.0\.0\.1:9/);
    expect(err).toMatch(/The same command with --idempotency-key [0-9a-f-]{36} asks again/);
    expect((await cli('offsets')).err).not.toContain('--idempotency-key');
  });

  it('shows a mistake in the criteria in colour where there is colour, and what the service says without', async () => {
    const item = { field: 'criteria', code: 'unknown_field', detail: 'no \u001b[2J field', position: 0, length: 5 };
    const answer = { status: 400, code: 'invalid_criteria', title: 'T', detail: 'D', errors: [item] };
    const service = createServer((_, response) =>
      response.writeHead(400, { 'content-type': 'application/problem+json' }).end(JSON.stringify(answer)),
    ).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    try {
      const environment = { GATEWAY_URL: `http://127.0.0.1:${port}`, FORCE_COLOR: '1', NO_COLOR: '' };
      const { code, out, err } = await cliWith(environment, 'pools', 'tiker: BCT');
      expect([code, out]).toEqual([1, '']);
      expect(err.split('\n').slice(1, 4)).toEqual([
        '  tiker: BCT',
        '  \u001b[31m^^^^^\u001b[39m',
        '  no \\u{1b}[2J field',
      ]);
    } finally {
      service.close();
    }
  });
});
