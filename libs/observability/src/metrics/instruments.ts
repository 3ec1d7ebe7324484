import * as prometheus from 'prom-client';
import type { MetricDefinition, MetricKind, MetricTable } from './metric-definition.js';

/** The values of a metric's labels, after the value itself; nothing for a metric without labels. */
export type LabelValues<L extends string> = [L] extends [never] ? [] : [labels: Readonly<Record<L, string>>];

/** Counts. */
export interface Counter<L extends string = never> {
  /** 0 only makes the series, so that its first step is seen as one. */
  add(by: number, ...labels: LabelValues<L>): void;
}

/** Shows what is. */
export interface Gauge<L extends string = never> {
  set(value: number, ...labels: LabelValues<L>): void;
  /** A value that is not shown yet. */
  reading(value: number, ...labels: LabelValues<L>): Reading;
}

/** What a gauge may be told, and what it may be made to forget: a figure that nobody knows any more is absent. */
export interface Reading {
  show(): void;
  hide(): void;
}

/** Notes how large things were. */
export interface Histogram<L extends string = never> {
  observe(value: number, ...labels: LabelValues<L>): void;
}

/** What a definition becomes once it is registered. */
export type InstrumentOf<D> =
  D extends MetricDefinition<'counter', infer L>
    ? Counter<L>
    : D extends MetricDefinition<'gauge', infer L>
      ? Gauge<L>
      : D extends MetricDefinition<'histogram', infer L>
        ? Histogram<L>
        : never;

/** A table of definitions as instruments. */
export type InstrumentsOf<T extends MetricTable> = { readonly [N in keyof T]: InstrumentOf<T[N]> };

/** So many combinations of label values one metric may have; a mistake in a label's values must not fill the memory. */
export const MOST_SERIES = 500;
/** What further ones are counted as. */
const OTHER = 'other';

type Values = Readonly<Record<string, string>>;

/** Registers a metric. Further combinations of label values than MOST_SERIES become `other`. */
export function instrument(definition: MetricDefinition, registry: prometheus.Registry): object {
  return makers[definition.kind](definition, registry);
}

const makers: Readonly<Record<MetricKind, typeof instrument>> = {
  counter: (definition, registry) => {
    const metric = new prometheus.Counter(configOf(definition, registry));
    const bounded = bound(definition);
    return { add: (by: number, labels?: Values) => metric.inc(bounded(labels), by) };
  },
  gauge: (definition, registry) => {
    const metric = new prometheus.Gauge(configOf(definition, registry));
    const bounded = bound(definition);
    // Without labels it begins with 0, which would be a statement.
    if (Object.keys(definition.labels).length === 0) metric.remove();
    return {
      set: (value: number, labels?: Values) => metric.set(bounded(labels), value),
      reading: (value: number, labels?: Values) => {
        const series = bounded(labels);
        return { show: () => metric.set(series, value), hide: () => metric.remove(series) };
      },
    };
  },
  histogram: (definition, registry) => {
    const { buckets = [] } = definition;
    const metric = new prometheus.Histogram({ ...configOf(definition, registry), buckets: [...buckets] });
    const bounded = bound(definition);
    return { observe: (value: number, labels?: Values) => metric.observe(bounded(labels), value) };
  },
};

function configOf({ name, help, labels }: MetricDefinition, registry: prometheus.Registry) {
  return { name, help, labelNames: Object.keys(labels), registers: [registry] };
}

function bound({ labels }: MetricDefinition): (values?: Values) => Values {
  const names = Object.keys(labels);
  const others = Object.fromEntries(names.map((name) => [name, OTHER]));
  const seen = new Set<string>();
  return (values = {}) => {
    if (names.length === 0) return values;
    let key = '';
    for (const name of names) key += `${values[name]}\n`;
    if (seen.has(key)) return values;
    if (seen.size >= MOST_SERIES) return others;
    seen.add(key);
    return values;
  };
}
