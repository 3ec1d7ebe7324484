const NAME = /"(?:[^"\\]|\\.)*"(?=(\s*:)?)/gs;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Members that stand twice: `JSON.parse` silently keeps the last. Works on valid JSON, where a string before a colon is a
 * member's name; an asset is flat, so that names inside names need no telling apart.
 *
 * @param json what `JSON.parse` has made of the text
 */
export function repeatedMembers(text: string, json: unknown): string[] {
  const kept = typeof json === 'object' && json !== null ? Object.keys(json).length : 0;
  return colonsIn(text) === kept ? [] : namesTwice(text);
}

/** Colons outside of strings: one for every member. Nearly all lines have no member twice, and are done with by this. */
function colonsIn(text: string): number {
  let colons = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) inString = !inString;
    else if (inString && unit === BACKSLASH) at += 1;
    else if (!inString && unit === COLON) colons += 1;
  }
  return colons;
}

function namesTwice(text: string): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [token, colon] of text.matchAll(NAME)) {
    if (colon === undefined) continue;
    const name: unknown = JSON.parse(token);
    if (typeof name !== 'string') continue;
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return [...repeated].map((name) => `${name} stands there twice`);
}
