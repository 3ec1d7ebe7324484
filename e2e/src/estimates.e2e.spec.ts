import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NewOffset } from '@carbon/client';
import {
  type EstimateView,
  estimateView,
  type OffsetView,
  offsetView,
  type ReceiptEntryView,
  retirementReceiptView,
} from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { eventsAbout } from './events.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

const LIBRARY = 'tools/assets/dist/cli.js';
const KG = 2_500;

let app: TestSystem;
beforeAll(async () => {
  app = await systemOnSharedEngines({ apps: { catalog: { instances: 0 } } });
}, 120_000);
afterAll(() => app.stop(), 60_000);

async function estimated(kgCO2e = KG): Promise<EstimateView> {
  return estimateView.parse(await app.carbon.estimates.create({ kgCO2e }));
}

/** An offset from its wish to its end. */
async function ended(wish: NewOffset): Promise<OffsetView> {
  const { id } = await app.carbon.offsets.create(wish);
  return offsetView.parse(await app.carbon.offsets.waitFor(id));
}

/** Gives an asset of the library another price, and resolves when prices are made with it. */
async function reprice(asset: string, price: number): Promise<void> {
  const before = await estimated();
  const known = JSON.parse((await app.command(LIBRARY, 'show', asset)).stdout) as object;
  const file = join(app.system.dir, 'repriced.ndjson');
  writeFileSync(file, `${JSON.stringify({ ...known, price })}\n`);
  await app.command(LIBRARY, 'publish', file);
  await eventually(async () => expect((await estimated()).cost).not.toBe(before.cost));
}

describe('an estimate', () => {
  let estimate: EstimateView;

  it('is made at the prices of now, and read as it was made', async () => {
    estimate = await estimated();
    expect(estimate).toMatchObject({ kgCO2e: KG, credits: 2.5, currency: 'USD' });
    expect(estimate.allocations.map(({ credits }) => credits).reduce((sum, credits) => sum + credits)).toBe(2.5);
    expect(await app.carbon.estimates.get(estimate.id)).toEqual(estimate);
  });

  it('is what an offset of it costs, whatever the price is by then', async () => {
    await reprice(estimate.allocations[0]?.asset ?? '', 999.5);
    const offset = await ended({ kgCO2e: KG, estimateId: estimate.id });
    expect(offset).toMatchObject({ status: 'completed', estimateId: estimate.id, cost: estimate.cost });
    expect(offset.retirements).toEqual(estimate.allocations);
  });

  it('serves no second offset', async () => {
    const offset = await ended({ kgCO2e: KG, estimateId: estimate.id });
    expect(offset).toMatchObject({ status: 'failed', creditsMatched: 0, retirements: [] });
    expect(offset.failure?.code).toBe('estimate_used');
  });

  it('serves no other weight, and is free after that for its own', async () => {
    const other = await estimated();
    const wrong = await ended({ kgCO2e: KG + 1, estimateId: other.id });
    expect([wrong.status, wrong.failure?.code]).toEqual(['failed', 'estimate_mismatch']);
    expect(await ended({ kgCO2e: KG, estimateId: other.id })).toMatchObject({ status: 'completed', cost: other.cost });
  });
});

describe('the receipt of an offset', () => {
  it('can be computed again hash by hash, each entry from the one before it', async () => {
    const [one, next] = [await ended({ kgCO2e: 1234.567 }), await ended({ kgCO2e: 0.001 })];
    const [entries, later] = [await receiptOf(one), await receiptOf(next)];
    expect(entries.map(({ credits }) => credits)).toEqual([1.234567]);
    expect(later.map(({ credits }) => credits)).toEqual([0.000001]);
    expect(later[0]?.sequence).toBe((entries[0]?.sequence ?? 0) + 1);
    expect(later[0]?.previousHash).toBe(entries[0]?.hash);
    for (const [offset, entry] of [[one, entries[0]] as const, [next, later[0]] as const]) {
      expect(entry?.hash).toBe(entry && hashOf(offset.id, entry));
    }
  });

  it('has the hashes that went out with the event', async () => {
    const offset = await ended({ kgCO2e: 5 });
    const entries = await receiptOf(offset);
    await eventually(async () => {
      const [event] = await eventsAbout(app.kafka, 'offset.completed', offset.id);
      expect(event).toMatchObject({ retirements: entries.map(({ asset, hash }) => ({ asset, hash })) });
    });
  });

  it('is empty for an offset that failed', async () => {
    const offset = await ended({ kgCO2e: 1, estimateId: 'none' });
    expect(await receiptOf(offset)).toEqual([]);
  });
});

async function receiptOf({ id }: OffsetView): Promise<readonly ReceiptEntryView[]> {
  const { offset, entries } = retirementReceiptView.parse(await app.carbon.offsets.receipt(id));
  expect(offset).toBe(id);
  return entries;
}

/** As the page about receipts has it, and not as the service computes it. */
function hashOf(offset: string, { asset, at, credits, price, sequence, previousHash }: ReceiptEntryView): string {
  const whole = (decimal: number) => String(Math.round(decimal * 1e6));
  const text =
    `{"asset":"${asset}","at":"${at}","grams":"${whole(credits)}","offset":"${offset}",` +
    `"priceMicros":"${whole(price)}","sequence":"${sequence}"}`;
  return createHash('sha256').update(Buffer.from(previousHash, 'hex')).update(text).digest('hex');
}

describe('after all that', () => {
  it('every gram is accounted for, and nothing is in a dead-letter topic', async () => {
    await expect(app.audit()).resolves.toBeUndefined();
    expect(await app.deadLetters()).toEqual({});
  });
});
