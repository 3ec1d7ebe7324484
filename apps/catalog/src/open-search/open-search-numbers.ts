import type { Metrics } from '@carbon/observability';
import { openSearchMetrics } from '../catalog.metrics.js';
import { Refusal } from './refusal.js';

const OPERATIONS: Readonly<Record<string, string>> = { _search: 'search', _msearch: 'figures', _bulk: 'bulk' };

/** Counts the questions to OpenSearch and what becomes of them. */
export class OpenSearchNumbers {
  private readonly instruments;

  constructor(metrics: Metrics) {
    this.instruments = metrics.of(openSearchMetrics);
  }

  /** @param begun by the process's own clock; milliseconds */
  answered(path: string, begun: number): void {
    this.observe(operationOf(path), 'answered', begun);
  }

  /** @param abandoned whether nobody waited for the answer any more */
  failed(path: string, begun: number, error: unknown, abandoned: boolean): void {
    const operation = operationOf(path);
    if (error instanceof Refusal) this.instruments.refusals.add(1, { operation, type: error.type });
    const outcome = error instanceof Refusal ? 'refused' : abandoned ? 'abandoned' : 'outage';
    this.observe(operation, outcome, begun);
  }

  private observe(operation: string, outcome: string, begun: number): void {
    this.instruments.duration.observe((performance.now() - begun) / 1_000, { operation, outcome });
  }
}

function operationOf(path: string): string {
  return OPERATIONS[path.slice(path.lastIndexOf('/') + 1)] ?? 'other';
}
