import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ROOT, textOf, trackedFiles } from './tracked-files.js';

const PAGES = trackedFiles().filter((file) => /^(docs\/.+|[A-Z]+)\.md$/.test(file) && existsSync(resolve(ROOT, file)));

/** The anchor that a heading gets where pages are shown. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function anchorsOf(file: string): string[] {
  return [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

/** The links of a page that lead nowhere. */
function deadLinks(page: string): string[] {
  const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
  return links.flatMap(([link, file = '', anchor]) => {
    const target = file === '' ? resolve(ROOT, page) : resolve(ROOT, dirname(page), file);
    const found = existsSync(target) && (anchor === undefined || anchorsOf(target).includes(anchor));
    return found ? [] : [link];
  });
}

describe('the pages of this repository', () => {
  it.each(PAGES)('link only to what is there: %s', (page) => {
    expect(deadLinks(page)).toEqual([]);
  });
});
