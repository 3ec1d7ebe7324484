import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { identityOf } from './process-identity.js';

/** Notes which processes belong to a part, so that a later start can end what an unlucky one left behind. */
export function writePids(file: string, guardPid: number, childPid: number): void {
  const [guard, child] = [identityOf(guardPid), identityOf(childPid)];
  if (guard === undefined || child === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify({ guard, child }));
  renameSync(`${file}.new`, file);
}

/** Takes the note away once the child has ended. */
export function forgetPids(file: string): void {
  rmSync(file, { force: true });
}
