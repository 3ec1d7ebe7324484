import { TYPES } from '../../indexing/generation.js';
import type { Standing } from '../../indexing/library-state.js';
import { typeOfId } from '../../ingest/asset-operation.js';
import type { Engines } from '../engines.js';
import type { Screen } from '../screen.js';
import { grouped } from '../speed.js';
import type { Difference } from './differences.js';
import { digestOf, digestOfId } from './digest.js';
import { DigestTable } from './digest-table.js';
import { readIndex } from './read-index.js';
import { readLibrary } from './read-library.js';

/** So many are looked at again; when more of a library differ, no list of them is needed. */
const MOST_SUSPECTS = 10_000;

/** Ids of assets that may differ. */
export class Suspects {
  readonly ids = new Set<string>();
  /** How many more there were. */
  more = 0;

  add(id: string): void {
    if (this.ids.size < MOST_SUSPECTS) this.ids.add(id);
    else this.more += 1;
  }
}

/** What a comparison of everything has brought. */
export interface Comparison {
  readonly assets: number;
  readonly suspects: Suspects;
  /** Documents that are wrong whatever the topic says. */
  readonly strays: Difference[];
}

/** Folds the topic into digests. */
export async function foldLibrary({ kafka }: Engines, screen: Screen): Promise<DigestTable> {
  const table = new DigestTable();
  let read = 0;
  await readLibrary(kafka, ({ id, document }) => {
    table.put(digestOfId(id), document ? 'there' : 'withdrawn', document && digestOf(document));
    read += 1;
    if (read % 1_000 === 0) screen.show(`${grouped(read)} messages of the topic read`);
  });
  return table;
}

/** Compares every document of a generation with the fold. Of what differs, some may only have changed since. */
export async function findSuspects(
  engines: Engines,
  live: Standing,
  table: DigestTable,
  screen: Screen,
): Promise<Comparison> {
  const suspects = new Suspects();
  const strays: Difference[] = [];
  const assets = table.count('there');
  let read = 0;
  for (const type of TYPES) {
    for await (const documents of readIndex(engines.openSearch, live.indices[type])) {
      for (const { id, document } of documents) {
        if (typeOfId(id) !== type)
          strays.push({ kind: 'surplus', id, detail: `it does not belong into ${live.indices[type]}` });
        else if (!isAsTold(table, id, document)) suspects.add(id);
      }
      read += documents.length;
      screen.show(`${grouped(read)} documents of the index read`);
    }
  }
  if (table.count('there') > 0) await nameMissing(engines, table, suspects);
  return { assets, suspects, strays };
}

function isAsTold(table: DigestTable, id: string, document: object): boolean {
  const key = digestOfId(id);
  if (table.stateOf(key) !== 'there') return false;
  const same = table.holds(key, digestOf(document));
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
