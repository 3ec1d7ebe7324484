import { readFileSync } from 'node:fs';
import { PROBLEMS, type ProblemCode } from '@carbon/http';
import { Marked } from 'marked';

/** The name of the list of all problems in docs/problems. */
export const LIST = 'README';

/** Inlined in each page, so that one request shows a whole page. */
const STYLE = readFileSync(new URL('../../docs-page/problem.css', import.meta.url), 'utf8').trim();
const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Raw HTML in the Markdown is shown as text. */
const markdown = new Marked({
  renderer: {
    html: ({ text }) => (text.startsWith('<!--') ? '' : escapeHtml(text)),
    code: ({ text, lang }) => `<pre><code>${lang === 'json' ? highlightJson(text) : escapeHtml(text)}</code></pre>\n`,
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const url = urlOf(href);
      return url === undefined ? `${text} (${escapeHtml(fileOf(href))})` : `<a href="${escapeHtml(url)}">${text}</a>`;
    },
    table(token) {
      const cells = (row: typeof token.header, tag: string) =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>\n`).join('');
      const head = `<thead><tr>${cells(token.header, 'th')}</tr></thead>`;
      return `<div class="wide"><table>${head}\n<tbody>\n${rows}</tbody></table></div>\n`;
    },
  },
});

/**
 * Renders a page of docs/problems as HTML that loads nothing.
 * @param code the file's name without `.md`
 */
export function problemPage(code: string, text: string): string {
  const problem = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as ProblemCode] : undefined;
  const isList = code === LIST;
  const body = String(markdown.parse(text, { async: false }));
  const titled =
    problem === undefined ? body : body.replace(/<\/h1>\n<p>Status \d{3}\. /, `</h1>\n${titleOf(problem)}<p>`);
  const breadcrumb = isList ? 'Problems' : '<a href="/problems">Problems</a>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${isList ? 'Problems' : `${code} · Problems`}</title>
<style>${STYLE}</style>
</head>
<body>
<header>Carbon offsets API · ${breadcrumb}</header>
<main>
${titled}</main>
<footer>${isList ? 'A problem’s <code>type</code> is the URL of its page here.' : '<a href="/problems">All problems</a>'}</footer>
</body>
</html>
`;
}

/** Returns JSON as HTML, with keys, strings and other values marked. */
export function highlightJson(json: string): string {
  let html = '';
  let end = 0;
  for (const match of json.matchAll(JSON_TOKEN)) {
    const [token, text, colon] = match;
    const kind = text === undefined ? 'v' : colon === undefined ? 's' : 'k';
    html += `${escapeHtml(json.slice(end, match.index))}<span class="${kind}">${escapeHtml(text ?? token)}</span>${colon ?? ''}`;
    end = match.index + token.length;
  }
  return html + escapeHtml(json.slice(end));
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Returns the gateway's URL of a link, or undefined for a document that it does not serve. */
function urlOf(href: string): string | undefined {
  if (/^https?:/.test(href)) return href;
  const page = /^([a-zA-Z_]+)\.md$/.exec(href)?.[1];
  if (page === undefined) return undefined;
  return page === LIST ? '/problems' : `/problems/${page}`;
}

/** Returns the file of the repository that a relative link means. */
function fileOf(href: string): string {
  return href.replace(/^\.\.\//, 'docs/').replace(/#.*$/, '');
}

function titleOf({ status, title }: { readonly status: number; readonly title: string }): string {
  return `<p class="title"><span class="status">${status}</span>${escapeHtml(title)}</p>\n`;
}
