import type { Compiled } from '../criteria.js';
import type { Rewrite } from '../diagnostics/criteria-error.js';

const MAX_CHANGES = 10;

/** Returns the text after one change. */
export function changed(text: string, { position, length, text: piece }: Rewrite): string {
  return text.slice(0, position) + piece + text.slice(position + length);
}

/** Applies the first rewrite that the errors offer until none offers one, at most `MAX_CHANGES` times. */
export function rewritten(text: string, compile: (text: string) => Compiled): string {
  let made = text;
  for (let count = 0; count < MAX_CHANGES; count += 1) {
    const result = compile(made);
    const rewrite = result.ok ? undefined : result.errors.find((error) => error.rewrite !== undefined)?.rewrite;
    if (rewrite === undefined) break;
    made = changed(made, rewrite);
  }
  return made;
}
