import { ASSET_FIELDS, type AssetField, type AssetFieldName, type AssetType, fieldsOf } from '@carbon/contracts';
import { ANALYSIS, FOLDED, FULL_TEXT, FULL_TEXT_STEMMED, WORDS } from './analysis.js';

/** Part of an OpenSearch mapping: JSON. */
export type Property = { readonly [key: string]: unknown };

/** The fields whose words `fullTextSearch` looks through. */
export const FULL_TEXT_FIELDS: readonly AssetFieldName[] = [
  'ticker',
  'name',
  'description',
  'source',
  'registry',
  'country',
  'region',
  'categories',
];

/** Where the index keeps what is no field of an asset. Criteria cannot name these. */
export const INDEX_FIELDS = {
  /** The words of all full-text fields; a phrase never runs from one field, or one value, into the next. */
  allWords: 'fullText',
  allWordsStemmed: 'fullText.stemmed',
  nameWords: 'name.fullText',
  /** The whole name, folded: what names are sorted by. */
  wholeName: 'name.exact',
  /** When the document was written. Not in what is read back of a document: it can be counted with, and no more. */
  indexedAt: 'indexedAt',
} as const;

// In UTF-16 units; longer than the longest name that the contract allows, of which NFC can make six units a character,
// so no name is ever missing from the field. Lucene takes 32,766 bytes.
const LONGEST_WHOLE_NAME = 4096;

const time: Property = { type: 'date', format: 'strict_date_optional_time' };

const fullText: Property = {
  type: 'text',
  analyzer: FULL_TEXT,
  norms: false,
  fields: { stemmed: { type: 'text', analyzer: FULL_TEXT_STEMMED, norms: false } },
};

const wholeText: Property = {
  exact: { type: 'keyword', normalizer: FOLDED, ignore_above: LONGEST_WHOLE_NAME },
  fullText: { type: 'text', analyzer: FULL_TEXT, norms: false },
};

// Norms stay on for text: without them `exists` would miss a document whose text has no words.
const BY_TYPE: Readonly<Record<AssetField['type'], (field: AssetField) => Property>> = {
  keyword: () => ({ type: 'keyword', normalizer: FOLDED, fields: { raw: { type: 'keyword' } } }),
  address: () => ({ type: 'keyword', normalizer: FOLDED }),
  text: ({ exact }) => ({ type: 'text', analyzer: WORDS, ...(exact ? { fields: wholeText } : {}) }),
  number: () => ({ type: 'double' }),
  integer: () => ({ type: 'integer' }),
  boolean: () => ({ type: 'boolean' }),
  date: () => time,
};

function property(name: AssetFieldName): Property {
  const field: AssetField = ASSET_FIELDS[name];
  const copied = FULL_TEXT_FIELDS.includes(name) ? { copy_to: INDEX_FIELDS.allWords } : {};
  return { ...BY_TYPE[field.type](field), ...copied };
}

/** The properties of the index of one asset type: the field list's, the words for full text, and the time of writing. */
export function propertiesOf(type: AssetType): Record<string, Property> {
  const fields = fieldsOf(type).map((name) => [name, property(name)] as const);
  return { ...Object.fromEntries(fields), [INDEX_FIELDS.allWords]: fullText, [INDEX_FIELDS.indexedAt]: time };
}

/** The words' treatment and both mappings: what the generation's hash is taken of. */
export function schemaOfIndices(): Property {
  return { analysis: ANALYSIS, pools: propertiesOf('POOL'), projects: propertiesOf('PROJECT') };
}
