/** Names of the analyzers and normalizers that the mapping refers to. */
export const FOLDED = 'folded';
export const WORDS = 'words';
export const FULL_TEXT = 'full_text';
export const FULL_TEXT_STEMMED = 'full_text_stemmed';

const FOLD = ['lowercase', 'asciifolding'] as const;

// The standard tokenizer keeps d'Ivoire, Puro.earth and T_VER whole; who types "ivoire" or "puro" means a part of them.
const JOINERS = ['_ => \\u0020', '. => \\u0020', ': => \\u0020', "' => \\u0020", '\\u2019 => \\u0020'];

const fullText = (more: readonly string[]) => ({
  type: 'custom',
  char_filter: ['possessive', 'joiners'],
  tokenizer: 'standard',
  filter: [...FOLD, ...more],
});

/**
 * How text becomes terms. `folded` and `words` are what criteria rely on: letter case and accents are ignored, nothing
 * else. The two `full_text` analyzers serve the fullTextSearch parameter alone: they also part words at joiners and
 * drop a possessive 's, and one of them takes inflections off.
 */
export const ANALYSIS = {
  normalizer: { [FOLDED]: { type: 'custom', filter: FOLD } },
  char_filter: {
    possessive: { type: 'pattern_replace', pattern: "['\\u2019][sS](?![\\p{L}\\p{N}])", replacement: '' },
    joiners: { type: 'mapping', mappings: JOINERS },
  },
  filter: { inflections: { type: 'stemmer', language: 'english' } },
  analyzer: {
    [WORDS]: { type: 'custom', tokenizer: 'standard', filter: FOLD },
    [FULL_TEXT]: fullText([]),
    [FULL_TEXT_STEMMED]: fullText(['inflections']),
  },
} as const;
