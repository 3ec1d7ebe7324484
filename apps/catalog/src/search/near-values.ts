import { MAX_HINTS } from '@carbon/contracts';
import { type ClauseValue, editDistance } from '@carbon/criteria';
import { countryOf, folded } from './country-names.js';

/** Longer values are not compared: the cost grows with the length, and nobody mistypes them. */
const MAX_LENGTH = 64;
/** The fewest characters that a value may share with a longer one. */
const MIN_PART = 3;

/**
 * Returns the values that a value of criteria may mean, the likeliest first.
 * @param values those of the field, the most frequent first
 */
export function nearValues({ field, value }: ClauseValue, values: readonly string[]): readonly string[] {
  if (value.length > MAX_LENGTH) return [];
  const country = field === 'country' ? countryOf(decoded(value)) : undefined;
  const rank =
    country === undefined ? rankFor(folded(decoded(value))) : (one: string) => rankOf(countryOf(one) === country);
  const ranked = values.map((one) => ({ one, rank: rank(one) })).filter((near) => near.rank !== undefined);
  // A stable sort: the more frequent of equally likely values comes first.
  ranked.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return ranked.slice(0, MAX_HINTS.near).map(({ one }) => one);
}

const rankOf = (isMeant: boolean) => (isMeant ? 0 : undefined);

/** Undoes a second percent-encoding. */
function decoded(value: string): string {
  if (!/%[0-9a-f]{2}/i.test(value)) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Returns how likely a value is meant: 0 is best; undefined if it is not. */
function rankFor(sent: string): (value: string) => number | undefined {
  const literals = sent.replace(/[%_*?]/g, '').length;
  const isPattern = literals >= MIN_PART && literals < sent.length;
  const pattern = sent.replaceAll('%', '*').replaceAll('_', '?');
  return (value) => {
    const known = folded(value);
    if (known === sent || (isPattern && matches(pattern, known))) return 0;
    if (known.startsWith(sent) && sent.length >= MIN_PART) return 1;
    const edits = editsFor(Math.min(sent.length, known.length));
    if (editDistance(sent, known, edits + 1) <= edits) return 1;
    return isPart(sent, known) || isPart(known, sent) ? 2 : undefined;
  };
}

/** One edit makes another word of a short one. */
function editsFor(length: number): number {
  if (length < MIN_PART) return 0;
  return length <= 4 ? 1 : 2;
}

function isPart(part: string, whole: string): boolean {
  return part.length > MIN_PART && whole.includes(part);
}

/** Matches a pattern of `*` and `?`, without backtracking over more than the last `*`. */
function matches(pattern: string, text: string): boolean {
  let [at, star, from] = [0, -1, 0];
  for (let place = 0; place < text.length; ) {
    const sign = pattern[at];
    if (sign === '*') [star, from, at] = [at, place, at + 1];
    else if (sign === '?' || sign === text[place]) [place, at] = [place + 1, at + 1];
    else if (star < 0) return false;
    else [from, place, at] = [from + 1, from + 1, star + 1];
  }
  return /^\**$/.test(pattern.slice(at));
}
