import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transformSync } from '@swc/core';

const SOURCES = import.meta.dirname;
const README = readFileSync(resolve(SOURCES, '../README.md'), 'utf8');
/** Names of node.js that browsers do not have. */
const OF_NODE = /\b(process|Buffer|require|__dirname|__filename|global|setImmediate)\b/;

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.spec\.ts$|(^|\/)test-/.test(file))
  .map((file) => ({ file, code: readFileSync(resolve(SOURCES, file), 'utf8') }));

/** As it is shipped: no types, no comments, short names. */
function minified(code: string): string {
  const options = {
    parser: { syntax: 'typescript' },
    target: 'es2022',
    minify: { compress: true, mangle: true },
  } as const;
  return transformSync(code, { jsc: options, minify: true, module: { type: 'es6' } }).code;
}

describe('the package', () => {
  it('needs nothing at run time: every import is of a file of its own', () => {
    const imports = sources.flatMap(({ code }) =>
      [...code.matchAll(/\b(?:from|import)\s*\(?'([^']+)'/g)].map(([, name = '']) => name),
    );
    expect(imports.length).toBeGreaterThan(20);
    expect(imports.filter((name) => !/^\.\.?\/.*\.js$/.test(name))).toEqual([]);
    expect(JSON.parse(readFileSync(resolve(SOURCES, '../package.json'), 'utf8'))).not.toHaveProperty('dependencies');
  });

  it('names nothing that only node.js has', () => {
    expect(sources.filter(({ code }) => OF_NODE.test(minified(code))).map(({ file }) => file)).toEqual([]);
  });

  it('has no example beside its code that its page does not have, where all are run', () => {
    const run = [...README.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].flatMap(([, code = '']) => code.split('\n'));
    const shown = sources.flatMap(({ code }) =>
      [...code.matchAll(/^ \* @example\n((?: \* .*\n)+)/gm)].flatMap(
        ([, lines = '']) => lines.match(/(?<=^ \* ).+/gm) ?? [],
      ),
    );
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter((line) => !run.includes(line))).toEqual([]);
  });

  it('is as small as its page says', () => {
    const size = gzipSync(sources.map(({ code }) => minified(code)).join('')).length;
    const said = Number(/(\d+) kB, minified and compressed/.exec(README)?.[1]);
    expect(Math.ceil(size / 1_000)).toBe(said);
  });
});
