import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { eventually, figureOf, type MetricFamily, readExposition } from '@carbon/testing';
import { acceptedId } from './load/client.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

const APPS = ['gateway', 'offsets', 'catalog'] as const;
const textOf = (file: string) => readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8');

let app: TestSystem;
beforeAll(async () => {
  app = await systemOnSharedEngines();
}, 120_000);
afterAll(() => app.stop());

async function metricsOf(name: (typeof APPS)[number]): Promise<Map<string, MetricFamily>> {
  return readExposition(await (await fetch(`${app.system.urls[name]}/metrics`)).text());
}

describe('the metrics of a running system', () => {
  it('hold every one that the alarms and the runbook speak of', async () => {
    const exposed = new Set((await Promise.all(APPS.map(metricsOf))).flatMap((families) => [...families.keys()]));
    const text = textOf('infra/prometheus/alerts.yml') + textOf('docs/runbook.md') + textOf('docs/metrics.md');
    const named = [...text.matchAll(/\b(?:carbon|process|nodejs)_[a-z0-9_]+[a-z0-9]\b/g)].map(([name]) => name);
    const missing = named.map((name) => name.replace(/_(bucket|sum|count)$/, '')).filter((name) => !exposed.has(name));
    expect([...new Set(missing)]).toEqual([]);
    expect(named.length).toBeGreaterThan(100);
  });

  it('follow one offset from the gateway to its announcement', async () => {
    const answer = await app.client.createOffset({ kgCO2e: 10 });
    expect(answer.kind === 'answer' ? acceptedId(answer.body) : undefined).toMatch(/^off_/);
    await eventually(
      async () => {
        const [gateway, offsets] = await Promise.all([metricsOf('gateway'), metricsOf('offsets')]);
        expect(figureOf(gateway, 'carbon_gateway_offsets_accepted_total')).toBe(1);
        expect(figureOf(offsets, 'carbon_offsets_recorded_total', { status: 'queued' })).toBe(1);
        expect(figureOf(offsets, 'carbon_offsets_settled_duration_seconds_count', { status: 'completed' })).toBe(1);
        const published = { topic: 'offset.completed', outcome: 'confirmed' };
        expect(figureOf(offsets, 'carbon_offsets_publish_duration_seconds_count', published)).toBe(1);
        expect(figureOf(offsets, 'carbon_offsets_outbox_unsent_rows')).toBe(0);
      },
      { within: 20_000 },
    );
  });
});
