import { CODE } from './characters.js';

/** Returns a literal character as a pattern holds it. */
export function literal(character: string): string {
  return character === '*' || character === '?' || character === '\\' ? `\\${character}` : character;
}

/** Returns the text of a pattern whose wildcards are taken as characters. */
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

/** Whether a `*` or `?` in a pattern is a wildcard. */
export function hasWildcard(pattern: string): boolean {
  for (let at = 0; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at);
    if (code === CODE.star || code === CODE.question) return true;
    if (code === CODE.backslash) at++;
  }
  return false;
}
