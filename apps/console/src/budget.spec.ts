import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const DIST = new URL('../dist/', import.meta.url);
const KB = 1_000;

/** What a server sends of a file to a browser that accepts gzip, in bytes. */
function sentBytes(name: string): number {
  const body = readFileSync(new URL(name, DIST));
  return name.endsWith('.woff2') ? body.length : gzipSync(body, { level: 9 }).length;
}

const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
const served = files.filter((name) => !/\.(br|gz)$/.test(name));
const total = (names: readonly string[]) => names.reduce((sum, name) => sum + sentBytes(name), 0);

describe('the built console', () => {
  it('sends at most 300 kB for the first view, and 500 kB of everything', () => {
    // The second font has the letters that English lacks; a browser loads it when one is shown. The filters follow the view.
    const first = served.filter((name) => !/latin-ext|filter-panel/.test(name));
    expect(served.length - first.length).toBe(3);
    expect(first.length).toBeGreaterThan(3);
    expect(total(first)).toBeLessThanOrEqual(300 * KB);
    expect(total(served)).toBeLessThanOrEqual(500 * KB);
  });

  it('has everything that is text prebuilt, as gzip and as Brotli', () => {
    const texts = served.filter((name) => /\.(html|js|css|svg)$/.test(name));
    expect(
      texts
        .flatMap((name) => ['br', 'gz'].map((suffix) => `${name}.${suffix}`))
        .filter((name) => !files.includes(name)),
    ).toEqual([]);
  });

  it('names no other origin to load from, and has nothing inline', () => {
    const page = readFileSync(new URL('index.html', DIST), 'utf8');
    const style = served
      .filter((name) => name.endsWith('.css'))
      .map((name) => readFileSync(new URL(name, DIST), 'utf8'));
    expect(`${page}${style}`).not.toMatch(/https?:|\/\/\w/);
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)/);
  });
});
