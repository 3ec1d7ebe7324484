import { CODE } from './characters.js';

/** Returns a literal character escaped for a pattern. */
export function literal(character: string): string {
  return character === '*' || character === '?' || character === '\\' ? `\\${character}` : character;
}

/** Returns the text of a pattern whose wildcards are read as characters. */
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

/** Returns whether a `*` or `?` in a pattern is a wildcard. */
export function hasWildcard(pattern: string): boolean {
  for (let at = 0; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at);
    if (code === CODE.star || code === CODE.question) return true;
    if (code === CODE.backslash) at++;
  }
  return false;
}
