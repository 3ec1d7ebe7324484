import { type ChainHead, chain, chainStart, type LedgerEntry } from '../domain/ledger-chain.js';
import { entryDiffers } from './compare-outcomes.js';
import { RecoveryStopped } from './process-exit.js';

/** A published ledger entry. */
export interface PublishedLine extends Omit<LedgerEntry, 'previousHash'> {
  /** Undefined in events of older versions. */
  readonly previousHash: Buffer | undefined;
}

/** Sequences of an asset that were committed and never published. */
export interface LedgerGap {
  readonly asset: string;
  readonly first: bigint;
  readonly last: bigint;
  readonly lastHash: Buffer;
}

/** Entries and gaps that the ledger lacks. */
export interface Continuation {
  readonly lines: readonly PublishedLine[];
  readonly gaps: readonly LedgerGap[];
}

/**
 * Returns what published lines, in the order of asset and sequence, add to the chains that end with `heads`.
 * @param written the hashes of those lines that the ledger holds, by {@link entryKey}
 * @throws RecoveryStopped where a line contradicts the ledger or does not follow from the entry before it
 */
export function continueChains(
  published: readonly PublishedLine[],
  heads: ReadonlyMap<string, ChainHead>,
  written: ReadonlyMap<string, Buffer>,
): Continuation {
  const ends = new Map(heads);
  const lines: PublishedLine[] = [];
  const gaps: LedgerGap[] = [];
  for (const line of published) {
    const head = ends.get(line.asset) ?? chainStart(line.asset);
    if (line.sequence <= head.sequence) {
      requireWritten(line, lines.at(-1), written);
      continue;
    }
    const before = headBefore(line, head);
    if (before.sequence > head.sequence)
      gaps.push({ asset: line.asset, first: head.sequence + 1n, last: before.sequence, lastHash: before.hash });
    if (!chain(before, line).hash.equals(line.hash)) throw doesNotFollow(line);
    ends.set(line.asset, line);
    lines.push(line);
  }
  return { lines, gaps };
}

/** Returns the key of an entry of an asset for an offset. */
export function entryKey({ asset, sequence, offset }: Pick<LedgerEntry, 'asset' | 'sequence' | 'offset'>): string {
  return `${asset} ${sequence} ${offset}`;
}

/** @param last the line before this one, which may have the same sequence */
function requireWritten(
  line: PublishedLine,
  last: PublishedLine | undefined,
  written: ReadonlyMap<string, Buffer>,
): void {
  const found = written.get(entryKey(line));
  if (found?.equals(line.hash)) return;
  const other = last?.asset === line.asset && last.sequence === line.sequence ? last.hash : found;
  throw entryDiffers(
    { ...line, sequence: String(line.sequence), hash: line.hash.toString('hex') },
    other?.toString('hex'),
  );
}

/** Returns the head that the line follows: the last one, or the end of a gap, whose hash only the line contains. */
function headBefore({ asset, sequence, offset, previousHash }: PublishedLine, head: ChainHead): ChainHead {
  if (sequence === head.sequence + 1n) return head;
  if (previousHash !== undefined) return { sequence: sequence - 1n, hash: previousHash };
  throw new RecoveryStopped(
    `Entry ${sequence} of ${asset} was published for offset ${offset}, but ${head.sequence + 1n} to ${sequence - 1n} were ` +
      'not, and the event is of a version that does not say which hash it follows. Restore a database that holds those ' +
      'entries; see docs/restore.md.',
  );
}

function doesNotFollow({ asset, sequence, offset, hash }: PublishedLine): RecoveryStopped {
  return new RecoveryStopped(
    `Entry ${sequence} of ${asset} was published for offset ${offset} with the hash ${hash.toString('hex')}, which does not ` +
      'follow from the entry before it. Either the ledger or the topic was altered: nothing of it is changed; see docs/restore.md.',
  );
}
