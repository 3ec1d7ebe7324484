import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EMPTY_KEY_FILE, type KeyFile, KeyFileError, readKeyFile, writeKeyFile } from '@carbon/auth';
import { CannotDo } from '@carbon/terminal';
import { FileLock } from './file-lock.js';
import { replaceFile } from './replace-file.js';

const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The key file as the command sees it. */
export class KeyStore {
  constructor(private readonly path: string) {}

  /** What the file holds. @throws CannotDo when it is missing or broken, with everything that is wrong with it */
  read(): KeyFile {
    const file = this.readIfThere();
    if (file === undefined) throw new CannotDo(`there is no key file at ${this.path}; \`create\` makes one`);
    return file;
  }

  /**
   * Changes the file, which is made when it is not there. Others who change it meanwhile wait, and see what was changed;
   * whoever reads it sees all of the change or nothing of it. A change that throws changes nothing.
   *
   * @throws CannotDo when the system does not let it be changed
   */
  async change<T>(change: (file: KeyFile) => Changed<T>): Promise<T> {
    try {
      return await this.inTurn(change);
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      const reason = NO_ROOM.has(code) ? `there is no room for it on its disk (${code})` : code;
      throw new CannotDo(`${this.path} cannot be changed: ${reason}`);
    }
  }

  private async inTurn<T>(change: (file: KeyFile) => Changed<T>): Promise<T> {
    makeFolder(dirname(this.path));
    // A link stays a link: what it leads to is changed, and whoever calls that by another name waits at the same lock.
    const path = realPathOf(this.path);
    using _ = await FileLock.take(`${path}.lock`);
    const { file, result } = change(this.readIfThere(path) ?? EMPTY_KEY_FILE);
    const text = writeKeyFile(file);
    // What a reader would refuse is not written.
    readKeyFile(text);
    replaceFile(path, text);
    return result;
  }

  private readIfThere(path = this.path): KeyFile | undefined {
    try {
      return readKeyFile(readFileSync(path, 'utf8'));
    } catch (error) {
      if (error instanceof KeyFileError) throw new CannotDo(this.complaint(error));
      const code = systemCode(error);
      if (code === 'ENOENT') return undefined;
      throw new CannotDo(`${this.path} cannot be read (${code})`);
    }
  }

  private complaint({ issues: faults }: KeyFileError): string {
    const lines = faults.map(({ place, detail }) => `  ${place} ${detail}`);
    return [`${this.path} cannot be used; mend it by hand:`, ...lines].join('\n');
  }
}

interface Changed<T> {
  readonly file: KeyFile;
  readonly result: T;
}

/** The code of an error of the operating system, such as ENOENT. */
function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined;
}

/** Makes a folder and those above it. Node's `recursive` never returns where a file system such as /proc refuses with ENOENT. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** The one name of a file that is there, or will be. @throws CannotDo for a link that leads nowhere */
function realPathOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    return join(realpathSync(dirname(path)), basename(path));
  }
  throw new CannotDo(`${path} is a link that leads nowhere; remove it, or make the file that it shall lead to`);
}
