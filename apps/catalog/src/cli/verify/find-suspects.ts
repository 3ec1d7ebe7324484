import type { Screen } from '@carbon/terminal';
import { TYPES } from '../../index/generation.js';
import type { StoredGeneration } from '../../index/library-state.js';
import { typeOfId, versionOf } from '../../ingest/asset-operation.js';
import type { Engines } from '../engines.js';
import { grouped } from '../follow-generation.js';
import { digestOf, digestOfId } from './digest.js';
import { DigestTable } from './digest-table.js';
import type { Difference } from './discrepancies.js';
import { type Indexed, readIndex, readLibrary } from './read-sources.js';

/** Ids of assets that may differ: at most so many, so that looking at them one by one takes bounded memory. */
export class Suspects {
  readonly ids = new Set<string>();
  /** How many more there were. */
  more = 0;

  /** @param cleared ids that have been looked at before, and were as the topic says */
  constructor(
    private readonly most: number,
    private readonly cleared: Set<string> = new Set(),
  ) {}

  add(id: string): void {
    if (this.cleared.has(id) || this.ids.has(id)) return;
    if (this.ids.size < this.most) this.ids.add(id);
    else this.more += 1;
  }

  /** Those that were looked at are none any more, but for these. Only for when none of them differs. */
  clear(undecided: ReadonlySet<string>): void {
    for (const id of this.ids) if (!undecided.has(id)) this.cleared.add(id);
  }
}

/** Documents that are wrong whatever the topic says: all of them counted, but only so many kept to be named. */
export class Strays {
  readonly named: Difference[] = [];
  count = 0;

  constructor(private readonly most: number) {}

  add(id: string, index: string): void {
    this.count += 1;
    if (this.named.length < this.most)
      this.named.push({ kind: 'surplus', id, detail: `it does not belong into ${index}` });
  }
}

/** Folds the topic into digests. */
export async function foldLibrary({ kafka }: Engines, screen: Screen): Promise<DigestTable> {
  const table = new DigestTable();
  let read = 0;
  await readLibrary(kafka, ({ id, position, document }) => {
    table.put(digestOfId(id), document ? 'there' : 'withdrawn', document && digestOf(document, versionOf(position)));
    read += 1;
    if (read % 1_000 === 0) screen.show(`${grouped(read)} messages of the topic read`);
  });
  return table;
}

/**
 * Compares every document of a generation with the fold. Of what differs, some may only have changed since: it is put
 * among the suspects.
 *
 * @returns how many assets the topic holds
 */
export async function findSuspects(
  engines: Engines,
  live: StoredGeneration,
  table: DigestTable,
  { suspects, strays }: { readonly suspects: Suspects; readonly strays: Strays },
  screen: Screen,
): Promise<number> {
  const assets = table.count('there');
  let read = 0;
  for (const type of TYPES) {
    for await (const documents of readIndex(engines.openSearch, live.indices[type])) {
      for (const one of documents) {
        const { id } = one;
        if (typeOfId(id) !== type) strays.add(id, live.indices[type]);
        else if (!isAsTold(table, one)) suspects.add(id);
      }
      read += documents.length;
      screen.show(`${grouped(read)} documents of the index read`);
    }
  }
  if (table.count('there') > 0) await nameMissing(engines, table, suspects);
  return assets;
}

function isAsTold(table: DigestTable, { id, version, document }: Indexed): boolean {
  const key = digestOfId(id);
  if (table.stateOf(key) !== 'there') return false;
  const same = table.holds(key, digestOf(document, version));
  table.put(key, 'seen');
  return same;
}

/** The table holds digests; only the topic can say which ids they are of. */
async function nameMissing({ kafka }: Engines, table: DigestTable, suspects: Suspects): Promise<void> {
  await readLibrary(kafka, ({ id }) => {
    const key = digestOfId(id);
    if (table.stateOf(key) !== 'there') return;
    table.put(key, 'seen');
    suspects.add(id);
  });
}
