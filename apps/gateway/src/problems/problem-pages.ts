import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type ServedFile, servedFile } from '../files/served-file.js';

/** Made by `npm run generate` from docs/problems, and beside the code wherever that runs. */
const FOLDER = new URL('../../pages/problems/', import.meta.url);
const ENDING = '.html';
/** The list of all problems. */
const LIST = 'index';

/** The page lets its own style be used, and nothing else be loaded, run or sent. */
function pageOf(html: Buffer): ServedFile {
  const style = /<style>([\s\S]*?)<\/style>/.exec(html.toString('utf8'))?.[1] ?? '';
  const only = `style-src 'sha256-${sha256(style)}'`;
  const policy = `default-src 'none'; ${only}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return servedFile(html, 'text/html; charset=utf-8', { 'content-security-policy': policy });
}

function sha256(what: string): string {
  return createHash('sha256').update(what).digest('base64');
}

/** The pages that explain problems, read once at the start: a gateway without them does not start. */
export class ProblemPages {
  private readonly pages = new Map<string, ServedFile>();

  constructor(folder: URL = FOLDER) {
    for (const file of readdirSync(folder).filter((name) => name.endsWith(ENDING))) {
      this.pages.set(file.slice(0, -ENDING.length), pageOf(readFileSync(new URL(file, folder))));
    }
    if (!this.pages.has(LIST)) throw new Error('The pages of problems are missing: npm run generate makes them');
  }

  /** The list of all. */
  list(): ServedFile | undefined {
    return this.pages.get(LIST);
  }

  /** The page of a code; undefined when there is no such code. */
  of(code: string): ServedFile | undefined {
    return code === LIST ? undefined : this.pages.get(code);
  }
}
