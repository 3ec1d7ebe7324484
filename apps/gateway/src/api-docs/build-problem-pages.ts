import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { LIST, problemPage } from './problem-page.js';

// Part of the build: renders docs/problems into dist/problems, from which the gateway serves the pages.
const SOURCES = new URL('../../../../docs/problems/', import.meta.url);
const PAGES = new URL('../../dist/problems/', import.meta.url);

rmSync(PAGES, { recursive: true, force: true });
mkdirSync(PAGES, { recursive: true });
for (const file of readdirSync(SOURCES)) {
  const code = file.replace('.md', '');
  const page = problemPage(code, readFileSync(new URL(file, SOURCES), 'utf8'));
  writeFileSync(new URL(`${code === LIST ? 'index' : code}.html`, PAGES), page);
}
