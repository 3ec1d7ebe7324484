import { PROBLEMS, type ProblemCode } from '@carbon/http';
import { Marked } from 'marked';
import { escaped, highlightJson } from './highlight-json.js';
import { STYLE } from './style.js';

const README = 'README';

/** Markdown of docs/problems as HTML that needs nothing but itself. Raw HTML in it is shown as text. */
const markdown = new Marked({
  renderer: {
    html: ({ text }) => (text.startsWith('<!--') ? '' : escaped(text)),
    code: ({ text, lang }) => `<pre><code>${lang === 'json' ? highlightJson(text) : escaped(text)}</code></pre>\n`,
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const address = addressOf(href);
      return address === undefined
        ? `${text} (${escaped(sourceOf(href))})`
        : `<a href="${escaped(address)}">${text}</a>`;
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

/** Where a link leads on the gateway; undefined for a document that it does not serve. */
function addressOf(href: string): string | undefined {
  if (/^https?:/.test(href)) return href;
  const page = /^([a-zA-Z_]+)\.md$/.exec(href)?.[1];
  if (page === undefined) return undefined;
  return page === README ? '/problems' : `/problems/${page}`;
}

/** The file of the repository that a link beside the pages means. */
function sourceOf(href: string): string {
  return href.replace(/^\.\.\//, 'docs/').replace(/#.*$/, '');
}

/**
 * A page of docs/problems as the gateway serves it: whole, with its style inside, and without anything that is loaded.
 * @param code the file's name without `.md`; README is the list of all
 */
export function problemPage(code: string, text: string): string {
  const fault = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as ProblemCode] : undefined;
  const isList = code === README;
  const body = String(markdown.parse(text, { async: false }));
  const titled = fault === undefined ? body : body.replace(/<\/h1>\n<p>Status \d{3}\. /, `</h1>\n${titleOf(fault)}<p>`);
  const place = isList ? 'Problems' : '<a href="/problems">Problems</a>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${isList ? 'Problems' : `${code} · Problems`}</title>
<style>${STYLE}</style>
</head>
<body>
<header>Carbon offsets API · ${place}</header>
<main>
${titled}</main>
<footer>${isList ? 'A problem’s <code>type</code> is the URL of its page here.' : '<a href="/problems">All problems</a>'}</footer>
</body>
</html>
`;
}

function titleOf({ status, title }: { readonly status: number; readonly title: string }): string {
  return `<p class="title"><span class="status">${status}</span>${escaped(title)}</p>\n`;
}
