import { type ChainHead, chain, chainStart, type LedgerEntry } from '../domain/ledger-chain.js';
import { otherEntry } from './compare-outcomes.js';
import { RecoveryStopped } from './recovery-stopped.js';

/** A ledger entry as it was announced. */
export interface AnnouncedLine extends Omit<LedgerEntry, 'previousHash'> {
  /** Events of older versions do not have it. */
  readonly previousHash: Buffer | undefined;
}

/** Sequences of an asset that were committed and never announced. */
export interface LedgerGap {
  readonly asset: string;
  readonly first: bigint;
  readonly last: bigint;
  readonly lastHash: Buffer;
}

/** What the ledger lacks. */
export interface Continuation {
  readonly lines: readonly AnnouncedLine[];
  readonly gaps: readonly LedgerGap[];
}

/**
 * What announced lines, in the order of asset and sequence, add to the chains that end with `heads`; `written` has the hashes
 * of the lines that the ledger holds, by {@link entryKey}.
 * @throws RecoveryStopped where a line contradicts the ledger or does not follow from the entry before it
 */
export function continueChains(
  announced: readonly AnnouncedLine[],
  heads: ReadonlyMap<string, ChainHead>,
  written: ReadonlyMap<string, Buffer>,
): Continuation {
  const ends = new Map(heads);
  const lines: AnnouncedLine[] = [];
  const gaps: LedgerGap[] = [];
  for (const line of announced) {
    const head = ends.get(line.asset) ?? chainStart(line.asset);
    if (line.sequence <= head.sequence) {
      mustBeWritten(line, lines.at(-1), written);
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

/** Names an entry of an asset for an offset. */
export function entryKey({ asset, sequence, offset }: Pick<LedgerEntry, 'asset' | 'sequence' | 'offset'>): string {
  return `${asset} ${sequence} ${offset}`;
}

/** @param last the line that was added before this one, which may claim the same place */
function mustBeWritten(
  line: AnnouncedLine,
  last: AnnouncedLine | undefined,
  written: ReadonlyMap<string, Buffer>,
): void {
  const found = written.get(entryKey(line));
  if (found?.equals(line.hash)) return;
  const other = last?.asset === line.asset && last.sequence === line.sequence ? last.hash : found;
  throw otherEntry(
    { ...line, sequence: String(line.sequence), hash: line.hash.toString('hex') },
    other?.toString('hex'),
  );
}

/** The head that the line follows: the last one, or the end of a gap, whose hash only the line itself can tell. */
function headBefore({ asset, sequence, offset, previousHash }: AnnouncedLine, head: ChainHead): ChainHead {
  if (sequence === head.sequence + 1n) return head;
  if (previousHash !== undefined) return { sequence: sequence - 1n, hash: previousHash };
  throw new RecoveryStopped(
    `Entry ${sequence} of ${asset} was announced for offset ${offset}, but ${head.sequence + 1n} to ${sequence - 1n} were ` +
      'not, and the event is of a version that does not say which hash it follows. Restore a database that holds those ' +
      'entries; see docs/restore.md.',
  );
}

function doesNotFollow({ asset, sequence, offset, hash }: AnnouncedLine): RecoveryStopped {
  return new RecoveryStopped(
    `Entry ${sequence} of ${asset} was announced for offset ${offset} with the hash ${hash.toString('hex')}, which does not ` +
      'follow from the entry before it. Either the ledger or the topic was altered: nothing of it is changed; see docs/restore.md.',
  );
}
