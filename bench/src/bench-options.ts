/** What a run is told. */
export interface BenchOptions {
  readonly rounds: number;
  /** How long one measurement of one side lasts, in ms. */
  readonly sliceMs: number;
  /** How many assets the library holds that is searched, indexed or published. */
  readonly assets: number;
  /** How many offsets the larger of two stores holds that are read. */
  readonly offsets: number;
  /** How many requests are drained. */
  readonly backlog: number;
  /** Use the engines that run already. */
  readonly running: boolean;
  /** What goes on now, for whoever waits. */
  readonly tell: (step: string) => void;
  /** Aborted when the run is to end. */
  readonly signal: AbortSignal;
}
