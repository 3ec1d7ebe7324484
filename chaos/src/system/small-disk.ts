import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readlinkSync, statfsSync } from 'node:fs';
import { inheritedEnvironment } from '@carbon/config';

/** In memory; unused space takes none. */
const ROOMY = '4g';
const LEFT_BYTES = 1024 * 1024;

const UNSHARE = ['--mount', '--propagation', 'private'];

/**
 * Restarts this process in a mount namespace of its own, so that its mounts disappear with its last child, even after
 * an interrupted run. Returns false if that is not permitted: not root, or root of a container.
 */
export function useOwnMounts(): boolean {
  if (process.getuid?.() !== 0) return false;
  if (mountsOf('self') !== mountsOf(process.ppid)) return true;
  if (spawnSync('unshare', [...UNSHARE, 'true']).status !== 0) return false;
  const args = ['unshare', ...UNSHARE, process.execPath, ...process.argv.slice(1)];
  process.execve?.('/usr/bin/unshare', args, inheritedEnvironment());
  return false;
}

function mountsOf(process: number | 'self'): string {
  return readlinkSync(`/proc/${process}/ns/mnt`);
}

/** A file system in memory whose size can be changed while it is mounted. */
export class SmallDisk {
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOMY},mode=0711`, 'chaos', folder]);
  }

  /** Leaves almost no free space. */
  fill(): void {
    const { blocks, bfree, bsize } = statfsSync(this.folder);
    this.resize(String((blocks - bfree) * bsize + LEFT_BYTES));
  }

  /** Restores the free space. */
  grow(): void {
    this.resize(ROOMY);
  }

  /** Unmounts it with all its content, once no process uses it. */
  remove(): void {
    execFileSync('umount', ['--lazy', this.folder]);
  }

  private resize(size: string): void {
    execFileSync('mount', ['-o', `remount,size=${size}`, this.folder]);
  }
}
