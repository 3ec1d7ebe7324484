import type { Contender } from './contenders.js';

/** Lets a contender read texts for so long. @returns texts read in a second of the processor's time */
export type Measure = (name: Contender, texts: readonly string[], ms: number) => Promise<number>;
