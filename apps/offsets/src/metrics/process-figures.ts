import { Metrics } from '@carbon/observability';
import { Injectable } from '@nestjs/common';
import { poolMetrics, registryMetrics } from '../offsets.metrics.js';
import { Database } from '../persistence/database.js';
import { HttpRegistry } from '../registry/http-registry.js';
import { Registry } from '../registry/registry.js';

const OUTCOMES = ['retired', 'refused', 'unknown'] as const;

/** Shows what the process knows by itself, whenever somebody looks: its connections, and how the registry fares. */
@Injectable()
export class ProcessFigures {
  constructor(metrics: Metrics, database: Database, registry: Registry) {
    const { connections, limit, waiting } = metrics.of(poolMetrics);
    metrics.onScrape(() => {
      const pool = database.pool;
      if (pool === undefined) return;
      connections.set(pool.idle, { state: 'idle' });
      connections.set(pool.total - pool.idle, { state: 'busy' });
      limit.set(pool.most);
      waiting.set(pool.waiting);
    });
    if (registry instanceof HttpRegistry) showRegistry(metrics, registry);
    else metrics.of(registryMetrics);
  }
}

function showRegistry(metrics: Metrics, { tally, breaker }: HttpRegistry): void {
  const { calls, breakerOpen } = metrics.of(registryMetrics);
  const shown = { retired: 0, refused: 0, unknown: 0 };
  metrics.onScrape(() => {
    for (const outcome of OUTCOMES) {
      calls.add(tally[outcome] - shown[outcome], { outcome });
      shown[outcome] = tally[outcome];
    }
    breakerOpen.set(breaker.state === 'closed' ? 0 : 1);
  });
}
