import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { HTML, SCRIPT, type ServedFile, STYLE, servedFile } from '../static-files/served-file.js';

const require = createRequire(import.meta.url);

/** The gateway's own files of the documentation page. */
const DOCS_PAGE = new URL('../../docs-page/', import.meta.url);
const SWAGGER_UI = pathToFileURL(require.resolve('swagger-ui-dist/package.json'));
/** Rendered by the build from docs/problems; see build-problem-pages.ts. */
const PROBLEM_PAGES = new URL('../../dist/problems/', import.meta.url);
const LIST = 'index.html';

/** The page loads only from its own origin and runs no inline script. `data:` is for icons in the styles. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const DOCS_FILES = {
  'page.css': [DOCS_PAGE, STYLE],
  'start.js': [DOCS_PAGE, SCRIPT],
  'swagger-ui.css': [SWAGGER_UI, STYLE],
  'swagger-ui-bundle.js': [SWAGGER_UI, SCRIPT],
  'favicon-32x32.png': [SWAGGER_UI, 'image/png'],
} as const satisfies Readonly<Record<string, readonly [URL, string]>>;

/** Returns the documentation page, as '', and its files by name. Called at the start: a gateway without them does not start. */
export function docsFiles(): ReadonlyMap<string, ServedFile> {
  const page = servedFile(readFileSync(new URL('index.html', DOCS_PAGE)), HTML, {
    'content-security-policy': DOCS_POLICY,
  });
  const files = Object.entries(DOCS_FILES).map(([name, [from, type]]) => {
    return [name, servedFile(readFileSync(new URL(name, from)), type)] as const;
  });
  return new Map([['', page], ...files]);
}

/** Returns the list of problems, as '', and the pages that explain them by code. Called at the start, as well. */
export function problemPages(): ReadonlyMap<string, ServedFile> {
  return new Map(
    readdirSync(PROBLEM_PAGES).map((file) => [
      file === LIST ? '' : file.replace('.html', ''),
      problemPage(new URL(file, PROBLEM_PAGES)),
    ]),
  );
}

/** The policy allows the page's own style, and nothing else to be loaded, run or sent. */
function problemPage(file: URL): ServedFile {
  const html = readFileSync(file);
  const style = /<style>([\s\S]*?)<\/style>/.exec(html.toString('utf8'))?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return servedFile(html, HTML, { 'content-security-policy': policy });
}
