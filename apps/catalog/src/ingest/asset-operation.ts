import { type Asset, type AssetType, fieldsOf } from '@carbon/contracts';
import type { Message, RejectedMessage } from '@carbon/messaging';
import { INDEX_FIELDS } from '../index/mapping.js';

type Value = Asset[keyof Asset];

/**
 * The document that stands for an asset in the index: the fields its type has. Strings are put in Unicode's composed
 * form, for the index folds accents of composed characters only; `+ 0` takes the sign off a zero, which would be less
 * than zero to the index.
 */
export function assetDocument(asset: Asset): Record<string, unknown> {
  const document: Record<string, unknown> = {};
  for (const field of fieldsOf(asset.type)) {
    const value = asset[field];
    if (value !== undefined) document[field] = normalized(value);
  }
  return document;
}

function normalized(value: Value): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  if (typeof value === 'number') return value + 0;
  return Array.isArray(value) ? value.map(normalized) : value;
}

/** One write to the index, and the message it comes from. */
export interface Operation {
  readonly position: bigint;
  /** Lines of a `_bulk` body, each ended. */
  readonly lines: string;
  /** The write alias, where it is a deletion. */
  readonly deletesFrom?: string;
}

/** No document has this id. */
const NO_ASSET = 'none';

/** The write alias of each type. */
type WriteAliases = Readonly<Record<AssetType, string>>;

/**
 * What a message does to the index: it writes its asset, or deletes it when it is withdrawn. The version goes by the
 * message's position, so whatever is delivered again or late loses against what is newer
 * (https://docs.opensearch.org/latest/api-reference/document-apis/index-document/#query-parameters).
 *
 * @param now goes with the document, so that the library can say when it was last written to; ISO 8601
 */
export function operationOf(
  { key, value, position }: Message<Asset>,
  aliases: WriteAliases,
  now: string,
): Operation | RejectedMessage {
  const filed = typeOfMessage({ key, value });
  if (typeof filed === 'object') return { position, ...filed };
  const version = Number(versionOf(position));
  const action = { _index: aliases[filed], _id: key, version, version_type: 'external' };
  if (value === null) return { position, lines: line({ delete: action }), deletesFrom: aliases[filed] };
  const document = assetDocument(value);
  document[INDEX_FIELDS.indexedAt] = now;
  return { position, lines: line({ index: action }) + line(document) };
}

/** The version of a document as the message at this position writes it. OpenSearch takes versions from 1. */
export function versionOf(position: bigint): bigint {
  return position + 1n;
}

/**
 * Operations that change nothing and keep deletions from creating an index. OpenSearch creates what a deletion with an
 * external version names, and a deletion cannot say `require_alias`; another operation on the same name in the bulk can.
 */
export function guardLines(operations: readonly Operation[]): string {
  const names = new Set(operations.flatMap(({ deletesFrom }) => deletesFrom ?? []));
  return [...names]
    .map((_index) => line({ update: { _index, _id: NO_ASSET, require_alias: true } }) + line({ doc: {} }))
    .join('');
}

/** Under which type a message is filed, or why it can be under none. */
export function typeOfMessage({
  key,
  value,
}: Pick<Message<Asset>, 'key' | 'value'>): AssetType | Omit<RejectedMessage, 'position'> {
  const type = typeOfId(key);
  if (type === undefined) return { code: 'unknown_id', detail: 'The key is not the id of an asset.' };
  if (value !== null && value.id !== key) return { code: 'key_mismatch', detail: 'The key is another id.' };
  return type;
}

/** The type of the asset with this id; undefined for what is no asset's id. */
export function typeOfId(id: string): AssetType | undefined {
  if (id.startsWith('pool_')) return 'POOL';
  return id.startsWith('proj_') ? 'PROJECT' : undefined;
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
