import type { BenchOptions } from './bench-options.js';
import type { Findings } from './figures/results-file.js';
import type { Stage } from './stage/stage.js';

/**
 * Measures one thing.
 * @param stage starts the engines when it is first called; all benches of a run share them
 */
export type Bench = (options: BenchOptions, stage: () => Promise<Stage>) => Promise<Findings>;
