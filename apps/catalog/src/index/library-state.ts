import type { AssetType } from '@carbon/contracts';
import { z } from 'zod';
import { aliasOf, type Generation, generationKey, generationOf, indexName, type PerType, TYPES } from './generation.js';
import { type DocumentVersion, type GenerationRecord, legacyMeta, type StateDocument } from './state-document.js';

/** The response to `GET /<indices>`. */
export const indexList = z.record(
  z.string(),
  z.object({
    aliases: z.record(z.string(), z.unknown()).default({}),
    mappings: z.object({ _meta: legacyMeta.optional() }).default({}),
    settings: z.object({ index: z.object({ uuid: z.string(), creation_date: z.coerce.number() }) }),
  }),
);

/** Indices by name. */
export type IndexList = z.output<typeof indexList>;

/** A generation: its record, and what exists in OpenSearch. */
export interface StoredGeneration extends Generation, Omit<GenerationRecord, 'name'> {
  /** The types whose index exists. */
  readonly existingTypes: readonly AssetType[];
  /** The types whose alias points to it. */
  readonly liveFor: readonly AssetType[];
  /** Undefined while no index exists. */
  readonly createdAt: Date | undefined;
}

/** The state of the library at one moment. */
export interface LibraryState {
  /** All generations that may be searched, now or later. */
  readonly generations: readonly StoredGeneration[];
  /** Generations whose indices are being deleted. */
  readonly removing: readonly StoredGeneration[];
  /** Indices to which an alias points but which belong to no generation, by type. */
  readonly foreignIndices: PerType<readonly string[]>;
  readonly document: StateDocument;
  readonly version: DocumentVersion | undefined;
}

/** Combines the state document and the indices, which were listed after it was read. */
export function libraryState(
  prefix: string,
  document: StateDocument,
  version: DocumentVersion | undefined,
  indices: IndexList,
): LibraryState {
  const all = document.generations.map((record) => storedGeneration(prefix, record, indices));
  const foreignOf = (type: AssetType) => {
    const own = new Set(all.map((one) => one.indices[type]));
    return Object.keys(indices).filter(
      (name) => aliasOf(prefix, type) in (indices[name]?.aliases ?? {}) && !own.has(name),
    );
  };
  return {
    generations: all.filter(({ isRemoving }) => !isRemoving),
    removing: all.filter(({ isRemoving }) => isRemoving),
    foreignIndices: { POOL: foreignOf('POOL'), PROJECT: foreignOf('PROJECT') },
    document,
    version,
  };
}

function storedGeneration(prefix: string, record: GenerationRecord, indices: IndexList): StoredGeneration {
  const key = generationKey(record.name) ?? { hash: '', number: 0 };
  const names = { POOL: indexName(prefix, 'POOL', key), PROJECT: indexName(prefix, 'PROJECT', key) };
  const existingTypes = TYPES.filter((type) => indices[names[type]]);
  const uuid = (type: AssetType) => indices[names[type]]?.settings.index.uuid ?? '';
  const created = existingTypes.map((type) => indices[names[type]]?.settings.index.creation_date ?? 0);
  return {
    ...record,
    ...generationOf(prefix, key, { POOL: uuid('POOL'), PROJECT: uuid('PROJECT') }),
    existingTypes,
    liveFor: existingTypes.filter((type) => aliasOf(prefix, type) in (indices[names[type]]?.aliases ?? {})),
    createdAt: created.length > 0 ? new Date(Math.min(...created)) : undefined,
  };
}
