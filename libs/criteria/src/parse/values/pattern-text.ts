import { CODE } from '../../text/characters.js';

/** A literal character as a pattern holds it. */
export function literal(character: string): string {
  return character === '*' || character === '?' || character === '\\' ? `\\${character}` : character;
}

/** What a pattern says when its wildcards are taken for characters. */
export function plainText(pattern: string): string {
  let text = '';
  let from = 0;
  for (let at = 0; at < pattern.length; at++) {
    if (pattern.charCodeAt(at) !== CODE.backslash) continue;
    text += pattern.slice(from, at);
    from = ++at;
  }
  return text + pattern.slice(from);
}

/** Whether a `*` or `?` in a pattern stands for other characters. */
export function hasWildcard(pattern: string): boolean {
  for (let at = 0; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at);
    if (code === CODE.star || code === CODE.question) return true;
    if (code === CODE.backslash) at++;
  }
  return false;
}
