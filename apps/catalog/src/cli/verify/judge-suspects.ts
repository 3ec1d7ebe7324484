import type { AssetType } from '@carbon/contracts';
import type { Generation } from '../../indexing/generation.js';
import { typeOfId } from '../../ingest/asset-operation.js';
import type { Engines } from '../engines.js';
import { aheadOf, type Difference, differenceOf } from './differences.js';
import { readDocuments } from './read-index.js';
import { readLibrary, type Told } from './read-library.js';

/** Readings of the topic, after which what still changes is given up on. */
const READINGS = 6;

/** What became of the suspects. */
export interface Judgement {
  readonly differences: Difference[];
  /** What changed all the while. */
  readonly undecided: ReadonlySet<string>;
}

interface Look {
  readonly position: bigint | undefined;
  readonly difference: Difference;
}

/**
 * Looks at suspects one by one while assets may be published. A difference counts when the topic said the same about its
 * id before and after the look, and the index had taken all that the first reading could have seen.
 */
export async function judgeSuspects(
  engines: Engines,
  live: Generation,
  ids: ReadonlySet<string>,
  indexHasTaken: () => Promise<void>,
): Promise<Judgement> {
  const differences: Difference[] = [];
  let looks = new Map<string, Look>();
  let open = new Set(ids);
  for (let reading = 0; open.size > 0 && reading < READINGS; reading += 1) {
    const told = await newestOf(engines, open);
    for (const [id, { position, difference }] of looks) {
      if (told.get(id)?.position !== position) continue;
      differences.push(difference);
      open.delete(id);
    }
    await indexHasTaken();
    looks = await lookAt(engines, live, open, told);
    open = new Set(looks.keys());
  }
  return { differences, undecided: open };
}

async function newestOf({ kafka }: Engines, ids: ReadonlySet<string>): Promise<Map<string, Told>> {
  const newest = new Map<string, Told>();
  await readLibrary(kafka, (told) => {
    if (ids.has(told.id)) newest.set(told.id, told);
  });
  return newest;
}

/** @returns what differs, by id */
async function lookAt(
  { openSearch }: Engines,
  { indices }: Generation,
  ids: ReadonlySet<string>,
  told: ReadonlyMap<string, Told>,
): Promise<Map<string, Look>> {
  const of = (type: AssetType) =>
    readDocuments(
      openSearch,
      indices[type],
      [...ids].filter((id) => typeOfId(id) === type),
    );
  const documents = new Map([...(await of('POOL')), ...(await of('PROJECT'))]);
  const looks = new Map<string, Look>();
  for (const id of ids) {
    const newest = told.get(id);
    const held = documents.get(id);
    const difference =
      differenceOf(id, newest?.document, held?.document) ?? aheadOf(id, newest?.position, held?.version);
    if (difference) looks.set(id, { position: newest?.position, difference });
  }
  return looks;
}
