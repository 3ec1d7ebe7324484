import { readdirSync, readFileSync } from 'node:fs';
import { highlightJson, LIST, problemPage } from './problem-page.js';

const SOURCES = new URL('../../../../docs/problems/', import.meta.url);
const CODES = readdirSync(SOURCES).map((file) => file.replace('.md', ''));

describe('the pages of problems', () => {
  it('load nothing, run nothing, and link only to one another and to RFCs', () => {
    const active = /<(script|link|img|iframe|object|form|base)\b|\son\w+=|url\(|@import|style="/i;
    const known = /^(\/problems|https:\/\/www\.rfc-editor\.org\/\S+)$/;
    const errors = CODES.flatMap((name) => {
      const page = problemPage(name, readFileSync(new URL(`${name}.md`, SOURCES), 'utf8'));
      const dead = [...page.matchAll(/href="([^"]*)"/g)].filter(([, address = '']) => {
        const code = /^\/problems\/(\w+)$/.exec(address)?.[1];
        return code === undefined ? !known.test(address) : !CODES.includes(code);
      });
      return [active.exec(page), ...dead].flatMap((found) => (found === null ? [] : [`${name}: ${found[0]}`]));
    });
    expect(CODES).toContain(LIST);
    expect(errors).toEqual([]);
  });

  it('show HTML in the source as text, and name a document that the gateway does not serve by its file', () => {
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
