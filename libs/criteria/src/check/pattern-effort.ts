import { CODE } from '../text/characters.js';
import { foldCharacter } from './index-folding.js';

/** What one place of a pattern takes: a character, any one (`?`), or any number of any (`*`). */
type Place = string | typeof ANY_ONE | typeof ANY_NUMBER;

const ANY_ONE = 0;
const ANY_NUMBER = 1;

/** Signs and phonetic letters: the index folds some of them to up to four characters, and which is not known here. */
const UNSURE = /[^\p{ASCII}\p{L}\p{M}\p{Nd}\p{Nl}]|[\u0250-\u02af\u1d00-\u1dbf]/u;
const MAX_FOR_ONE = 4;

/**
 * What it takes the index to make a machine of a pattern that never has to go back, or more than `most`. Behind a `*`
 * it has to remember which of several beginnings still fit, and a `?` fits all of them: their sets double with every
 * `?`, and grow with every character behind. The index gives up on what is too large, with an error; so the same sets
 * are made here, and their sizes added up. Without such a `?` they stay small; that is no effort. What counts are the
 * characters that the index folds the pattern to: there `aA` is the same letter twice.
 */
export function effortOf(pattern: string, most: number): number {
  if (!hasQuestionBehindStar(pattern)) return 0;
  const places = placesOf(pattern);
  if (UNSURE.test(pattern)) return boundOf(places);
  const first = withFollowers([0], places);
  const known = new Set([first.join()]);
  const open = [first];
  let effort = 0;
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    effort += state.length;
    if (effort > most) break;
    for (const next of statesAfter(state, places)) {
      const name = next.join();
      if (next.length === 0 || known.has(name)) continue;
      known.add(name);
      open.push(next);
    }
  }
  return effort;
}

function hasQuestionBehindStar(pattern: string): boolean {
  let hasStar = false;
  for (let at = 0; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at);
    if (code === CODE.backslash) at++;
    else if (code === CODE.star) hasStar = true;
    else if (code === CODE.question && hasStar) return true;
  }
  return false;
}

function placesOf(pattern: string): readonly Place[] {
  const places: Place[] = [];
  let isEscaped = false;
  for (const character of pattern) {
    if (isEscaped || !'\\*?'.includes(character)) places.push(...foldedTo(character));
    else if (character !== '\\') places.push(character === '*' ? ANY_NUMBER : ANY_ONE);
    isEscaped = !isEscaped && character === '\\';
  }
  return places;
}

function foldedTo(character: string): string {
  return character < '\u0080' ? character.toLowerCase() : foldCharacter(character);
}

/** More than the effort can be, whatever the characters fold to. */
function boundOf(places: readonly Place[]): number {
  const stars = places.filter((place) => place === ANY_NUMBER).length;
  const questions = places.filter((place) => place === ANY_ONE).length;
  const due = stars + questions + 1;
  return 2 ** due * due * places.length * MAX_FOR_ONE;
}

/** The sets of places that may be due after one character more: one of those that are due, or any other. */
function statesAfter(state: readonly number[], places: readonly Place[]): readonly number[][] {
  const characters = new Set(state.map((at) => places[at]).filter((place) => typeof place === 'string'));
  return ['', ...characters].map((character) => after(state, places, character));
}

function after(state: readonly number[], places: readonly Place[], character: string): number[] {
  const due: number[] = [];
  for (const at of state) {
    const place = places[at];
    if (place === ANY_NUMBER) due.push(at);
    else if (place === ANY_ONE || (place === character && character !== '')) due.push(at + 1);
  }
  return withFollowers(due, places);
}

/** A `*` may stand for nothing, so what follows it is due as well. Places rise, each of them once. */
function withFollowers(due: readonly number[], places: readonly Place[]): number[] {
  const all: number[] = [];
  let last = -1;
  for (const from of due) {
    if (from <= last) continue;
    last = from;
    all.push(last);
    while (places[last] === ANY_NUMBER) all.push(++last);
  }
  return all;
}
