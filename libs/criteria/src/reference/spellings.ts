import { type Choose, oneOf } from './random.js';

/** Words that are no value without quotes, or begin none. */
const NEEDS_QUOTES = /^(and|or|not|null|-.*|)$/i;

const RELATIONS = {
  gt: ['>', ':>', ' gt ', ' > ', ': >'],
  gte: ['>=', ':>=', ' ge ', ' GTE ', ' >= '],
  lt: ['<', ':<', ' lt ', ' < '],
  lte: ['<=', ':<=', ' le ', ' lte '],
} as const;

/** A literal in one of its spellings: in either quotes, or bare with what is special escaped. */
export function spellValue(choose: Choose, text: string): string {
  switch (choose(NEEDS_QUOTES.test(text) ? 3 : 5)) {
    case 0:
      return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '""')}"`;
    case 1:
      return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
    case 2:
      return `"${text.replaceAll(/[\\"'*?]/g, '\\$&')}"`;
    default:
      return /^-?[\w.:+-]+$/.test(text) && !text.includes('..') ? text : text.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&');
  }
}

/** `:` or a whole-value equality; on text they differ, so the caller says which are allowed. */
export function spellEquals(choose: Choose, form: 'words' | 'whole'): string {
  return form === 'words' ? oneOf(choose, [':', ' : ', ': ']) : oneOf(choose, ['=', ' == ', ':=', ' eq ', ' EQ ']);
}

/** "Differs from". */
export function spellDiffers(choose: Choose): string {
  return oneOf(choose, ['!=', ' <> ', ':!=', ' ne ']);
}

/** A comparison by size. */
export function spellRelation(choose: Choose, relation: keyof typeof RELATIONS): string {
  return oneOf(choose, RELATIONS[relation]);
}

/** A list after `in` or `not in`. */
export function spellList(choose: Choose, values: readonly string[]): string {
  return choose(2) === 0 ? `(${values.join(', ')})` : `[ ${values.join(' ,')} ]`;
}

/** "Has a value". */
export function spellPresent(choose: Choose, name: string): string {
  return `${name}${oneOf(choose, [':*', ' exists', ' EXISTS', ' = *'])}`;
}

/** The field's name; letter case does not matter. */
export function spellField(choose: Choose, name: string): string {
  return oneOf(choose, [name, name.toLowerCase(), name.toUpperCase()]);
}
