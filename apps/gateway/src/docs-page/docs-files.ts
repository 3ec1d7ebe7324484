import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type ServedFile, servedFile } from '../files/served-file.js';

const require = createRequire(import.meta.url);

/** Ours, beside the code wherever that runs. */
const OWN = new URL('../../docs-page/', import.meta.url);
/** Swagger UI's, out of its package. */
const SWAGGER_UI = pathToFileURL(require.resolve('swagger-ui-dist/package.json'));

/** The page loads and asks only where it comes from, and runs no script that stands in it. `data:`: icons in the styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** What the page is made of, by name, and where it lies. Nothing else can be asked for. */
const FILES = {
  'page.css': [OWN, STYLE],
  'start.js': [OWN, SCRIPT],
  'swagger-ui.css': [SWAGGER_UI, STYLE],
  'swagger-ui-bundle.js': [SWAGGER_UI, SCRIPT],
  'favicon-32x32.png': [SWAGGER_UI, 'image/png'],
} as const satisfies Readonly<Record<string, readonly [URL, string]>>;

/** The page about the API and all it needs, read once at the start: a gateway without them does not start. */
export class DocsFiles {
  readonly page = servedFile(readFileSync(new URL('index.html', OWN)), HTML, { 'content-security-policy': POLICY });
  private readonly files: ReadonlyMap<string, ServedFile> = new Map(
    Object.entries(FILES).map(([name, [from, type]]) => [name, servedFile(readFileSync(new URL(name, from)), type)]),
  );

  /** A file of the page; undefined when it has none of this name. */
  of(name: string): ServedFile | undefined {
    return this.files.get(name);
  }
}
