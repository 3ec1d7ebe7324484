import { readFileSync } from 'node:fs';

/** A page of the checkout, such as `docs/cli.md`. */
export function pageAt(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** The blocks of a page in one language: of `sh`, what its reader is told to type. */
export function blocksOf(page: string, language: string): string[] {
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return [...blocks].map(([, block = '']) => block);
}
