import { CODE } from '../text/characters.js';
import { foldCharacter } from './index-folding.js';

/** One step of a pattern: a character, any one (`?`), or any number of any (`*`). */
type PatternStep = string | typeof ANY_ONE | typeof ANY_NUMBER;

const ANY_ONE = 0;
const ANY_NUMBER = 1;

/** Symbols and phonetic letters: the index folds some of them to up to four characters, and which is not known here. */
const UNSURE = /[^\p{ASCII}\p{L}\p{M}\p{Nd}\p{Nl}]|[\u0250-\u02af\u1d00-\u1dbf]/u;
const MAX_FOR_ONE = 4;

/**
 * Returns the size of the deterministic automaton that the index builds for a pattern, or more than `max`. After a `*`
 * its states are sets of positions; a `?` matches all of them, so the sets double with every `?`, and grow with every
 * later character. The index fails if the automaton is too large, so this builds the same sets and adds up their sizes.
 * Without such a `?` they stay small, and the effort is 0. Positions are of folded characters: there `aA` is the same
 * letter twice.
 */
export function effortOf(pattern: string, max: number): number {
  if (!hasQuestionAfterStar(pattern)) return 0;
  const steps = stepsOf(pattern);
  if (UNSURE.test(pattern)) return boundOf(steps);
  const first = withFollowers([0], steps);
  const known = new Set([first.join()]);
  const open = [first];
  let effort = 0;
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    effort += state.length;
    if (effort > max) break;
    for (const next of statesAfter(state, steps)) {
      const name = next.join();
      if (next.length === 0 || known.has(name)) continue;
      known.add(name);
      open.push(next);
    }
  }
  return effort;
}

function hasQuestionAfterStar(pattern: string): boolean {
  let hasStar = false;
  for (let at = 0; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at);
    if (code === CODE.backslash) at++;
    else if (code === CODE.star) hasStar = true;
    else if (code === CODE.question && hasStar) return true;
  }
  return false;
}

function stepsOf(pattern: string): readonly PatternStep[] {
  const steps: PatternStep[] = [];
  let isEscaped = false;
  for (const character of pattern) {
    if (isEscaped || !'\\*?'.includes(character)) steps.push(...foldedTo(character));
    else if (character !== '\\') steps.push(character === '*' ? ANY_NUMBER : ANY_ONE);
    isEscaped = !isEscaped && character === '\\';
  }
  return steps;
}

function foldedTo(character: string): string {
  return character < '\u0080' ? character.toLowerCase() : foldCharacter(character);
}

/** An upper bound of the effort, whatever the characters fold to. */
function boundOf(steps: readonly PatternStep[]): number {
  const stars = steps.filter((step) => step === ANY_NUMBER).length;
  const questions = steps.filter((step) => step === ANY_ONE).length;
  const positions = stars + questions + 1;
  return 2 ** positions * positions * steps.length * MAX_FOR_ONE;
}

/** Returns the sets of positions after one more character: one of the next characters, or any other. */
function statesAfter(state: readonly number[], steps: readonly PatternStep[]): readonly number[][] {
  const characters = new Set(state.map((at) => steps[at]).filter((step) => typeof step === 'string'));
  return ['', ...characters].map((character) => after(state, steps, character));
}

function after(state: readonly number[], steps: readonly PatternStep[], character: string): number[] {
  const reached: number[] = [];
  for (const at of state) {
    const step = steps[at];
    if (step === ANY_NUMBER) reached.push(at);
    else if (step === ANY_ONE || (step === character && character !== '')) reached.push(at + 1);
  }
  return withFollowers(reached, steps);
}

/** A `*` may match nothing, so the step after it is reachable as well. Positions ascend without repetitions. */
function withFollowers(reached: readonly number[], steps: readonly PatternStep[]): number[] {
  const all: number[] = [];
  let last = -1;
  for (const from of reached) {
    if (from <= last) continue;
    last = from;
    all.push(last);
    while (steps[last] === ANY_NUMBER) all.push(++last);
  }
  return all;
}
