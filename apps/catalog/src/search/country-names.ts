/** Languages in which people name countries. */
const LANGUAGES = ['en', 'es', 'pt', 'fr', 'de'];

/** Names that `Intl` does not have. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  usa: 'US',
  america: 'US',
  'united states of america': 'US',
  'great britain': 'GB',
  britain: 'GB',
  turkey: 'TR',
  'viet nam': 'VN',
  burma: 'MM',
  myanmar: 'MM',
  korea: 'KR',
  'republic of korea': 'KR',
  'korea, republic of': 'KR',
  'czech republic': 'CZ',
  'ivory coast': 'CI',
  holland: 'NL',
  swaziland: 'SZ',
  'bolivia, plurinational state of': 'BO',
  drc: 'CD',
  'congo, the democratic republic of the': 'CD',
  'democratic republic of the congo': 'CD',
  congo: 'CG',
};

/** Returns a text as the index compares it: without letter case and accents. */
export function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

let names: ReadonlyMap<string, string> | undefined;

/** Returns the English name of a country by its two-letter code or a name of it; undefined for any other text. */
export function countryOf(text: string): string | undefined {
  names ??= readNames();
  return names.get(folded(text));
}

function readNames(): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  const [english, ...others] = LANGUAGES.map(
    (language) => new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }),
  );
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = english?.of(code);
    if (name === undefined) continue;
    for (const one of [code, name, ...others.map((other) => other.of(code) ?? name)]) read.set(folded(one), name);
  }
  for (const [other, code] of Object.entries(OTHER_NAMES)) read.set(other, english?.of(code) ?? code);
  return read;
}
