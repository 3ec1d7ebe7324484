import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { PROBLEMS } from '@carbon/http';
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
    /new (?:Request|Transient)Error\(\s*'([a-z_]+)'|\b(?:field|pointer): [^\n]{0,80}\bcode: '([a-z_]+)'|itemOf\([^,]+, '([a-z_]+)'/g;
  const found = sources
    .filter((file) => !/\/test-[^/]+\.ts$|\/testing\//.test(file))
    .flatMap((file) => [...textOf(file).matchAll(made)].map(([, fault, item, other]) => fault ?? item ?? other ?? ''));
  return [...new Set(found)].sort();
}

describe('the pages of problems', () => {
  it('are one for each code and the other way round, as Markdown and as the gateway serves them', () => {
    expect(names('docs/problems', '.md').filter((name) => name !== 'README')).toEqual(PROBLEM_CODES);
    expect(names(SERVED_PAGES, '.html').filter((name) => name !== 'index')).toEqual(PROBLEM_CODES);
    const codes = codesInSource();
    expect(codes.length).toBeGreaterThan(15);
    expect(PROBLEM_CODES).toEqual(expect.arrayContaining(codes));
  });

  it('show a whole document of each code', () => {
    const documents = Object.keys(PROBLEMS).map((code) => {
      const block = /```json\n([\s\S]*?)```/.exec(textOf(`docs/problems/${code}.md`))?.[1] ?? '';
      return [code, Object.keys(JSON.parse(block))];
    });
    const members = expect.arrayContaining(['type', 'title', 'status', 'detail', 'instance', 'code']);
    expect(documents).toEqual(documents.map(([code]) => [code, members]));
  });

  it('load nothing, run nothing, and link only to one another and to RFCs', () => {
    const active = /<(script|link|img|iframe|object|form|base)\b|\son\w+=|url\(|@import|style="/i;
    const known = /^(\/problems|https:\/\/www\.rfc-editor\.org\/\S+)$/;
    const wrong = ['index', ...PROBLEM_CODES].flatMap((name) => {
      const page = textOf(`${SERVED_PAGES}/${name}.html`);
      const dead = [...page.matchAll(/href="([^"]*)"/g)].filter(([, address = '']) => {
        const code = /^\/problems\/(\w+)$/.exec(address)?.[1];
        return code === undefined ? !known.test(address) : !PROBLEM_CODES.includes(code);
      });
      return [active.exec(page), ...dead].flatMap((found) => (found === null ? [] : [`${name}: ${found[0]}`]));
    });
    expect(wrong).toEqual([]);
  });

  it('show what looks like HTML as text, and name a document that the gateway does not serve by its file', () => {
    const page = problemPage('x', '# `x`\n\n<script>alert(1)</script> and `<b>`\n\n```json\n{"a": "<i>&"}\n```\n');
    expect(page).not.toMatch(/<script|<b>|<i>/);
    expect(page).toContain('&lt;script&gt;');
    expect(problemPage('x', '[the list](../criteria.md#fields)')).toContain('the list (docs/criteria.md)');
  });

  it('mark keys, strings and other values of JSON, and change nothing of its text', () => {
    const json = '{"a\\"b": ["x: 1", -1.5e3, true], "c": null}';
    const html = highlightJson(json);
    const marked = [...html.matchAll(/<span class="(\w)">([^<]+)</g)].map(([, kind, text]) => `${kind} ${text}`);
    expect(marked.slice(0, 3)).toEqual(['k &quot;a\\&quot;b&quot;', 's &quot;x: 1&quot;', 'v -1.5e3']);
    expect(html.replace(/<[^>]+>/g, '').replaceAll('&quot;', '"')).toBe(json);
  });
});
