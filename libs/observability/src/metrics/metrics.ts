import * as prometheus from 'prom-client';
import { type FigureSource, Figures } from './figures.js';
import { type Gauge, type InstrumentsOf, instrument } from './instruments.js';
import { gauge, type MetricDefinition, type MetricTable } from './metric-definition.js';

/** Two gauges whose names say that they are counters, which Prometheus' own checks object to. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** The metrics that every app has about its own looking. */
export function figureMetrics(app: string) {
  const help =
    'Whether the figures that are asked for when somebody looks could be had (1) or not (0: they are absent).';
  return {
    figuresUp: gauge(`carbon_${app}_figures_up`, help, { source: 'What was asked for.' }),
  };
}

/**
 * An app's metrics, and its process's: made from tables of definitions, shown as text for Prometheus. One per app, with a
 * registry of its own, so that several apps of one process, as in tests, do not count together.
 */
export class Metrics {
  readonly contentType = prometheus.Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly registry = new prometheus.Registry();
  private readonly made = new Map<string, { definition: MetricDefinition; instrument: unknown }>();
  private readonly readings = new Set<() => void>();
  private readonly figures = new Set<Figures>();
  private readonly up: Gauge<'source'>;

  /** @param app the app's name in the names of its metrics: `carbon_<app>_…` */
  constructor(readonly app: string) {
    prometheus.collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    this.up = this.of(figureMetrics(app)).figuresUp;
  }

  /** The instruments of a table; those that were made before are given again. */
  of<T extends MetricTable>(table: T): InstrumentsOf<T> {
    const entries = Object.entries(table).map(([key, definition]) => [key, this.one(definition)]);
    return Object.fromEntries(entries) as InstrumentsOf<T>;
  }

  /** Has gauges set from what the process knows by itself, whenever somebody looks. Gives what ends that. */
  onScrape(read: () => void): () => void {
    this.readings.add(read);
    return () => void this.readings.delete(read);
  }

  /**
   * Has figures asked for when somebody looks, within a deadline and not too often. Gives what ends that, and takes the
   * figures back.
   */
  gather(source: FigureSource): () => void {
    const figures = new Figures(source, this.up);
    this.figures.add(figures);
    return () => {
      this.figures.delete(figures);
      figures.forget();
    };
  }

  /** All of it in Prometheus' text format, version 0.0.4. */
  async text(): Promise<string> {
    await Promise.all([...this.figures].map((figures) => figures.refresh()));
    for (const read of this.readings) read();
    // The format's word for it is NaN, as that of a mean of nothing; prom-client writes Nan.
    return (await this.registry.metrics()).replaceAll(/ Nan$/gm, ' NaN');
  }

  private one(definition: MetricDefinition): unknown {
    const before = this.made.get(definition.name);
    if (before === undefined) {
      const made = { definition, instrument: instrument(definition, this.registry) };
      this.made.set(definition.name, made);
      return made.instrument;
    }
    if (JSON.stringify(before.definition) !== JSON.stringify(definition)) {
      throw new Error(`There are two different metrics named ${definition.name}.`);
    }
    return before.instrument;
  }
}
