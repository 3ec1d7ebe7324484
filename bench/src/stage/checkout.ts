import { join, sep } from 'node:path';

// Built files lie a folder deeper than their sources; both lie in `bench`.
const ROOT = import.meta.dirname.slice(0, import.meta.dirname.lastIndexOf(`${sep}bench${sep}`));

/** A file of the checkout, by its path from the root. */
export function fromRoot(path: string): string {
  return join(ROOT, path);
}
