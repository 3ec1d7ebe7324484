import { type Asset, type AssetType, fieldsOf } from '@carbon/contracts';
import type { Message, RejectedMessage } from '@carbon/messaging';
import { INDEX_FIELDS } from '../index/mapping.js';

/**
 * The document of an asset: the fields of its type. Strings are normalized to NFC, because the index folds accents of
 * composed characters only; `+ 0` turns -0 into 0, because the index sorts -0 below 0.
 */
export function assetDocument(asset: Asset): Record<string, unknown> {
  const document: Record<string, unknown> = {};
  for (const field of fieldsOf(asset.type)) {
    const value = asset[field];
    if (value !== undefined) document[field] = normalized(value);
  }
  return document;
}

function normalized(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  if (typeof value === 'number') return value + 0;
  return Array.isArray(value) ? value.map(normalized) : value;
}

/** One write to the index, and the position of its message. */
export interface Operation {
  readonly position: bigint;
  /** Lines of a `_bulk` body, each with its line end. */
  readonly lines: string;
  /** The write alias, if it is a deletion. */
  readonly deletesFrom?: string;
}

/**
 * Returns the operation of a message: it indexes the asset, or deletes a withdrawn one. The external version is the message's
 * position + 1, so that a late or redelivered message loses to a newer one
 * (https://docs.opensearch.org/latest/api-reference/document-apis/index-document/#query-parameters).
 *
 * @param now the time of the write, stored in the document; ISO 8601
 */
export function operationOf(
  { key, value, position }: Message<Asset>,
  writeAliases: Readonly<Record<AssetType, string>>,
  now: string,
): Operation | RejectedMessage {
  const type = typeOfId(key);
  if (type === undefined) return { position, code: 'unknown_id', detail: 'The key is not the id of an asset.' };
  const version = Number(versionOf(position));
  const action = { _index: writeAliases[type], _id: key, version, version_type: 'external' };
  if (value === null) return { position, lines: line({ delete: action }), deletesFrom: writeAliases[type] };
  const document = assetDocument(value);
  document[INDEX_FIELDS.indexedAt] = now;
  return { position, lines: line({ index: action }) + line(document) };
}

/** Returns the version of the document that the message at this position writes. OpenSearch's versions start at 1. */
export function versionOf(position: bigint): bigint {
  return position + 1n;
}

const NO_ASSET = 'none';

/**
 * Updates that change nothing and keep deletions from creating an index. A deletion with an external version creates a
 * missing index and has no `require_alias`; that of an update in the same bulk counts for both.
 */
export function guardLines(operations: readonly Operation[]): string {
  const aliases = new Set(operations.flatMap(({ deletesFrom }) => deletesFrom ?? []));
  return [...aliases]
    .map((_index) => line({ update: { _index, _id: NO_ASSET, require_alias: true } }) + line({ doc: {} }))
    .join('');
}

/** Returns the type of the asset with this id, or undefined if the text is not the id of an asset. */
export function typeOfId(id: string): AssetType | undefined {
  if (id.startsWith('pool_')) return 'POOL';
  return id.startsWith('proj_') ? 'PROJECT' : undefined;
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
