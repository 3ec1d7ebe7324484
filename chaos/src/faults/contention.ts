import { z } from 'zod';
import type { Fault, FaultContext } from '../fault.js';

const PAIRS = 20;
const CLAIMS = 20;
/** Each requests this share of the remaining credits of an asset, so that half of the requests fail. */
const SHARE = 0.1;
const TRIES = 60;
const AGAIN_MS = 1_000;
const AT_LEAST_GRAMS = 1_000_000;
const estimate = z.object({ id: z.string(), kgCO2e: z.number() });

/** Retries until it gets a response, because another fault may have just ended. */
async function estimateOf({ system, pause }: FaultContext, body: object): Promise<z.output<typeof estimate>> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${system.apps.gateways[0]}/v1/estimates`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    if (response.status === 201) return estimate.parse(await response.json());
    const failure = `POST /v1/estimates: ${response.status} ${await response.text()}`;
    if (response.status !== 503 || tries === TRIES) throw new Error(failure);
    await pause(AGAIN_MS);
  }
}

/** Two simultaneous offsets name the same estimate: one of them gets its price, the other fails. */
async function raceForEstimates(context: FaultContext): Promise<void> {
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const { id: estimateId, kgCO2e } = await estimateOf(context, { kgCO2e: context.random.whole(1, 1_000) });
    await Promise.all([1, 2].map(() => context.load.one({ kgCO2e, estimateId })));
  }
}

/** Simultaneous offsets request twice the remaining credits of an asset, by estimates that name it. */
async function raceForSupply(context: FaultContext): Promise<void> {
  const { system, random, load } = context;
  const supplies = await system.rows<{ asset_id: string; left: string }>(
    `SELECT asset_id, (issued - reserved - retired)::text AS left FROM supply
     WHERE active AND price_micros > 0 AND issued - reserved - retired > $1 ORDER BY asset_id`,
    [AT_LEAST_GRAMS],
  );
  const { asset_id: asset, left } = random.pick(supplies);
  const kgCO2e = Math.floor((Number(left) / 1_000) * SHARE);
  const claims = await Promise.all(Array.from({ length: CLAIMS }, () => estimateOf(context, { kgCO2e, asset })));
  await Promise.all(claims.map(({ id: estimateId }) => load.one({ kgCO2e, estimateId })));
}

/** Clients that compete for the same credits. */
export const faults: readonly Fault[] = [
  {
    name: 'race-for-estimates',
    does: 'pairs of simultaneous offsets name the same estimate',
    times: { smoke: 1, ci: 1, full: 2 },
    inject: raceForEstimates,
  },
  {
    name: 'race-for-supply',
    does: 'simultaneous offsets claim twice the remaining credits of an asset',
    times: { smoke: 1, ci: 1, full: 2 },
    inject: raceForSupply,
  },
];
