import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { ConfigError } from '@carbon/config';
import { HTML, JSON_TYPE, SCRIPT, type ServedFile, STYLE, servedFile } from '../static-files/served-file.js';

/** The page loads only from its own origin (images also from `data:` URLs), and has no inline scripts or styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': HTML,
  '.js': SCRIPT,
  '.css': STYLE,
  '.json': JSON_TYPE,
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

const PAGE = 'index.html';
/** Names that contain a hash of the content, such as `assets/index-B2fKx9aQ.js`. */
const HASHED = /^assets\/.+-[\w-]{8}\.\w+$/;
/** The paths of the page's views. They have no dot, so a missing file is not served as a view. */
const VIEW = /^[\w/-]*$/;

/** The files of the console, read at startup. No request reads the disk, so no path can escape the folder. */
export class ConsoleFiles {
  private readonly files: ReadonlyMap<string, ServedFile>;

  /** @throws ConfigError when the folder cannot be read or has no page */
  constructor(folder: string) {
    const names = namesIn(folder);
    if (!names.includes(PAGE)) throw invalid(`names ${folder}, which has no ${PAGE}; \`npm run build\` creates it`);
    const served = names.filter((name) => !/\.(br|gz)$/.test(name));
    this.files = new Map(served.map((name) => [name, fileOf(folder, name, new Set(names))]));
  }

  /** Returns the file at a path below `/console/`, or the page if the path is that of a view, or undefined. */
  get(path: string): ServedFile | undefined {
    return this.files.get(path) ?? (VIEW.test(path) && !path.startsWith('assets/') ? this.files.get(PAGE) : undefined);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => name.replaceAll(sep, '/'));
  } catch (error) {
    throw invalid(`names ${folder}, which cannot be read (${error instanceof Error ? error.message : error})`);
  }
}

function fileOf(folder: string, name: string, names: ReadonlySet<string>): ServedFile {
  const read = (suffix = '') => readFileSync(join(folder, `${name}${suffix}`));
  const headers = {
    ...(name === PAGE && { 'content-security-policy': POLICY }),
    ...(HASHED.test(name) && { 'cache-control': 'public, max-age=31536000, immutable' }),
  };
  return servedFile(read(), TYPES[extname(name)] ?? 'application/octet-stream', headers, {
    ...(names.has(`${name}.br`) && { br: read('.br') }),
    ...(names.has(`${name}.gz`) && { gzip: read('.gz') }),
  });
}

function invalid(message: string): ConfigError {
  return new ConfigError([{ name: 'CONSOLE_DIR', detail: message }]);
}
