import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Offset } from '@carbon/client';
import { Table } from '@carbon/terminal';
import { Printer } from '../printing/printer.js';
import { offsetColumns, offsetLines } from './offset-text.js';

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

/** Standard output as one without colours. */
function stream({ isTTY, columns }: { isTTY: boolean; columns?: number }) {
  let text = '';
  const write = (bytes: Buffer, _: string, done: () => void) => {
    text += bytes.toString();
    done();
  };
  const made = Object.assign(new Writable({ write }), { isTTY, columns }) as unknown as NodeJS.WriteStream;
  return { made, text: () => text };
}

async function printed(where: { isTTY: boolean; columns?: number }, json = false): Promise<string> {
  const { made, text } = stream(where);
  const printer = new Printer(made, json);
  await printer.one(OFFSET, () => offsetLines(OFFSET, printer));
  await printer.flush();
  return text();
}

/** What is left without our own colours, whether there are any here or not. */
const plain = stripVTControlCharacters;

describe('an offset that is printed', () => {
  it('is facts and a table on a terminal, which has nothing to obey in them', async () => {
    expect(plain(await printed({ isTTY: true, columns: 80 }))).toBe(
      [
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
      ].join('\n'),
    );
  });

  it('says what there was no room for', async () => {
    const narrow = plain(await printed({ isTTY: true, columns: 40 }));
    expect(narrow).toMatch(/No room for TICKER: --json has everything\.\n$/);
  });

  it('is JSON elsewhere, and on a terminal where that is wished', async () => {
    const piped = await printed({ isTTY: false });
    expect(JSON.parse(piped)).toEqual(OFFSET);
    expect(piped).not.toContain('\u001b');
    expect(await printed({ isTTY: true, columns: 80 }, true)).toBe(piped);
  });
});

describe('a list of offsets', () => {
  const columns = offsetColumns(() => Date.parse('2026-11-21T08:41:00Z'));
  const lines = (width: number) => new Table(columns, width).lines([OFFSET]);
  const titles = (width: number) => lines(width)[0]?.split(/ {2,}/);

  it('always has the id and what became of it, the rest as there is room', () => {
    expect(titles(120)).toEqual(['ID', 'STATUS', 'KG CO2E', 'COST USD', 'AGE', 'REF']);
    expect(titles(75)).toEqual(['ID', 'STATUS', 'KG CO2E', 'COST USD', 'REF']);
    expect(titles(42)).toEqual(['ID', 'STATUS']);
  });

  it('says how old they are', () => {
    expect(lines(120)[1]).toContain('  40 min  ');
  });
});
