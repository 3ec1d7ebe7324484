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

const fullText = (more: readonly string[]) => ({
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
    [FULL_TEXT]: fullText([]),
    [FULL_TEXT_STEMMED]: fullText(['inflections']),
  },
} as const;
