import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = (name: string) => fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url));
const blocks = [...readFileSync(docs('registry.md'), 'utf8').matchAll(/^```json\n([\s\S]*?)^```$/gm)];
const RECEIPT = JSON.stringify(JSON.parse(blocks.map(([, block = '']) => block).at(-1) ?? ''));
const RECORD = {
  id: 'off_04d6v3g8000000000000000001',
  status: 'completed',
  kgCO2e: 1234.5,
  credits: 1.2345,
  creditsMatched: 1.2345,
  retirements: [{ asset: 'pool_bct', credits: 1.2345, price: 1.25, cost: 1.543125 }],
  cost: 1.543125,
  completedAt: '2026-11-21T08:00:00.000Z',
};
const [LINE] = RECORD.retirements;

const folder = mkdtempSync(join(tmpdir(), 'receipt-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'offset.json');

function verify(receipt: string, record?: object | string): [status: number | null, sentence: string] {
  writeFileSync(path, typeof record === 'string' ? record : JSON.stringify(record ?? {}));
  const args = ['-', ...(record === undefined ? [] : [path])];
  return run(args, receipt);
}

function run(args: readonly string[], input = ''): [status: number | null, sentence: string] {
  const { status, stdout } = spawnSync(process.execPath, [docs('verify-receipt.mjs'), ...args], { input });
  return [status, String(stdout).trim()];
}

/** The receipt with its entry changed, and hashed again as a forger would. */
function rehashed(change: { sequence?: number; at?: string }): string {
  const receipt = JSON.parse(RECEIPT);
  const entry = { ...receipt.entries[0], ...change };
  const { asset, at, sequence, previousHash } = entry;
  const text = { asset, at, grams: '1234500', offset: receipt.offset, priceMicros: '1250000', sequence: `${sequence}` };
  const hash = createHash('sha256').update(previousHash, 'hex').update(JSON.stringify(text)).digest('hex');
  return JSON.stringify({ ...receipt, entries: [{ ...entry, hash }] });
}

describe('docs/verify-receipt.mjs', () => {
  it('verifies a receipt, and with the offset its weight; a reference is not part of it', () => {
    expect(verify(RECEIPT)).toEqual([0, 'holds; the weight of the offset was not compared']);
    expect(verify(RECEIPT.replace('R-1', 'R-2'), RECORD)).toEqual([0, 'holds, and is of the weight of the offset']);
  });

  it.each([
    ['"credits":1.2345', '"credits":1.234501', 'does not have the hash'],
    ['"credits":1.2345', '"credits":1.23450000004', 'not whole grams'],
    ['"price":1.25', '"price":"1.25"', 'has a price'],
    ['08:00:00.000', '08:00:00.001', 'does not have the hash'],
    ['"sequence":1', '"sequence":2', 'is not the first of its asset'],
    ['"sequence":1', '"sequence":"1"', 'has a sequence'],
    ['"previousHash":"7', '"previousHash":"8', 'continues another hash'],
    ['0001"', '0002"', 'does not have the hash'],
    ['"sequence":1', '"vintages":"x","sequence":1', 'has vintages'],
    ['"R-1"', '7', 'has a reference'],
    ['pool_bct', 'pool_nct', 'continues another hash'],
  ])('refuses %s changed to %s', (from, to, reason) => {
    expect(RECEIPT).toContain(from);
    expect(verify(RECEIPT.replace(from, to))).toEqual([1, expect.stringContaining(reason)]);
  });

  it('refuses a receipt with an entry three times, or with none', () => {
    const { entries, ...rest } = JSON.parse(RECEIPT) as { entries: object[] };
    const tripled = JSON.stringify({ ...rest, entries: [...entries, ...entries, ...entries] });
    expect(verify(tripled)).toEqual([1, expect.stringContaining('more than one entry')]);
    expect(verify(JSON.stringify({ ...rest, entries: [] }))).toEqual([1, expect.stringContaining('no entries')]);
  });

  it.each(['failed', 'processing'])(
    'says that an offset that is %s has no receipt, and refuses entries of it',
    (status) => {
      const { offset } = JSON.parse(RECEIPT) as { offset: string };
      expect(verify(JSON.stringify({ offset, status, entries: [] }))).toEqual([
        2,
        `no receipt: the offset is ${status}`,
      ]);
      const changed = RECEIPT.replace('"status":"completed"', `"status":"${status}"`);
      expect(verify(changed)).toEqual([1, expect.stringContaining(`its offset is ${status}`)]);
      expect(verify(RECEIPT.replace('"status":"completed",', ''))).toEqual([
        1,
        expect.stringContaining('status is missing'),
      ]);
    },
  );

  it.each([
    [{ kgCO2e: 1234.6 }, 'not the weight'],
    [{ credits: 2 }, 'not 2'],
    [{ id: 'off_1' }, 'another offset'],
    [{ status: 'failed' }, 'is failed'],
    [{ retirements: [] }, 'not the retirements'],
    [{ retirements: [null] }, 'not the retirements'],
    [{ retirements: [{ ...LINE, cost: 1.54 }] }, 'the cost of the record is not'],
    [{ cost: 1.543126 }, 'the cost of the record is not'],
    [{ cost: undefined }, 'is not a number'],
    [{ kgCO2e: '1234.5' }, 'is not a number'],
    [{ creditsMatched: 1 }, 'not 1'],
  ])('refuses a receipt of an offset with %j', (change, reason) => {
    expect(verify(RECEIPT, { ...RECORD, ...change })).toEqual([1, expect.stringContaining(reason)]);
  });

  it('refuses a later entry that continues the beginning of the chain, and with the offset another time', () => {
    expect(verify(rehashed({}), RECORD)[0]).toBe(0);
    expect(verify(rehashed({ sequence: 2 }))).toEqual([1, expect.stringContaining('is not the first of its asset')]);
    const earlier = rehashed({ at: '2020-01-01T00:00:00.000Z' });
    expect(verify(earlier)[0]).toBe(0);
    expect(verify(earlier, RECORD)).toEqual([1, expect.stringContaining('time when the offset was completed')]);
  });

  it('prints its usage', () => {
    expect(run(['--help'])).toEqual([0, expect.stringMatching(/^Usage: node verify-receipt\.mjs /)]);
  });

  it.each(['nothing', 'null', '[]', '{"status":503,"code":"service_unavailable"}'])(
    'says of a second file %j that it is no offset',
    (text) => {
      const sentence = expect.stringMatching(
        /^no offset in .*offset\.json: (Unexpected token|it has no|the response was)/,
      );
      expect(verify(RECEIPT, text)).toEqual([2, sentence]);
    },
  );

  it.each(['', 'null', '[]', '{"status":404,"code":"not_found"}'])('says that %j is no receipt', (text) => {
    expect(verify(text)).toEqual([2, expect.stringMatching(/^no receipt: /)]);
  });
});
