import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { FAULTS, type FaultCode } from '@carbon/faults';
import { ROOT, textOf, trackedFiles } from '../tracked-files.js';
import { highlightJson } from './highlight-json.js';
import { problemPage } from './problem-page.js';
import { PROBLEM_CODES, SERVED_PAGES } from './problem-pages.js';

const names = (folder: string, ending: string) =>
  readdirSync(resolve(ROOT, folder))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();

/** Codes written out in the sources of the apps, where an item or a fault is made. */
function codesInSource(): string[] {
  const sources = trackedFiles().filter((file) => /^(apps|libs)\/[^/]+\/src\/.*(?<!\.spec)\.ts$/.test(file));
  const made =
    /new (?:User|Transient)Fault\(\s*'([a-z_]+)'|\b(?:field|pointer): [^\n]{0,80}\bcode: '([a-z_]+)'|itemOf\([^,]+, '([a-z_]+)'/g;
  const found = sources
    .filter((file) => !/\/test-[^/]+\.ts$/.test(file))
    .flatMap((file) => [...textOf(file).matchAll(made)].map(([, fault, item, other]) => fault ?? item ?? other ?? ''));
  return [...new Set(found)].sort();
}

describe('the pages of problems', () => {
  it('are one for each code and the other way round, as Markdown and as the gateway serves them', () => {
    expect(names('docs/problems', '.md').filter((name) => name !== 'README')).toEqual(PROBLEM_CODES);
    expect(names(SERVED_PAGES, '.html').filter((name) => name !== 'index')).toEqual(PROBLEM_CODES);
  });

  it('have every code that any app writes out', () => {
    const codes = codesInSource();
    expect(codes.length).toBeGreaterThan(15);
    expect(PROBLEM_CODES).toEqual(expect.arrayContaining(codes));
  });

  it.each(Object.keys(FAULTS) as FaultCode[])('show a whole document of %s', (code) => {
    const block = /```json\n([\s\S]*?)```/.exec(textOf(`docs/problems/${code}.md`))?.[1] ?? '';
    const members = ['type', 'title', 'status', 'detail', 'instance', 'code'];
    expect(Object.keys(JSON.parse(block))).toEqual(expect.arrayContaining(members));
  });

  it.each(['index', ...PROBLEM_CODES])('load nothing, run nothing and lead nowhere in vain: %s', (name) => {
    const page = textOf(`${SERVED_PAGES}/${name}.html`);
    expect(page).not.toMatch(/<(script|link|img|iframe|object|form|base)\b|\son\w+=|url\(|@import|style="/i);
    for (const [, address = ''] of page.matchAll(/href="([^"]*)"/g)) {
      const code = /^\/problems\/(\w+)$/.exec(address)?.[1];
      expect([
        address,
        code === undefined
          ? /^(\/problems|https:\/\/www\.rfc-editor\.org\/\S+)$/.test(address)
          : PROBLEM_CODES.includes(code),
      ]).toEqual([address, true]);
    }
  });
});

describe('a page', () => {
  it('shows what looks like HTML as text', () => {
    const page = problemPage('x', '# `x`\n\n<script>alert(1)</script> and `<b>`\n\n```json\n{"a": "<i>&"}\n```\n');
    expect(page).not.toMatch(/<script|<b>|<i>/);
    expect(page).toContain('&lt;script&gt;');
  });

  it('names a document that is not served by its file', () => {
    expect(problemPage('x', '[the list](../criteria.md#fields)')).toContain('the list (docs/criteria.md)');
  });
});

describe('highlightJson', () => {
  it('marks keys, strings and other values, and changes nothing of the text', () => {
    const json = '{"a\\"b": ["x: 1", -1.5e3, true], "c": null}';
    const html = highlightJson(json);
    expect(html).toContain('<span class="k">&quot;a\\&quot;b&quot;</span>:');
    expect(html).toContain('<span class="s">&quot;x: 1&quot;</span>');
    expect(html).toContain('<span class="v">-1.5e3</span>');
    expect(html.replace(/<[^>]+>/g, '').replaceAll('&quot;', '"')).toBe(json);
  });
});
