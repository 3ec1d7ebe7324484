import { chownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineUser } from '../engines/run-as.js';

/** Gives these folders and the files directly in them to the engine's user; what lies deeper the engine made itself. */
export function giveTree(folders: readonly string[], user: EngineUser | undefined): void {
  if (user === undefined) return;
  for (const folder of folders) {
    chownSync(folder, user.uid, user.gid);
    for (const name of readdirSync(folder)) {
      if (lstatSync(join(folder, name)).isFile()) chownSync(join(folder, name), user.uid, user.gid);
    }
  }
}
