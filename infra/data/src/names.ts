/**
 * What the sources write in several ways, and the one name that the library gives it. Project types that differ keep their own names:
 * only spellings of the same type are listed. `README.md` describes the rule; change both together.
 */
const CATEGORIES: Readonly<Record<string, string>> = {
  forests: 'forestry',
  ifm: 'improved forest management',
};
const COUNTRIES: Readonly<Record<string, string>> = {
  'Bolivia, Plurinational State of': 'Bolivia',
  USA: 'United States',
};

/** Returns the library's names of categories, in lower case, each once. */
export function categoryNames(categories: readonly string[]): string[] {
  return [...new Set(categories.map((category) => category.toLowerCase()).map((name) => CATEGORIES[name] ?? name))];
}

/** Returns the library's name of a country. */
export function countryName(country: string): string {
  return COUNTRIES[country] ?? country;
}
