import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildLibrary, renderLibrary } from './library.js';

/**
 * `npm run data` writes the library; with `--check` it only reports, by its exit code, whether the file is up to date.
 */
const FILE = fileURLToPath(new URL('../assets.ndjson', import.meta.url));
const USAGE = 'usage: npm run data [-- --check]';

process.exitCode = run(process.argv.slice(2));

function run(options: readonly string[]): number {
  if (options.some((option) => option !== '--check')) return fail(2, USAGE);
  const assets = buildLibrary();
  const library = renderLibrary(assets);
  if (options.length > 0) return isCurrent(library) ? 0 : fail(1, `${FILE} is out of date: run npm run data`);
  writeFileSync(FILE, library);
  console.log(`${assets.length} assets written to ${FILE}`);
  return 0;
}

function isCurrent(library: string): boolean {
  try {
    return readFileSync(FILE, 'utf8') === library;
  } catch {
    return false;
  }
}

function fail(code: number, message: string): number {
  console.error(message);
  return code;
}
