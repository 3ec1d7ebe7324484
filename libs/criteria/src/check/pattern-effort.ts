import { CODE } from '../text/characters.js';
import { foldCharacter } from './index-folding.js';

/** One step of a pattern: a character, any one (`?`), or any number of any (`*`). */
type Place = string | typeof ANY_ONE | typeof ANY_NUMBER;

const ANY_ONE = 0;
const ANY_NUMBER = 1;

/** Symbols and phonetic letters: the index folds some of them to up to four characters, and which is not known here. */
const UNSURE = /[^\p{ASCII}\p{L}\p{M}\p{Nd}\p{Nl}]|[\u0250-\u02af\u1d00-\u1dbf]/u;
const MAX_FOR_ONE = 4;

/**
 * Returns the size of the deterministic automaton that the index builds for a pattern, or more than `most`. After a `*`
 * its states are sets of positions; a `?` matches all of them, so the sets double with every `?`, and grow with every
 * later character. The index fails if the automaton is too large, so this builds the same sets and adds up their sizes.
 * Without such a `?` they stay small, and the effort is 0. Positions are of folded characters: there `aA` is the same
 * letter twice.
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

/** More than the maximum effort, whatever the characters fold to. */
function boundOf(places: readonly Place[]): number {
  const stars = places.filter((place) => place === ANY_NUMBER).length;
  const questions = places.filter((place) => place === ANY_ONE).length;
  const due = stars + questions + 1;
  return 2 ** due * due * places.length * MAX_FOR_ONE;
}

/** Returns the sets of positions after one more character: one of the next characters, or any other. */
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

/** A `*` may match nothing, so the step after it is reachable as well. Positions ascend without repetitions. */
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
