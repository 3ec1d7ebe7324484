import { z } from 'zod';
import { generationKey, indexKey } from './generation.js';

/** The topic when a generation was started; see `reasonTopicChanged`. */
const storedTopicSnapshot = z.object({
  cluster: z.string(),
  /** Missing in old generations until the reconciler's next run. */
  topicId: z.string().optional(),
  /** The end positions by partition, as decimal text, because JSON numbers are not exact for all 64-bit integers. */
  ends: z.array(z.string().regex(/^[0-9]+$/)),
});

export type StoredTopicSnapshot = z.output<typeof storedTopicSnapshot>;

/** The record of a generation. */
const generationRecord = z.object({
  name: z.string().refine((name) => generationKey(name) !== undefined),
  /** The revision of its mapping; see MAPPING_REVISION. */
  revision: z.int(),
  /** Among all generations, the one with the highest precedence should be live. */
  precedence: z.int(),
  /** The highest revision that an operator has replaced with it: only a higher one replaces it automatically. */
  overRevision: z.int().optional(),
  topic: storedTopicSnapshot.optional(),
  /** The time at which another generation replaced it. */
  supersededAt: z.iso.datetime().optional(),
  /** Its indices are being deleted: it can never be chosen again. */
  isRemoving: z.literal(true).optional(),
});

export type GenerationRecord = z.output<typeof generationRecord>;

/** The desired state of the generations. The reconciler applies it to indices and aliases. */
export const stateDocument = z.object({
  /** The last assigned number or precedence; none is assigned twice. */
  lastNumber: z.int(),
  generations: z.array(generationRecord),
});

export type StateDocument = z.output<typeof stateDocument>;

/** The version of the document that a compare-and-set expects. */
export interface DocumentVersion {
  readonly seqNo: number;
  readonly primaryTerm: number;
}

/** `_meta` of an index, which the previous release reads instead of the document. To be removed with `adoptLegacyIndices`. */
export const legacyMeta = z.object({
  revision: z.int(),
  turn: z.int().optional(),
  over: z.int().optional(),
  topic: storedTopicSnapshot.optional(),
});

export type LegacyMeta = z.output<typeof legacyMeta>;

/** Returns the `_meta` of a record. */
export function legacyMetaOf({ revision, precedence, overRevision, topic }: GenerationRecord): LegacyMeta {
  return {
    revision,
    turn: precedence,
    ...(overRevision !== undefined && { over: overRevision }),
    ...(topic && { topic }),
  };
}

/**
 * Adds what an instance of the previous release has done: generations that the document does not have, and choices of
 * an operator, which have a higher `turn`. So an upgrade rebuilds no index, and both releases can run at the same time.
 * @param indices `_meta` by the name of the index
 * @returns undefined if there is nothing to add
 */
export function adoptLegacyIndices(
  prefix: string,
  document: StateDocument,
  indices: Readonly<Record<string, LegacyMeta | undefined>>,
): StateDocument | undefined {
  const records = new Map(document.generations.map((one) => [one.name, one]));
  let isChanged = false;
  for (const [index, meta = { revision: 0 }] of Object.entries(indices)) {
    const key = indexKey(prefix, index);
    if (key === undefined) continue;
    const name = `${key.hash}-${key.number}`;
    const { revision, turn: precedence = key.number, over, topic } = meta;
    const known = records.get(name);
    if (known !== undefined && precedence <= known.precedence) continue;
    records.set(name, {
      name,
      revision,
      precedence,
      ...(over !== undefined && { overRevision: over }),
      topic: topic ?? known?.topic,
    });
    isChanged = true;
  }
  const generations = [...records.values()];
  const numbers = generations.flatMap(({ name, precedence }) => [precedence, generationKey(name)?.number ?? 0]);
  return isChanged ? { lastNumber: Math.max(document.lastNumber, ...numbers), generations } : undefined;
}
