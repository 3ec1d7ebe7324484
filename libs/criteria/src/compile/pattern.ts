import { CODE } from '../text/codes.js';
import { on, type QueryClause } from './query.js';

/** A pattern that only fixes how the text begins is the cheaper `prefix`; literal text needs no escapes there. */
export function compilePattern(path: string, pattern: string): QueryClause {
  const prefix = prefixOf(pattern);
  return prefix === undefined ? { wildcard: on(path, { value: pattern }) } : { prefix: on(path, { value: prefix }) };
}

/** The text before the only wildcard, when that is a `*` at the very end. */
function prefixOf(pattern: string): string | undefined {
  const last = pattern.length - 1;
  let prefix = '';
  let from = 0;
  for (let at = 0; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at);
    if (code === CODE.star) return at === last ? prefix + pattern.slice(from, at) : undefined;
    if (code === CODE.question) return undefined;
    if (code !== CODE.backslash) continue;
    prefix += pattern.slice(from, at);
    from = ++at;
  }
  return undefined;
}
