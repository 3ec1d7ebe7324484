import { type AssetType, canonicalJson } from '@carbon/contracts';
import type { Generation } from '../../index/generation.js';
import { typeOfId, versionOf } from '../../ingest/asset-operation.js';
import type { Engines } from '../engines.js';
import { readDocuments, readLibrary, type TopicEntry } from './read-sources.js';

type Document = Readonly<Record<string, unknown>>;

/** A difference between the index and the topic in one asset. */
export interface Discrepancy {
  readonly kind: 'missing' | 'surplus' | 'different' | 'ahead';
  readonly id: string;
  /** For people: the fields, or the reason. */
  readonly detail: string;
}

const MAX_VALUE = 60;

/** Compares a document of the topic with that of the index; either may be missing. */
export function discrepancyOf(
  id: string,
  topic: Document | undefined,
  index: Document | undefined,
): Discrepancy | undefined {
  if (topic === undefined) {
    return (
      index && { kind: 'surplus', id, detail: `the topic has no such asset, the index has ${shortened(index.name)}` }
    );
  }
  if (index === undefined) return { kind: 'missing', id, detail: `the topic has ${shortened(topic.name)}` };
  const names = [...new Set([...Object.keys(topic), ...Object.keys(index)])].sort();
  const fields = names.filter((name) => formatValue(topic[name]) !== formatValue(index[name]));
  if (fields.length === 0) return undefined;
  const details = fields.map((name) => `${name} is ${shortened(index[name])}, should be ${shortened(topic[name])}`);
  return { kind: 'different', id, detail: details.join('; ') };
}

/**
 * Returns the error of a document whose content matches the topic but whose version the topic has not reached: the next
 * message of the asset would be rejected as old.
 */
export function versionDiscrepancyOf(
  id: string,
  position: bigint | undefined,
  version: bigint | undefined,
): Discrepancy | undefined {
  if (position === undefined || version === undefined || version <= versionOf(position)) return undefined;
  const detail = `its version is ${version}, should be ${versionOf(position)}: the next message would be rejected`;
  return { kind: 'ahead', id, detail };
}

function shortened(value: unknown): string {
  const text = formatValue(value);
  const points = [...text];
  return points.length > MAX_VALUE ? `${points.slice(0, MAX_VALUE - 1).join('')}…` : text;
}

function formatValue(value: unknown): string {
  return value === undefined ? 'absent' : canonicalJson(value);
}

/** The number of reads of the topic; an id that still changes after them is undecided. */
const MAX_READS = 6;

/** The result for the candidates. */
export interface Confirmation {
  readonly discrepancies: Discrepancy[];
  /** Ids that changed during every read. */
  readonly undecided: ReadonlySet<string>;
}

interface Look {
  readonly position: bigint | undefined;
  readonly discrepancy: Discrepancy;
}

/**
 * Compares candidates one by one while assets may be published. A discrepancy counts if the topic had the same content
 * for its id before and after the comparison, and the index had consumed everything that the first read could have
 * seen.
 */
export async function confirmDiscrepancies(
  engines: Engines,
  live: Generation,
  ids: ReadonlySet<string>,
  waitUntilIndexed: () => Promise<void>,
): Promise<Confirmation> {
  const discrepancies: Discrepancy[] = [];
  let looks = new Map<string, Look>();
  let open = new Set(ids);
  for (let reading = 0; open.size > 0 && reading < MAX_READS; reading += 1) {
    const entries = await newestOf(engines, open);
    for (const [id, { position, discrepancy }] of looks) {
      if (entries.get(id)?.position !== position) continue;
      discrepancies.push(discrepancy);
      open.delete(id);
    }
    await waitUntilIndexed();
    looks = await lookAt(engines, live, open, entries);
    open = new Set(looks.keys());
  }
  return { discrepancies, undecided: open };
}

async function newestOf({ kafka }: Engines, ids: ReadonlySet<string>): Promise<Map<string, TopicEntry>> {
  const newest = new Map<string, TopicEntry>();
  await readLibrary(kafka, (entry) => {
    if (ids.has(entry.id)) newest.set(entry.id, entry);
  });
  return newest;
}

/** @returns the discrepancies by id */
async function lookAt(
  { openSearch }: Engines,
  { indices }: Generation,
  ids: ReadonlySet<string>,
  entries: ReadonlyMap<string, TopicEntry>,
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
    const newest = entries.get(id);
    const document = documents.get(id);
    const discrepancy =
      discrepancyOf(id, newest?.document, document?.document) ??
      versionDiscrepancyOf(id, newest?.position, document?.version);
    if (discrepancy) looks.set(id, { position: newest?.position, discrepancy });
  }
  return looks;
}
