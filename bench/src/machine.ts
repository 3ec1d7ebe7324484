import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { z } from 'zod';

/** The machine of the results, as far as it may be published. */
export const machineSchema = z.object({
  cores: z.int(),
  processor: z.string(),
  memoryGb: z.number(),
  node: z.string(),
  system: z.string(),
  /** The load average of the minute before: above `cores`, other processes were busy too. */
  loadBefore: z.number(),
});
export type Machine = z.output<typeof machineSchema>;

/** Returns the current machine. */
export function machine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(1)),
  };
}

/** Returns the same as a sentence. */
export function machineText({ cores, processor, memoryGb, node, system, loadBefore }: Machine): string {
  return `${cores} cores (${processor}), ${memoryGb} GB, ${system}, node ${node}; load before ${loadBefore}`;
}
