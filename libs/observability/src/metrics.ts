import { Logger } from '@nestjs/common';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { gauge, type MetricDefinition, type MetricsOf, type MetricTable } from './metric-definitions.js';
import { withTimeout } from './timeout.js';

/** One value of a gauge. */
export interface Sample {
  readonly gauge: Gauge<string>;
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Collects gauges that need a query, such as of a database, when Prometheus scrapes. */
export interface Collector {
  /** The value of the label `source`. */
  readonly source: string;
  readonly collect: () => Promise<readonly Sample[]>;
  /** How long a scrape waits for the samples. Milliseconds. */
  readonly timeoutMs?: number;
  /** How long samples, or a failure, are cached. Milliseconds. */
  readonly cacheMs?: number;
}

/** The metrics of an app about its collectors. */
export function collectorMetrics(app: string) {
  const help = 'Whether the last query of the collector succeeded (1) or not (0: its gauges are absent).';
  return { collectorUp: gauge(`carbon_${app}_collector_up`, help, { source: 'What was queried.' }) };
}

/** Two gauges with the name of a counter, which the linter of Prometheus rejects. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/**
 * The metrics of an app and its process, in a registry of their own, because tests run several apps in one process.
 */
export class Metrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly registry = new Registry();
  private readonly callbacks = new Set<() => void | Promise<void>>();
  private readonly up: Gauge<'source'>;

  /** @param app the app's name in the names of its metrics: `carbon_<app>_…` */
  constructor(readonly app: string) {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    this.up = this.of(collectorMetrics(app)).collectorUp;
  }

  /** Returns the prom-client metrics of a table, registered on the first call. */
  of<T extends MetricTable>(table: T): MetricsOf<T> {
    const entries = Object.entries(table).map(([key, definition]) => {
      return [key, this.registry.getSingleMetric(definition.name) ?? createMetric(definition, this.registry)];
    });
    return Object.fromEntries(entries) as MetricsOf<T>;
  }

  /** Calls `update` before each scrape, to set gauges. Returns a function that ends it. */
  onScrape(update: () => void): () => void {
    this.callbacks.add(update);
    return () => void this.callbacks.delete(update);
  }

  /** Adds a collector. Returns a function that removes it and its gauges. */
  addCollector(collector: Collector): () => void {
    const cached = new CachedCollector(collector, this.up);
    const refresh = () => cached.refresh();
    this.callbacks.add(refresh);
    return () => {
      this.callbacks.delete(refresh);
      cached.clear();
    };
  }

  /** Returns all metrics in Prometheus' text format, version 0.0.4. */
  async text(): Promise<string> {
    await Promise.all([...this.callbacks].map((update) => update()));
    // prom-client writes Nan, the format requires NaN.
    return (await this.registry.metrics()).replaceAll(/ Nan$/gm, ' NaN');
  }
}

/** The maximum label combinations of a metric: a bug in a label's values must not exhaust the memory. */
export const MAX_SERIES = 500;

type Labels = Readonly<Record<string, string | number>>;
type Update = (labels: Labels | number, value?: number) => void;

/** Further label combinations than MAX_SERIES are counted together, with every label `other`. */
function createMetric(definition: MetricDefinition, registry: Registry): Metric {
  const { kind, name, help, labels, buckets = [] } = definition;
  const labelNames = Object.keys(labels);
  const options = { name, help, labelNames, registers: [registry] };
  const limited = limitSeries(labelNames);
  const limit = (update: Update): Update => {
    return (first, value) => update(typeof first === 'object' ? limited(first) : first, value);
  };
  if (kind === 'counter') {
    const metric = new Counter(options);
    return Object.assign(metric, { inc: limit(metric.inc.bind(metric) as Update) });
  }
  if (kind === 'histogram') {
    const metric = new Histogram({ ...options, buckets: [...buckets] });
    return Object.assign(metric, { observe: limit(metric.observe.bind(metric) as Update) });
  }
  const metric = new Gauge(options);
  // prom-client starts a gauge without labels at 0.
  if (labelNames.length === 0) metric.remove();
  return Object.assign(metric, { set: limit(metric.set.bind(metric) as Update) });
}

function limitSeries(labelNames: readonly string[]): (labels: Labels) => Labels {
  const seen = new Set<string>();
  const other = Object.fromEntries(labelNames.map((name) => [name, 'other']));
  return (labels) => {
    let key = '';
    for (const name of labelNames) key += `${labels[name]}\n`;
    if (seen.has(key)) return labels;
    if (seen.size >= MAX_SERIES) return other;
    seen.add(key);
    return labels;
  };
}

const TIMEOUT_MS = 1_500;
const CACHE_MS = 5_000;

/** Runs one query at a time and caches it, so that frequent scrapes do not burden what is measured. */
class CachedCollector {
  private readonly logger = new Logger('metrics');
  private query: { readonly samples: Promise<readonly Sample[]>; expiresAt: number } | undefined;
  private current: readonly Sample[] = [];
  private isUp = true;

  constructor(
    private readonly collector: Collector,
    private readonly up: Gauge<'source'>,
  ) {}

  /** Sets the gauges, or removes them when the query fails or is late. Never rejects. */
  async refresh(): Promise<void> {
    const { source, timeoutMs = TIMEOUT_MS } = this.collector;
    try {
      this.replace(await withTimeout(timeoutMs, this.samples()));
      this.isUp = true;
    } catch (error) {
      this.replace([]);
      if (this.isUp) this.logger.warn('Cannot collect metrics', error, { name: source });
      this.isUp = false;
    }
    this.up.set({ source }, this.isUp ? 1 : 0);
  }

  clear(): void {
    this.replace([]);
    this.up.remove({ source: this.collector.source });
  }

  private replace(samples: readonly Sample[]): void {
    for (const { gauge, labels } of this.current) gauge.remove(labels ?? {});
    for (const { gauge, labels, value } of samples) gauge.set(labels ?? {}, value);
    this.current = samples;
  }

  private samples(): Promise<readonly Sample[]> {
    if (this.query === undefined || performance.now() > this.query.expiresAt) {
      const { collect, cacheMs = CACHE_MS } = this.collector;
      const query = { samples: Promise.resolve().then(collect), expiresAt: Number.POSITIVE_INFINITY };
      const cache = () => {
        query.expiresAt = performance.now() + cacheMs;
      };
      query.samples.then(cache, cache);
      this.query = query;
    }
    return this.query.samples;
  }
}
