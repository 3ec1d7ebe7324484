import type { Described } from './operation-at.js';

/** The same document with every object schema closed: what it does not name may not be there. */
export function closed(document: Described): Described {
  const copy = structuredClone(document);
  close(copy.components);
  close(copy.paths);
  return copy;
}

function close(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  if ('properties' in part && 'type' in part && part.type === 'object' && !('additionalProperties' in part)) {
    Object.assign(part, { additionalProperties: false });
  }
  for (const [name, value] of Object.entries(part)) if (name !== 'examples') close(value);
}
