import { closeSync, openSync, writeSync } from 'node:fs';
import { projects } from './projects.js';

const LINES_A_WRITE = 5_000;

/** Writes so many projects, one a line, as `npm run assets -- publish` takes them. */
export function writeLibrary(file: string, count: number): void {
  const out = openSync(file, 'w');
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) writeSync(out, `${lines.join('\n')}\n`);
    lines = [];
  };
  for (const project of projects(count)) {
    lines.push(JSON.stringify(project));
    if (lines.length === LINES_A_WRITE) flush();
  }
  flush();
  closeSync(out);
}
