/** What a metric's values mean to Prometheus. */
export type MetricKind = 'counter' | 'gauge' | 'histogram';

/**
 * One metric, said as data: what the code counts with and what the documents list are the same. `L` are its labels'
 * names.
 */
export interface MetricDefinition<K extends MetricKind = MetricKind, L extends string = string> {
  readonly kind: K;
  /** The whole name, in base units: `carbon_gateway_publish_duration_seconds`. */
  readonly name: string;
  readonly help: string;
  /** By name what each label's values are. Never anything a client chooses: every value is a series for ever. */
  readonly labels: Readonly<Record<L, string>>;
  /** Of a histogram: the upper bounds, rising. */
  readonly buckets?: readonly number[];
}

/** The metrics of an app or of a part that several apps have, by the names that the code knows them by. */
export type MetricTable = Readonly<Record<string, MetricDefinition>>;

type Labels<L extends string> = Readonly<Record<L, string>>;

/** Up to 10 s, for what a person or another app waits for. Seconds. */
export const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Up to an hour, for what happens in the background. Seconds. */
export const BACKGROUND_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600] as const;

/** How many at once. */
export const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000] as const;

/** What only ever grows; its name ends in `_total`. */
export function counter<L extends string = never>(
  name: `${string}_total`,
  help: string,
  labels: Labels<L> = {} as Labels<L>,
): MetricDefinition<'counter', L> {
  return { kind: 'counter', name, help, labels };
}

/** What goes up and down. It is absent until it is set: a figure that nobody knows is not 0. */
export function gauge<L extends string = never>(
  name: string,
  help: string,
  labels: Labels<L> = {} as Labels<L>,
): MetricDefinition<'gauge', L> {
  return { kind: 'gauge', name, help, labels };
}

/** How often values fell below each of some bounds, their sum and their count. */
export function histogram<L extends string = never>(
  name: string,
  help: string,
  buckets: readonly number[],
  labels: Labels<L> = {} as Labels<L>,
): MetricDefinition<'histogram', L> {
  return { kind: 'histogram', name, help, labels, buckets };
}
