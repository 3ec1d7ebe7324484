import {
  ASSET_FIELDS,
  type AssetField,
  type AssetFieldName,
  type AssetType,
  canonicalJsonHash,
  fieldsOf,
} from '@carbon/contracts';

/** Names of the normalizer and the analyzers. */
export const FOLDED = 'folded';
export const WORDS = 'words';
export const FULL_TEXT = 'full_text';
export const FULL_TEXT_STEMMED = 'full_text_stemmed';

const FOLD = ['lowercase', 'asciifolding'] as const;

// The standard tokenizer drops the digit of CO₂, and several characters serve as apostrophes.
const SUPERSCRIPT_AND_SUBSCRIPT_DIGITS = ['⁰¹²³⁴⁵⁶⁷⁸⁹', '₀₁₂₃₄₅₆₇₈₉'].flatMap((ten) =>
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
 * How text becomes terms. Criteria use `folded` and `words`, which ignore letter case, accents and the other variants that
 * `asciifolding` maps to ASCII. The parameter fullTextSearch uses the `full_text` analyzers: they also split words at joiners and
 * between letters and digits, and drop a possessive 's; one of them also stems.
 */
export const ANALYSIS = {
  normalizer: { [FOLDED]: { type: 'custom', filter: FOLD } },
  char_filter: { signs: { type: 'mapping', mappings: [...SUPERSCRIPT_AND_SUBSCRIPT_DIGITS, ...APOSTROPHES] } },
  filter: {
    // The tokenizer keeps d'Ivoire, Puro.earth, T_VER and VCS1529 whole, but people search for "ivoire", "puro" or "VCS-1529".
    parts: { type: 'word_delimiter_graph', split_on_case_change: false, ignore_keywords: true },
    // Without it the filter above would drop ☀, which has no letter or digit.
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

/** The fields that `fullTextSearch` searches. */
export const FULL_TEXT_FIELDS: readonly AssetFieldName[] = [
  'ticker',
  'name',
  'description',
  'source',
  'registry',
  'registryId',
  'country',
  'region',
  'categories',
];

/** Fields of the index that are not fields of an asset. Criteria cannot name them. */
export const INDEX_FIELDS = {
  /** The words of all full-text fields; a phrase never matches across two fields or values. */
  allWords: 'fullText',
  allWordsStemmed: 'fullText.stemmed',
  nameWords: 'name.fullText',
  /** The whole name, folded, for sorting. */
  wholeName: 'name.exact',
  /** When the document was written. Not in `_source`: only aggregations use it. */
  indexedAt: 'indexedAt',
} as const;

// In UTF-16 code units: NFC expands a character to up to six, and a name may have 512, so every name is indexed
// in full.
const MAX_NAME_LENGTH = 4096;

const time: Property = { type: 'date', format: 'strict_date_optional_time' };

const fullText: Property = {
  type: 'text',
  analyzer: FULL_TEXT,
  norms: false,
  fields: { stemmed: { type: 'text', analyzer: FULL_TEXT_STEMMED, norms: false } },
};

const wholeText: Property = {
  exact: { type: 'keyword', normalizer: FOLDED, ignore_above: MAX_NAME_LENGTH },
  fullText: { type: 'text', analyzer: FULL_TEXT, norms: false },
};

// `text` needs norms: without them `exists` would miss a document whose text has no words.
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

/** The properties of the index of one asset type. */
export function propertiesOf(type: AssetType): Record<string, Property> {
  const fields = fieldsOf(type).map((name) => [name, property(name)] as const);
  return { ...Object.fromEntries(fields), [INDEX_FIELDS.allWords]: fullText, [INDEX_FIELDS.indexedAt]: time };
}

/** The analysis and both mappings: their hash is that of the generation. */
export function schemaOfIndices(): Property {
  return { analysis: ANALYSIS, pools: propertiesOf('POOL'), projects: propertiesOf('PROJECT') };
}

/** The mapping hash of every revision, oldest first. A changed mapping appends its hash, which a spec prints. */
export const MAPPING_HASHES = ['324426a4', '7e595b87', '7b715a7d', '363a9e21', 'a09ce1fa'] as const;

/** The revision of this version's mapping: if two versions run, the lower never takes the aliases from the higher. */
export const MAPPING_REVISION = MAPPING_HASHES.length;

/** The hash of this version's mapping and analysis. */
export function mappingHash(): string {
  return canonicalJsonHash(schemaOfIndices()).slice(0, 8);
}
