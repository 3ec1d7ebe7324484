const MAX_TEXT_LENGTH = 4096;
const MAX_VALUES = 256;

/** Criteria at the limits, and which limit. Their fields exist in the library and in the fixture. */
export const EXTREME_CRITERIA: readonly (readonly [string, string])[] = [
  ...everyWayOf('numbers above', (number) => `rating>${1 + number / 100}`),
  ...everyWayOf('numbers', (number) => `rating=${1 + number / 100}`),
  ...everyWayOf('ranges', (number) => `price:1.${number}..9`),
  ...everyWayOf('whole numbers', (number) => `sdgs:${number}`),
  ...everyWayOf('whole numbers in several fields', (number) => `${number % 2 ? 'sdgs' : 'vintages'}:${1100 + number}`),
  ...everyWayOf('keywords', (number) => `ticker:T${number}`),
  ...everyWayOf('keywords in several fields', (number) => `${number % 2 ? 'source' : 'ticker'}:${number}`),
  ...everyWayOf('addresses', (number) => `address:0x${number.toString(16)}`),
  ...everyWayOf('words', (number) => `name:w${number}`),
  ...everyWayOf('phrases', (number) => `description:"a w${number}"`),
  ...everyWayOf('names', (number) => `name=w${number}`),
  ...everyWayOf('presence', (number) => `${number % 2 ? 'name' : 'price'}:*`),
  ...everyWayOf('truth', (number) => `active:${number % 2 === 0}`),
  ...everyWayOf('absence and presence', (number) => `rating:(null or ${1 + number / 100})`, MAX_VALUES / 2),
  ['256 numbers in a list', `rating in (${list((number) => `${1 + number / 100}`)})`],
  ['256 numbers not in a list', `rating not in (${list((number) => `${1 + number / 100}`)})`],
  ['256 whole numbers, not in any of 64 lists', many((number) => `!sdgs:(${fours(number)})`, '||', 64)],
  ['256 keywords in a list', `ticker in (${list((number) => `t${number}`)})`],
  ['256 keywords in a group, each negated', `ticker:(${list((number) => `not t${number}`, ' or ')})`],
  ['16 levels of parentheses', nested((inner, level) => `(price>1.${level} ${connector(level)} ${inner})`, 16)],
  ['16 levels of negation', nested((inner, level) => `!(ticker:t${level} ${connector(level)} ${inner})`, 8)],
  ['16 levels of a group', `ticker:${nested((inner, level) => `(t${level} ${connector(level)} ${inner})`, 16, 'x')}`],
  ['16 levels around as many conditions as there may be', `${'('.repeat(16)}${anyOf(200)}${')'.repeat(16)}`],
  ...everyPattern('that begin with *', (letter) => `*${letter}bc*d?f*gh*`),
  ...everyPattern('that begin with eight ?', (letter) => `????????${letter}bc*`),
  ...everyPattern('with ? behind *', (letter) => `*${letter}bc????def`),
  ...everyPattern('of the longest length', (letter) => `*${letter}${'ab'.repeat(115)}*`),
  ...everyPattern('of one repeated letter', (letter) => `${letter}*${letter.repeat(60)}*${letter.repeat(60)}*`),
  ...everyPattern('that fix the beginning', (letter) => `${letter.repeat(230)}*`),
  ['eight word patterns', many((number) => `!name:*${letterOf(number)}ab*c?d*`, '||', 8)],
  ['the longest words', many((number) => `name:${letterOf(number).repeat(256)}`, ' ', 15)],
  ['the longest phrases', many((number) => `!description:"${`${letterOf(number)} `.repeat(127)}"`, '||', 15)],
  ['the longest keywords', many((number) => `ticker:${letterOf(number).repeat(256)}`, '||', 15)],
  ['the longest keyword of rare characters', `ticker:"${'🌳'.repeat(128)}"`],
  [
    'a phrase of 256 Chinese words',
    `name:"${String.fromCodePoint(...Array.from({ length: 256 }, (_, n) => 0x4e00 + n))}"`,
  ],
  ['the longest name of letters that fold to three', `name = "${'ﬃ'.repeat(256)}"`],
  ['the longest number', `rating>0.${'1'.repeat(254)}`],
];

/** Joins as many conditions as the limits allow. */
function many(condition: (number: number) => string, joint: string, most = MAX_VALUES): string {
  const all = Array.from({ length: most }, (_, number) => condition(number));
  while (all.join(joint).length > MAX_TEXT_LENGTH) all.pop();
  return all.join(joint);
}

function everyWayOf(
  name: string,
  condition: (number: number) => string,
  most = MAX_VALUES,
): (readonly [string, string])[] {
  const negated = (number: number) => `!${condition(number)}`;
  const pair = (number: number) => `(${condition(number)} ${negated(number + 7)})`;
  return [
    [`${name}, all of them`, many(condition, ' ', most)],
    [`${name}, any of them`, many(condition, '||', most)],
    [`${name}, none of them`, many(negated, ' ', most)],
    [`${name}, any but one of them`, many(negated, '||', most)],
    [`${name}, two by two`, many(pair, '||', most / 2)],
  ];
}

function everyPattern(name: string, pattern: (letter: string) => string): (readonly [string, string])[] {
  return ['ticker', 'name'].flatMap((field) => [
    [`eight patterns of ${field} ${name}`, many((number) => `${field}=${pattern(letterOf(number))}`, '||', 8)] as const,
    [
      `eight patterns of ${field} ${name}, each negated`,
      many((number) => `${field}!=${pattern(letterOf(number))}`, '||', 8),
    ] as const,
  ]);
}

function anyOf(count: number): string {
  return many((number) => `sdgs!=${number}`, '||', count);
}

function list(value: (number: number) => string, comma = ','): string {
  return Array.from({ length: MAX_VALUES }, (_, number) => value(number)).join(comma);
}

function fours(number: number): string {
  return [0, 1, 2, 3].map((more) => 4 * number + more).join();
}

function nested(wrap: (inner: string, level: number) => string, levels: number, innermost = 'rating>3'): string {
  return Array.from({ length: levels }).reduce((inner: string, _, level) => wrap(inner, level), innermost);
}

function connector(level: number): string {
  return level % 2 === 0 ? 'and' : 'or';
}

function letterOf(number: number): string {
  return String.fromCodePoint(0x61 + (number % 26));
}
