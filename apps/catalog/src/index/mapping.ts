import {
  ASSET_FIELDS,
  type AssetField,
  type AssetFieldName,
  type AssetType,
  fieldsOf,
  hashOf,
} from '@carbon/contracts';

/** Names of the analyzers and normalizers that the mapping refers to. */
export const FOLDED = 'folded';
export const WORDS = 'words';
export const FULL_TEXT = 'full_text';
export const FULL_TEXT_STEMMED = 'full_text_stemmed';

const FOLD = ['lowercase', 'asciifolding'] as const;

// The standard tokenizer drops the digit of CO₂, which keyboards do not have; apostrophes are written in many ways.
const SMALL_DIGITS = ['⁰¹²³⁴⁵⁶⁷⁸⁹', '₀₁₂₃₄₅₆₇₈₉'].flatMap((ten) =>
  [...ten].map((digit, value) => `${digit} => ${value}`),
);
const APOSTROPHES = ['\\u2018', '\\u2019', '\\u02bc', '\\uff07'].map((sign) => `${sign} => '`);

const fullTextAnalyzer = (more: readonly string[]) => ({
  type: 'custom',
  char_filter: ['signs'],
  tokenizer: 'standard',
  filter: ['pictures', 'parts', ...FOLD, ...more],
});

/**
 * How text becomes terms. `folded` and `words` are what criteria rely on: letter case and accents are ignored, nothing
 * else. The two `full_text` analyzers serve the fullTextSearch parameter alone: they also part words at joiners and
 * between letters and digits, and drop a possessive 's, and one of them takes inflections off.
 */
export const ANALYSIS = {
  normalizer: { [FOLDED]: { type: 'custom', filter: FOLD } },
  char_filter: { signs: { type: 'mapping', mappings: [...SMALL_DIGITS, ...APOSTROPHES] } },
  filter: {
    // The tokenizer keeps d'Ivoire, Puro.earth, T_VER and VCS1529 whole; who types "ivoire", "puro" or "VCS-1529" means
    // (a part of) them.
    parts: { type: 'word_delimiter_graph', split_on_case_change: false, ignore_keywords: true },
    // Taken for a word of nothing but delimiters, ☀ would vanish.
    pictures: { type: 'keyword_marker', keywords_pattern: '[^\\p{L}\\p{N}]+' },
    inflections: { type: 'stemmer', language: 'english' },
  },
  analyzer: {
    [WORDS]: { type: 'custom', tokenizer: 'standard', filter: FOLD },
    [FULL_TEXT]: fullTextAnalyzer([]),
    [FULL_TEXT_STEMMED]: fullTextAnalyzer(['inflections']),
  },
} as const;

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

/**
 * Raised with every change of the mapping or the analysis (a spec holds both together). Kept in the index's `_meta`:
 * of two versions of this service running side by side, the lower revision never takes the aliases from the higher.
 */
export const MAPPING_REVISION = 4;

/** Names the mapping: the same in every instance of one version of this service. */
export function mappingHash(): string {
  return hashOf(schemaOfIndices()).slice(0, 8);
}
