import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file for reading and writing without a name: it is gone when closed, and when the process ends, however it does. */
export async function openNamelessFile(): Promise<FileHandle> {
  const directory = await mkdtemp(join(tmpdir(), 'assets-'));
  try {
    return await open(join(directory, 'file'), 'wx+', 0o600);
  } finally {
    await rm(directory, { recursive: true });
  }
}
