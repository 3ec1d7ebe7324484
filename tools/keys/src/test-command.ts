import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '@carbon/config';
import { type KeyFile, readKeyFile } from '@carbon/keys';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** A command that has ended. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
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
  run(...args: readonly string[]): Promise<Ran> {
    return this.spawned(process.execPath, [CLI, ...args]);
  }

  /** The same where no file may become longer than 512 or 1,024 bytes, as the shell counts: as on a disk nearly full. */
  runWithoutRoom(...args: readonly string[]): Promise<Ran> {
    return this.spawned('/bin/sh', ['-c', 'ulimit -f 1 && exec "$0" "$@"', process.execPath, CLI, ...args]);
  }

  private async spawned(command: string, args: readonly string[]): Promise<Ran> {
    const environment = { ...inheritedEnvironment(), API_KEYS_FILE: this.path };
    const child = spawn(command, args, { env: environment, cwd: this.folder });
    const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return {
      code,
      out,
      err,
      get lines() {
        const lines = out.split('\n').filter((line) => line !== '');
        return lines.map((line): Record<string, unknown> => JSON.parse(line));
      },
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
