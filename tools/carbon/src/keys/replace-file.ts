import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { CannotDo } from '@carbon/terminal';

/** Only its owner may read it: it names accounts, though it holds no secret. */
const PRIVATE = 0o600;

/**
 * Puts a text in the place of a file, with its owner, group and mode. Whoever reads it sees all of the text or what was
 * there, which a failure leaves.
 *
 * @throws CannotDo when the owner and group cannot be kept: the gateway might read the file no more, or others might
 */
export function replaceFile(path: string, text: string): void {
  const before = statSync(path, { throwIfNoEntry: false });
  const fresh = `${path}.${process.pid}.new`;
  try {
    write(fresh, text, before);
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

function write(path: string, text: string, before: Stats | undefined): void {
  rmSync(path, { force: true });
  const handle = openSync(path, 'wx', PRIVATE);
  try {
    // Not writeSync: on a disk that is nearly full it writes a beginning, and only its result tells.
    writeFileSync(handle, text);
    if (before !== undefined) passOn(before, handle);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The owner first: a mode may be meant for that group alone. */
function passOn({ uid, gid, mode }: Stats, handle: number): void {
  const own = fstatSync(handle);
  try {
    if (own.uid !== uid || own.gid !== gid) fchownSync(handle, uid, gid);
    fchmodSync(handle, mode & 0o777);
  } catch {
    throw new CannotDo(`the key file belongs to ${uid}:${gid} and would no more; run the command as that user`);
  }
}
