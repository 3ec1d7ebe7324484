import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** What the figures were taken on, as far as others may know it. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly node: string;
  readonly system: string;
  /** Processes that ran or waited to, on the average of the minute before: above `cores`, others were at work too. */
  readonly loadBefore: number;
}

/** The machine as it is now. */
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

/** The same in a sentence. */
export function machineText({ cores, processor, memoryGb, node, system, loadBefore }: Machine): string {
  return `${cores} cores (${processor}), ${memoryGb} GB, ${system}, node ${node}; load before ${loadBefore}`;
}
