import { chain, chainStart, type LedgerEntry } from '../domain/ledger-chain.js';
import { continueChains, entryKey, type PublishedLine } from './continue-chains.js';
import { rangeFrom } from './outcome-ranges.js';
import { RecoveryStopped } from './process-exit.js';

const AT = '2026-11-22T08:00:00.000Z';

/** Returns a chain of an asset with this many entries. */
function chainOf(asset: string, length: number): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (let n = 1; n <= length; n += 1) {
    const retirement = { asset, offset: `off_${n}`, grams: BigInt(n), priceMicros: 5n, at: AT };
    entries.push(chain(entries.at(-1) ?? chainStart(asset), retirement));
  }
  return entries;
}

const hashesOf = (...entries: LedgerEntry[]) => new Map(entries.map((entry) => [entryKey(entry), entry.hash]));
const headed = (entry: LedgerEntry | undefined) => new Map(entry === undefined ? [] : [[entry.asset, entry]]);
const without = ({ previousHash: _, ...line }: LedgerEntry): PublishedLine => ({ ...line, previousHash: undefined });

describe('continuing the chains of an older ledger', () => {
  const a = chainOf('pool_a', 5);
  const b = chainOf('pool_b', 2);
  const [a1, a2, a3, a4, a5] = a as [LedgerEntry, LedgerEntry, LedgerEntry, LedgerEntry, LedgerEntry];

  it('adds every line of an unknown asset', () => {
    expect(continueChains([...a, ...b], new Map(), new Map())).toEqual({ lines: [...a, ...b], gaps: [] });
  });

  it('adds lines behind the head, and skips those that are there', () => {
    expect(continueChains(a, headed(a3), hashesOf(a1, a2, a3))).toEqual({ lines: [a4, a5], gaps: [] });
    expect(continueChains(a, headed(a5), hashesOf(...a))).toEqual({ lines: [], gaps: [] });
  });

  it('needs no hash before a line that follows directly', () => {
    expect(continueChains([without(a2)], headed(a1), new Map()).lines).toHaveLength(1);
  });

  it('marks sequences that were never published as a gap, with the hash that the next line continues', () => {
    expect(continueChains([a2, a5], new Map(), new Map())).toEqual({
      lines: [a2, a5],
      gaps: [
        { asset: 'pool_a', first: 1n, last: 1n, lastHash: a1.hash },
        { asset: 'pool_a', first: 3n, last: 4n, lastHash: a4.hash },
      ],
    });
  });

  it('stops at such sequences where the next line does not say which hash it follows', () => {
    const stopped = () => continueChains([without(a4)], headed(a1), new Map());
    expect(stopped).toThrow(RecoveryStopped);
    expect(stopped).toThrow('Entry 4 of pool_a was published for offset off_4, but 2 to 3 were not');
  });

  it('stops at a line whose hash does not follow, and one whose grams were altered', () => {
    expect(() => continueChains([{ ...a1, grams: 2n }], new Map(), new Map())).toThrow('does not follow');
    expect(() => continueChains([{ ...a3, previousHash: a1.hash }], headed(a1), new Map())).toThrow('does not follow');
  });

  it('stops at a line where the ledger has another one, with both hashes', () => {
    const other = chain(a1, { asset: 'pool_a', offset: 'off_x', grams: 9n, priceMicros: 5n, at: AT });
    const stopped = () => continueChains([a2], headed(other), hashesOf(a1, other));
    expect(stopped).toThrow(RecoveryStopped);
    expect(stopped).toThrow(
      `Entry 2 of pool_a was published for offset off_2 with the hash ${a2.hash.toString('hex')}`,
    );
    expect(stopped).toThrow('the ledger has no such entry');
    const altered = new Map([[entryKey(a2), other.hash]]);
    expect(() => continueChains([a2], headed(a2), altered)).toThrow(
      `the ledger has the hash ${other.hash.toString('hex')}`,
    );
  });

  it('stops where two offsets were published for one place', () => {
    const other = chain(a1, { asset: 'pool_a', offset: 'off_x', grams: 9n, priceMicros: 5n, at: AT });
    expect(() => continueChains([a2, other], headed(a1), new Map())).toThrow('was published for offset off_x');
  });
});

const TOPIC = 'offset.completed';
const log = (begin: bigint, end: bigint) => ({ partition: 3, begin, end });

describe('the positions of outcomes that a database may lack', () => {
  it.each([
    ['all of them where no position is stored', undefined, log(5n, 9n)],
    ['those from the stored position on', 7n, { partition: 3, begin: 7n, end: 9n }],
    ['none where the stored position is the end', 9n, { partition: 3, begin: 9n, end: 9n }],
    ['all of them where the log ends before the stored position', 10n, log(5n, 9n)],
  ])('are %s', (_, stored, expected) => {
    expect(rangeFrom(TOPIC, log(5n, 9n), stored)).toEqual(expected);
  });

  it('are an error if the log begins after the stored position, with the number of messages and the next step', () => {
    expect(() => rangeFrom(TOPIC, log(500n, 600n), 10n)).toThrow(
      /offset.completed partition 3 up to position 10.*from 500 on: 490 .*newer backup.*outcome_positions/,
    );
  });
});
