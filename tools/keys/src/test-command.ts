import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type KeyFile, readKeyFile } from '@carbon/keys';
import { type Ran, runToEnd } from '@carbon/testing';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** The command when it has ended. */
export interface RanKeys extends Ran {
  /** Its output, a line of JSON each. */
  readonly lines: Record<string, unknown>[];
}

/** A key file in a folder of its own, and the built command to work on it. */
export class TestKeys {
  readonly folder = mkdtempSync(join(tmpdir(), 'keys-command-'));
  readonly path = join(this.folder, 'inner', 'keys.json');

  /** What the file holds. */
  get file(): KeyFile {
    return readKeyFile(readFileSync(this.path, 'utf8'));
  }

  /** Runs the command to its end. */
  run(...args: readonly string[]): Promise<RanKeys> {
    return this.spawned(process.execPath, [CLI, ...args]);
  }

  /** The same where no file may become longer than 512 or 1,024 bytes, as the shell counts: as on a disk nearly full. */
  runWithoutRoom(...args: readonly string[]): Promise<RanKeys> {
    return this.spawned('/bin/sh', ['-c', 'ulimit -f 1 && exec "$0" "$@"', process.execPath, CLI, ...args]);
  }

  private async spawned(command: string, args: readonly string[]): Promise<RanKeys> {
    const ran = await runToEnd(command, args, { environment: { API_KEYS_FILE: this.path }, cwd: this.folder });
    return {
      ...ran,
      get lines() {
        const lines = ran.out.split('\n').filter((line) => line !== '');
        return lines.map((line): Record<string, unknown> => JSON.parse(line));
      },
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
