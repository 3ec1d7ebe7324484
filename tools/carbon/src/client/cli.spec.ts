import { Readable, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Offset } from '@carbon/client';
import type { Environment } from '@carbon/config';
import { CommandContext, Table, TerminalOutput, UsageError } from '@carbon/terminal';
import { readCount, readIdempotencyKey, readWeight } from './arguments.js';
import { clientSettings } from './session.js';
import { offsetColumns, offsetLines } from './views.js';

const OFFSET: Offset = {
  id: 'off_01m7zx8k2f6dg0t64efqj69v9a',
  status: 'completed',
  kgCO2e: 1234.5,
  credits: 1.2345,
  creditsMatched: 1.2345,
  retirements: [{ asset: 'proj_vcs-12', ticker: 'VCS-12-2016', credits: 1.2345, price: 2.07, cost: 2.555415 }],
  cost: 2.555415,
  currency: 'USD',
  customerRef: 'for \u001b[31mred\u0007',
  createdAt: '2026-11-21T08:00:00.123Z',
  updatedAt: '2026-11-21T08:00:01.000Z',
  completedAt: '2026-11-21T08:00:01.000Z',
};

async function printed(where: { isTTY: boolean; columns?: number }, json?: true): Promise<string> {
  let text = '';
  const write = (bytes: Buffer, _: string, done: () => void) => {
    text += bytes.toString();
    done();
  };
  const stdout = Object.assign(new Writable({ write }), where);
  const output = new TerminalOutput({ stdout, stderr: new Writable() }, { json });
  await output.document(OFFSET, () => offsetLines(OFFSET, output));
  return text;
}

/** Removes our own colours, if there are any. */
const plain = stripVTControlCharacters;

describe('an offset that is printed', () => {
  it('is facts and a table on a terminal, without control sequences', async () => {
    expect(plain(await printed({ isTTY: true, columns: 80 })).split('\n')).toEqual([
      'offset     off_01m7zx8k2f6dg0t64efqj69v9a',
      'status     completed',
      'kgCO2e     1234.5',
      'credits    1.2345 of 1.2345 retired',
      'cost       2.555415 USD',
      'reference  for \\u{1b}[31mred\\u{7}',
      'created    2026-11-21 08:00:00 UTC',
      'completed  2026-11-21 08:00:01 UTC',
      '',
      'ASSET        TICKER       CREDITS  PRICE  COST USD',
      'proj_vcs-12  VCS-12-2016   1.2345   2.07  2.555415',
      '',
    ]);
  });

  it('is JSON elsewhere, and on a terminal with --json', async () => {
    const piped = await printed({ isTTY: false });
    expect(JSON.parse(piped)).toEqual(OFFSET);
    expect(piped).not.toContain('\u001b');
    expect(await printed({ isTTY: true, columns: 80 }, true)).toBe(piped);
  });
});

describe('a list of offsets', () => {
  it('always has the id and the status, other columns if they fit, and the age of offsets', () => {
    const columns = offsetColumns(() => Date.parse('2026-11-21T08:41:00Z'));
    const lines = (width: number) => new Table(columns, width).lines([OFFSET]);
    const titles = [120, 75, 42].map((width) => lines(width)[0]?.replaceAll(/ {2,}/g, '|'));
    expect(titles).toEqual(['ID|STATUS|KG CO2E|COST USD|AGE|REF', 'ID|STATUS|KG CO2E|COST USD|REF', 'ID|STATUS']);
    expect(lines(120)[1]).toContain('  40 min  ');
  });
});

describe('an argument', () => {
  it.each<[string, (text: string) => unknown, string[]]>([
    ['a weight is a number of kilograms', readWeight, ['', '1,234.5', '5kg', '0x10', 'Infinity', '1e999', '٣']],
    ['an integer', readCount, ['0', '-1', '1.5', '1000001', 'all']],
    ['visible ASCII', readIdempotencyKey, ['', 'a b', 'é', 'x'.repeat(256)]],
  ])('is refused with "%s"', (message, read, texts) => {
    for (const text of texts) expect(() => read(text)).toThrow(message);
  });

  it('is no idempotency key when it contains an API key, and is not printed then', () => {
    for (const text of ['cl_live_0123456789ab_Zx9', 'order-cl_live_0123456789ab_Zx9', 'Bearer cl_live_Zx9']) {
      expect(() => readIdempotencyKey(text)).toThrow(UsageError);
      expect(() => readIdempotencyKey(text)).toThrow(/that is an API key; it goes into API_KEY$/);
    }
  });
});

describe('the gateway of a command', () => {
  /** The variables of the environment file of a checkout. */
  const fromFile = { GATEWAY_URL: 'http://127.0.0.1:3000', API_KEY: 'the-key-of-the-checkout' };
  const KEY = 'cl_live_0123456789ab_secret';
  const alone = (own: Environment) => own;
  const merge = (own: Environment) => ({ ...fromFile, ...own });
  const settings = (environment: Environment, merged = alone) => {
    const [stdin, stdout, stderr] = [Readable.from([]), new Writable(), new Writable()];
    const { signal } = new AbortController();
    return clientSettings(new CommandContext({ stdin, stdout, stderr, environment, signal }), merged);
  };

  it('is the one of the environment, else of the checkout, each with its own key and never with the other’s', () => {
    const ours = { GATEWAY_URL: 'https://carbon.example/', API_KEY: KEY };
    expect(settings({}, merge)).toEqual({ gateway: fromFile.GATEWAY_URL, key: fromFile.API_KEY });
    expect(settings({})).toEqual({ gateway: 'http://127.0.0.1:3000', key: undefined });
    expect(settings(ours, merge)).toEqual({ gateway: 'https://carbon.example', key: KEY });
    expect(settings({ GATEWAY_URL: 'https://elsewhere.example' }, merge).key).toBeUndefined();
  });

  it.each([{ API_KEY: `${KEY} ` }, { API_KEY: 'ké' }])('is not called with an invalid key: %j', (own) => {
    expect(() => settings(own)).toThrow('API_KEY must be a key');
    expect(() => settings(own)).not.toThrow(own.API_KEY);
  });
});
