import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transformSync } from '@swc/core';
import { CarbonClient } from './index.js';

const SOURCES = import.meta.dirname;
const baseUrl = 'https://carbon.example';

describe('a client', () => {
  it.each([
    ['no address', { baseUrl: 'carbon.example' }],
    ['another scheme', { baseUrl: 'ftp://carbon.example' }],
    ['a name within the address', { baseUrl: 'https://me:secret@carbon.example' }],
    ['a query within the address', { baseUrl: `${baseUrl}?a=1` }],
    ['a key with a space', { baseUrl, key: 'a b' }],
    ['an empty key', { baseUrl, key: '' }],
    ['no time', { baseUrl, timeoutMs: 0 }],
    ['more time than a timer has', { baseUrl, tryMs: 2 ** 31 }],
    ['half a try', { baseUrl, tries: 0.5 }],
    ['no number', { baseUrl, tries: Number.NaN }],
  ])('cannot be created with %s, and the error does not quote it', (_, options) => {
    expect(() => new CarbonClient(options)).toThrow(RangeError);
    expect(() => new CarbonClient(options)).not.toThrow('secret');
  });

  it('rejects an invalid idempotency key, an API key in its place, and an invalid number', async () => {
    const sent: unknown[] = [];
    const carbon = new CarbonClient({ baseUrl, fetch: async (url) => Response.json({ sent: sent.push(url) }) });
    for (const idempotencyKey of ['', 'a b', 'a\nb', 'ü', 'x'.repeat(256)]) {
      await expect(carbon.offsets.create({ kgCO2e: 1 }, { idempotencyKey })).rejects.toThrow(RangeError);
    }
    for (const idempotencyKey of ['cl_live_0123456789ab_secret', 'order-cl_live_secret']) {
      const work = carbon.offsets.create({ kgCO2e: 1 }, { idempotencyKey });
      await expect(work).rejects.toThrow(new TypeError('an API key is not an idempotency key; pass it as `key`'));
    }
    for (const none of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      await expect(carbon.offsets.create({ kgCO2e: none })).rejects.toThrow(RangeError);
      await expect(carbon.estimates.create({ kgCO2e: none })).rejects.toThrow(RangeError);
      await expect(carbon.offsets.list({ limit: none }).page()).rejects.toThrow(RangeError);
      await expect(carbon.pools.search({ limit: none }).page()).rejects.toThrow(RangeError);
    }
    expect(sent).toEqual([]);
  });
});

describe('the package', () => {
  const README = readFileSync(resolve(SOURCES, '../README.md'), 'utf8');
  /** Names of node.js that browsers do not have. */
  const OF_NODE = /\b(process|Buffer|require|__dirname|__filename|global|setImmediate)\b/;
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.spec\.ts$|^testing\//.test(file))
    .map((file) => ({ file, code: readFileSync(resolve(SOURCES, file), 'utf8') }));

  /** As it is published: without types and comments, minified. */
  function minified(code: string): string {
    const minify = { compress: true, mangle: true };
    const jsc = { parser: { syntax: 'typescript' }, target: 'es2022', minify } as const;
    return transformSync(code, { jsc, minify: true, module: { type: 'es6' } }).code;
  }

  it('has no dependency at run time', () => {
    const imports = sources.flatMap(({ code }) =>
      [...code.matchAll(/\b(?:from|import)\s*\(?'([^']+)'/g)].map(([, name = '']) => name),
    );
    expect(imports.length).toBeGreaterThan(20);
    expect(imports.filter((name) => !/^\.\.?\/.*\.js$/.test(name))).toEqual([]);
    expect(JSON.parse(readFileSync(resolve(SOURCES, '../package.json'), 'utf8'))).not.toHaveProperty('dependencies');
  });

  it('uses nothing that only Node.js has', () => {
    expect(sources.filter(({ code }) => OF_NODE.test(minified(code))).map(({ file }) => file)).toEqual([]);
  });

  it('has no example in its comments that the README lacks', () => {
    const run = [...README.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].flatMap(([, code = '']) => code.split('\n'));
    const examples = sources.flatMap(({ code }) => [...code.matchAll(/^ \* @example\n((?: \* .*\n)+)/gm)]);
    const shown = examples.flatMap(([, lines = '']) => lines.match(/(?<=^ \* ).+/gm) ?? []);
    expect(shown.length).toBeGreaterThan(5);
    expect(shown.filter((line) => !run.includes(line))).toEqual([]);
  });

  it('is as small as its README says', () => {
    const size = gzipSync(sources.map(({ code }) => minified(code)).join('')).length;
    const said = Number(/(\d+) kB, minified and compressed/.exec(README)?.[1]);
    expect(Math.ceil(size / 1_000)).toBe(said);
  });
});
