import type { Fault } from '../fault.js';

const FULL_MS = 6_000;

/** Full disks. */
export const faults: readonly Fault[] = (['kafka', 'postgres'] as const).map((engine) => ({
  name: `full-disk-${engine}`,
  does: `the disk of ${engine === 'kafka' ? 'one broker' : 'PostgreSQL'} is full`,
  times: { full: 2 },
  needs: ['mounts'],
  inject: async ({ system, pause }) => {
    const disk = system.engines.disks?.[engine];
    const [part] = system.parts(engine);
    if (disk === undefined || part === undefined) throw new Error(`${engine} has no disk of its own`);
    disk.fill();
    try {
      await pause(FULL_MS);
    } finally {
      disk.grow();
    }
    // Kafka exits when its only folder fails, and the launcher may have given up on it; from now on it must start.
    await part.start().catch(() => part.start());
  },
}));
