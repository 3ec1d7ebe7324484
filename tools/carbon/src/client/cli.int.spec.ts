import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Ran, runInProcess, runToEnd } from '@carbon/testing';
import { carbonProgram } from '../program.js';

const CLI = fileURLToPath(new URL('../../dist/carbon.js', import.meta.url));

/** Runs the command where no service is running. */
function cli(...args: string[]): Promise<Ran> {
  return runInProcess(carbonProgram, args, { environment: { GATEWAY_URL: 'http://127.0.0.1:9' } });
}

function cliWith(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Ran> {
  return runToEnd(process.execPath, [CLI, ...args], { environment });
}

describe('cli', () => {
  it('has help, of the whole and of a command, that fits into 80 columns', async () => {
    const helps = await Promise.all([cli('--help'), cli('offsets', '--help')]);
    const usages = ['Usage: carbon <command>', 'Usage: carbon offsets'];
    expect(helps).toMatchObject(usages.map((usage) => ({ code: 0, err: '', out: expect.stringContaining(usage) })));
    for (const { out } of helps) expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('exits with 2 on a usage error, sends nothing, and prints no key from its arguments', async () => {
    const key = `cl_live_0123456789ab_${'a'.repeat(49)}`;
    const rows: [string[], RegExp][] = [
      [['offset', '1,234'], /^error: .*a weight is a number of kilograms/],
      [['pools', 'source:', 'TOUCAN'], /^error: too many arguments/],
      [['offsets', '--status', 'done'], /^error: .*Allowed choices are queued/],
      [['offsets', '--from', 'yesterday'], /^error: .*'yesterday' is invalid/],
      [['show', 'BCT'], /^error: .*must be the id of an offset \(off_…\) or of an estimate/],
      [['retire'], /^error: unknown command 'retire'/],
      [['offsets', `--api-key=${key}`], /unknown option '--api-key=cl_live_0123456789ab_…'/],
      [
        ['offset', '5', '--idempotency-key', key],
        /^error: --idempotency-key: that is an API key; it goes into API_KEY\n$/,
      ],
      [['offset', '5', '--key', key], /^error: unknown option '--key'/],
    ];
    const ran = await Promise.all(rows.map(([args]) => cli(...args)));
    expect(ran).toMatchObject(rows.map(([, message]) => ({ code: 2, out: '', err: expect.stringMatching(message) })));
    for (const { err } of ran) expect(err).not.toContain('aaaa');
  });

  it('names the service that does not respond, and how to retry without a second offset', async () => {
    const wait = ['show', 'off_01m7zx8k2f6dg0t64efqj69v9a', '--within', '1'];
    const [posted, read, waited] = await Promise.all([cli('offset', '5'), cli('offsets'), cli(...wait)]);
    expect(waited).toMatchObject({ code: 75, out: '', err: expect.stringContaining('No response from http://127') });
    expect(waited.err).not.toContain('The service continues');
    expect(posted).toMatchObject({ code: 75, out: '' });
    expect(posted.err).toMatch(/^No response from http:\/\/127\.0\.0\.1:9/);
    expect(posted.err).toMatch(/The same command with --idempotency-key [0-9a-f-]{36} retries it/);
    expect(read.err).not.toContain('--idempotency-key');
  });

  it.each<[string, unknown, string[]]>([
    [
      'which clause finds nothing, and near values',
      [
        { parameter: 'criteria', text: 'price < 5', total: 7 },
        {
          parameter: 'criteria',
          text: 'country = "UK" or country = "X"',
          total: 0,
          values: [
            { field: 'country', value: 'UK', near: ['United Kingdom'] },
            { field: 'country', value: 'X', near: [] },
          ],
        },
      ],
      ['Nothing matches country = "UK" or country = "X".', '  no country is UK; similar: United Kingdom'],
    ],
    [
      'what each clause finds when only all together find nothing',
      [
        { parameter: 'fullTextSearch', text: 'wind', total: 3 },
        { parameter: 'criteria', text: 'price < 5', total: 7 },
      ],
      ['Each of these matches some assets, but no asset matches all of them:', '  the text wind: 3', '  price < 5: 7'],
    ],
    ['nothing more when the hints cannot be read', 'oops', []],
  ])('says of a search without results %s', async (_, clauses, lines) => {
    const service = createServer(({ url = '' }, response) => {
      const isHints = url.startsWith('/v1/assets/hints?kind=projects&criteria=');
      response.writeHead(200, { 'content-type': 'application/json', 'x-total-count': '0' });
      response.end(JSON.stringify(isHints ? { total: 0, clauses } : []));
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    try {
      const environment = { GATEWAY_URL: `http://127.0.0.1:${port}` };
      const { code, err } = await cliWith(environment, 'projects', 'country: UK', '--text', 'wind');
      expect([code, err.trimEnd().split('\n')]).toEqual([0, ['No projects match.', ...lines]]);
    } finally {
      service.close();
    }
  });

  it('shows an error in the criteria in colour if the terminal has colour, and the service’s message without', async () => {
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
      const shown = ['  tiker: BCT', '  \u001b[31m^^^^^\u001b[39m', '  no \\u{1b}[2J field'];
      expect(err.split('\n').slice(1, 4)).toEqual(shown);
    } finally {
      service.close();
    }
  });
});
