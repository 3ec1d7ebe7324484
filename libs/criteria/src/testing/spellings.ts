import { type Choose, oneIn, oneOf } from './random.js';

/** Texts that need quotes: reserved words, the empty text, and characters that a backslash cannot escape. */
const NEEDS_QUOTES = /^(and|or|not|null|)$|\p{Cc}/iu;
/** Characters that must be escaped in an unquoted word. */
const SPECIAL = /[ !-/:-@[-^`{-~]/g;

const RELATIONS = {
  gt: ['>', ':>', ' gt ', ' > ', ': >', ' GT\t'],
  gte: ['>=', ':>=', ' ge ', ' GTE ', ' >= ', ' gte '],
  lt: ['<', ':<', ' lt ', ' < ', '\n< '],
  lte: ['<=', ':<=', ' le ', ' lte ', ' LE '],
} as const;

/** A comparison operator. */
export type Relation = keyof typeof RELATIONS;

/** Spells a text: in either quotes, or unquoted with escapes. */
export function spellValue(choose: Choose, text: string): string {
  switch (choose(NEEDS_QUOTES.test(text) ? 3 : 6)) {
    case 0:
      return `"${spellUnits(choose, text, (unit) => (unit === '"' ? '""' : escapeUnit(unit, '\\')))}"`;
    case 1:
      return `'${spellUnits(choose, text, (unit) => (unit === "'" ? "''" : escapeUnit(unit, '\\')))}'`;
    case 2:
      return `"${spellUnits(choose, text, (unit) => escapeUnit(unit, '\\"\'*?'))}"`;
    default:
      return bare(text);
  }
}

/** Spells a literal that needs no escapes. */
export function spellLiteral(choose: Choose, text: string): string {
  return oneOf(choose, [text, text, text, `"${text}"`, `'${text}'`]);
}

/** Spells a pattern as an unquoted word for any operator. @returns undefined when it must be quoted */
export function barePattern(pattern: string): string | undefined {
  return NEEDS_QUOTES.test(pattern) ? undefined : eachPiece(pattern, bare);
}

/** Spells a pattern in quotes, which only `like` accepts. */
export function quotedPattern(choose: Choose, pattern: string): string {
  const quote = oneOf(choose, ['"', "'"]);
  const units = (literal: string) => spellUnits(choose, literal, (unit) => escapeUnit(unit, '\\"\'*?'));
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

function escapeUnit(unit: string, escaped: string): string {
  if (unit === '\n') return '\\n';
  return escaped.includes(unit) ? `\\${unit}` : unit;
}

/** Spells `:` or a whole-value equality; on text they differ, so the caller passes the allowed ones. */
export function spellEquals(choose: Choose, form: 'words' | 'whole'): string {
  return form === 'words' ? oneOf(choose, [':', ' : ', ': ']) : oneOf(choose, ['=', ' == ', ':=', ' eq ', ' EQ ']);
}

/** Spells `!=`. */
export function spellDiffers(choose: Choose): string {
  return oneOf(choose, ['!=', ' <> ', ':!=', ' ne ', ' NE ']);
}

/** Spells a comparison operator. */
export function spellRelation(choose: Choose, relation: Relation): string {
  return oneOf(choose, RELATIONS[relation]);
}

/** Spells the brackets of a list after `in` or `not in`. */
export function spellList(choose: Choose, before: string): (values: string) => string {
  const [open, close] = oneOf(choose, [
    ['(', ')'],
    ['[ ', ' ]'],
    ['(', ' )'],
  ]);
  return (values) => before + open + values + close;
}

/** Spells a keyword in some letter case, with white space around it. */
export function spellWord(choose: Choose, word: string): string {
  const cased = oneOf(choose, [word, word, word.toUpperCase(), word.slice(0, 1).toUpperCase() + word.slice(1)]);
  return oneOf(choose, [` ${cased} `, ` ${cased} `, ` ${cased}\t`, `\n${cased} `, ` ${cased}\u00a0`]);
}

/** Spells "has a value". */
export function spellPresent(choose: Choose, name: string): string {
  const ways = [':*', ' exists', ' EXISTS', ' = *', ' is not null', ' IS NOT NULL', ' != null', ' ne NULL', ':(*)'];
  return `${name}${ways[choose(ways.length)]}`;
}

/** Spells "has no value". */
export function spellMissing(choose: Choose, name: string): string {
  const ways = [' is null', ' IS NULL', '=null', ':NULL', ' not exists', ' Not Exists', ' != *', ' eq null'];
  return `${name}${ways[choose(ways.length)]}`;
}

/** Spells a field's name; letter case does not matter. */
export function spellField(choose: Choose, name: string): string {
  return oneOf(choose, [name, name, name.toLowerCase(), name.toUpperCase()]);
}
