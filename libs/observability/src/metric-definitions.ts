import type { Counter, Gauge, Histogram } from 'prom-client';

/** The type of a metric in Prometheus. */
export type MetricKind = 'counter' | 'gauge' | 'histogram';

/** The definition of one metric, from which the code registers it and docs/metrics.md lists it. */
export interface MetricDefinition<K extends MetricKind = MetricKind, L extends string = string> {
  readonly kind: K;
  /** The full name in base units: `carbon_gateway_publish_duration_seconds`. */
  readonly name: string;
  readonly help: string;
  /** The values of each label, in words. Never anything a client chooses, because every value is a series for ever. */
  readonly labels: Readonly<Record<L, string>>;
  /** The rising upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

/** The metrics of an app, or of a part that several apps share, by the names the code uses. */
export type MetricTable = Readonly<Record<string, MetricDefinition>>;

/** The prom-client metrics of a table. */
export type MetricsOf<T extends MetricTable> = {
  readonly [N in keyof T]: T[N] extends MetricDefinition<infer K, infer L>
    ? { counter: Counter<L>; gauge: Gauge<L>; histogram: Histogram<L> }[K]
    : never;
};

/** Buckets up to 10 s, for requests. Seconds. */
export const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** Buckets up to an hour, for background work. Seconds. */
export const BACKGROUND_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600] as const;
/** Buckets of batch sizes. */
export const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000] as const;

type Labels<L extends string> = Readonly<Record<L, string>>;

/** Defines a counter; its name ends in `_total`. */
export function counter<L extends string = never>(
  name: `${string}_total`,
  help: string,
  labels: Labels<L> = {} as Labels<L>,
): MetricDefinition<'counter', L> {
  return { kind: 'counter', name, help, labels };
}

/** Defines a gauge. It is absent until it is set: an unknown value is not 0. */
export function gauge<L extends string = never>(
  name: string,
  help: string,
  labels: Labels<L> = {} as Labels<L>,
): MetricDefinition<'gauge', L> {
  return { kind: 'gauge', name, help, labels };
}

/** Defines a histogram with the upper bounds of its buckets. */
export function histogram<L extends string = never>(
  name: string,
  help: string,
  buckets: readonly number[],
  labels: Labels<L> = {} as Labels<L>,
): MetricDefinition<'histogram', L> {
  return { kind: 'histogram', name, help, labels, buckets };
}
