import { type Choose, oneIn, oneOf } from './random.js';

/** What is no value without quotes: reserved words, nothing at all, and signs that no backslash can stand before. */
const NEEDS_QUOTES = /^(and|or|not|null|)$|\p{Cc}/iu;
/** What does not stand in a bare word as itself. */
const SPECIAL = /[ !-/:-@[-^`{-~]/g;

const RELATIONS = {
  gt: ['>', ':>', ' gt ', ' > ', ': >', ' GT\t'],
  gte: ['>=', ':>=', ' ge ', ' GTE ', ' >= ', ' gte '],
  lt: ['<', ':<', ' lt ', ' < ', '\n< '],
  lte: ['<=', ':<=', ' le ', ' lte ', ' LE '],
} as const;

/** A relation of size. */
export type Relation = keyof typeof RELATIONS;

/** Text in one of its spellings: in either quotes, or bare with what is special escaped. */
export function spellValue(choose: Choose, text: string): string {
  switch (choose(NEEDS_QUOTES.test(text) ? 3 : 6)) {
    case 0:
      return `"${spellUnits(choose, text, (unit) => (unit === '"' ? '""' : quoted(unit, '\\')))}"`;
    case 1:
      return `'${spellUnits(choose, text, (unit) => (unit === "'" ? "''" : quoted(unit, '\\')))}'`;
    case 2:
      return `"${spellUnits(choose, text, (unit) => quoted(unit, '\\"\'*?'))}"`;
    default:
      return bare(text);
  }
}

/** A literal that needs no escapes in any spelling. */
export function spellLiteral(choose: Choose, text: string): string {
  return oneOf(choose, [text, text, text, `"${text}"`, `'${text}'`]);
}

/** A pattern as a bare word, whatever its operator. @returns nothing when it can only stand in quotes */
export function barePattern(pattern: string): string | undefined {
  return NEEDS_QUOTES.test(pattern) ? undefined : eachPiece(pattern, bare);
}

/** A pattern in quotes, as only `like` reads it. */
export function quotedPattern(choose: Choose, pattern: string): string {
  const quote = oneOf(choose, ['"', "'"]);
  const units = (literal: string) => spellUnits(choose, literal, (unit) => quoted(unit, '\\"\'*?'));
  return quote + eachPiece(pattern, units) + quote;
}

/** Spells the literal characters of a pattern, and leaves its wildcards. */
function eachPiece(pattern: string, spell: (literal: string) => string): string {
  return pattern.replaceAll(/\\(.)|[^*?]/gsu, (literal, escaped?: string) => spell(escaped ?? literal));
}

function bare(text: string): string {
  return text.replaceAll(SPECIAL, '\\$&');
}

function spellUnits(choose: Choose, text: string, spell: (unit: string) => string): string {
  const units = text.split('').map((unit) => {
    return oneIn(choose, 40) ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : spell(unit);
  });
  return units.join('');
}

function quoted(unit: string, escaped: string): string {
  if (unit === '\n') return '\\n';
  return escaped.includes(unit) ? `\\${unit}` : unit;
}

/** `:` or a whole-value equality; on text they differ, so the caller says which are allowed. */
export function spellEquals(choose: Choose, form: 'words' | 'whole'): string {
  return form === 'words' ? oneOf(choose, [':', ' : ', ': ']) : oneOf(choose, ['=', ' == ', ':=', ' eq ', ' EQ ']);
}

/** "Differs from". */
export function spellDiffers(choose: Choose): string {
  return oneOf(choose, ['!=', ' <> ', ':!=', ' ne ', ' NE ']);
}

/** A comparison by size. */
export function spellRelation(choose: Choose, relation: Relation): string {
  return oneOf(choose, RELATIONS[relation]);
}

/** The brackets of a list after `in` or `not in`. */
export function spellList(choose: Choose, before: string): (values: string) => string {
  const [open, close] = oneOf(choose, [
    ['(', ')'],
    ['[ ', ' ]'],
    ['(', ' )'],
  ]);
  return (values) => before + open + values + close;
}

/** A word of the language in some letter case, between blanks of some kind. */
export function spellWord(choose: Choose, word: string): string {
  const cased = oneOf(choose, [word, word, word.toUpperCase(), word.slice(0, 1).toUpperCase() + word.slice(1)]);
  return oneOf(choose, [` ${cased} `, ` ${cased} `, ` ${cased}\t`, `\n${cased} `, ` ${cased}\u00a0`]);
}

/** "Has a value". */
export function spellPresent(choose: Choose, name: string): string {
  const ways = [':*', ' exists', ' EXISTS', ' = *', ' is not null', ' IS NOT NULL', ' != null', ' ne NULL', ':(*)'];
  return `${name}${ways[choose(ways.length)]}`;
}

/** "Has no value". */
export function spellMissing(choose: Choose, name: string): string {
  const ways = [' is null', ' IS NULL', '=null', ':NULL', ' not exists', ' Not Exists', ' != *', ' eq null'];
  return `${name}${ways[choose(ways.length)]}`;
}

/** The field's name; letter case does not matter. */
export function spellField(choose: Choose, name: string): string {
  return oneOf(choose, [name, name, name.toLowerCase(), name.toUpperCase()]);
}
