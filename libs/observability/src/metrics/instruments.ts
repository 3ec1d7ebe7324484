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
    const series = new SeriesTable(definition, (labels) => ({ labels, since: 0 }));
    const collect = function (this: prometheus.Counter) {
      for (const one of series.all()) {
        this.inc(one.labels, one.since);
        one.since = 0;
      }
    };
    // Counted here, and told when somebody looks: prom-client looks for the series by all of its labels at every step.
    new prometheus.Counter({ ...configOf(definition, registry), collect });
    return {
      add: (by: number, labels?: Values) => {
        // Told later it would fail every look at the metrics, and nobody would know whose mistake it was.
        if (!(by >= 0)) throw new RangeError(`${definition.name} cannot count ${by}.`);
        series.of(labels).since += by;
      },
    };
  },
  gauge: (definition, registry) => {
    const metric = new prometheus.Gauge(configOf(definition, registry));
    const series = new SeriesTable(definition, (labels) => labels);
    // Without labels it begins with 0, which would be a statement.
    if (Object.keys(definition.labels).length === 0) metric.remove();
    return {
      set: (value: number, labels?: Values) => metric.set(series.of(labels), value),
      reading: (value: number, labels?: Values) => {
        const shown = series.of(labels);
        return { show: () => metric.set(shown, value), hide: () => metric.remove(shown) };
      },
    };
  },
  histogram: (definition, registry) => {
    const { buckets = [] } = definition;
    const metric = new prometheus.Histogram({ ...configOf(definition, registry), buckets: [...buckets] });
    const series = new SeriesTable(definition, (labels) => labels);
    return { observe: (value: number, labels?: Values) => metric.observe(series.of(labels), value) };
  },
};

function configOf({ name, help, labels }: MetricDefinition, registry: prometheus.Registry) {
  return { name, help, labelNames: Object.keys(labels), registers: [registry] };
}

/** What is kept of each combination of a metric's label values; of those that are too many, together. */
class SeriesTable<S> {
  private readonly names: readonly string[];
  private readonly known = new Map<string, S>();
  private others: S | undefined;

  constructor(
    { labels }: MetricDefinition,
    private readonly make: (labels: Values) => S,
  ) {
    this.names = Object.keys(labels);
  }

  of(labels: Values = {}): S {
    let key = '';
    for (const name of this.names) key += `${labels[name]}\n`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (this.known.size >= MOST_SERIES) return this.other();
    const made = this.make(labels);
    this.known.set(key, made);
    return made;
  }

  all(): S[] {
    return this.others === undefined ? [...this.known.values()] : [...this.known.values(), this.others];
  }

  private other(): S {
    this.others ??= this.make(Object.fromEntries(this.names.map((name) => [name, OTHER])));
    return this.others;
  }
}
