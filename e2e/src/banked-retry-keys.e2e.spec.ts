import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimateView, type OffsetView, offsetView, timeInId } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import pg from 'pg';
import type { Answer } from './load/client.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

const LIBRARY = 'tools/assets/dist/cli.js';
const KG = 1_000;
/** How many requests the gateway lets wait for Kafka; it refuses more at once, as `not_accepted`. */
const IN_FLIGHT = 4;
/** An offset may be so much later than its estimate expires. */
const GRACE_MS = 5_000;

/** A request that was refused, with the key that was handed out for its retry. */
interface Banked {
  readonly body: { readonly kgCO2e: number; readonly estimateId?: string };
  readonly retryKey: string;
}

let app: TestSystem;
beforeAll(async () => {
  const environment = { ACCEPT_IN_FLIGHT: String(IN_FLIGHT) };
  app = await systemOnSharedEngines({ ownKafka: true, apps: { catalog: { instances: 0 }, gateway: { environment } } });
}, 120_000);
afterAll(() => app.stop(), 60_000);

const estimated = async () => estimateView.parse(await app.carbon.estimates.create({ kgCO2e: KG }));
const ended = async (id: string): Promise<OffsetView> => offsetView.parse(await app.carbon.offsets.waitFor(id));

/** What was refused with nothing sent. */
function banked(body: Banked['body'], answer: Answer): Banked[] {
  const problem = answer.kind === 'answer' ? (answer.body as { code?: string; retryKey?: string }) : {};
  return problem.code === 'not_accepted' ? [{ body, retryKey: String(problem.retryKey) }] : [];
}

async function collect(body: Banked['body'], count: number): Promise<Banked[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => app.client.createOffset(body)));
  return answers.flatMap((answer) => banked(body, answer));
}

/** Has an estimate expire just in time for what was accepted at this moment, and too early for all that comes later. */
async function expireAt(estimate: string, acceptedAt: number): Promise<void> {
  const sql = new pg.Client({ connectionString: app.system.urls.databaseUrl });
  await sql.connect();
  try {
    const expiresAt = new Date(acceptedAt - GRACE_MS);
    const dates = `SET created_at = $2::timestamptz - interval '1 day', expires_at = $2`;
    const { rowCount } = await sql.query(`UPDATE estimates ${dates} WHERE id = $1`, [estimate, expiresAt]);
    expect(rowCount).toBe(1);
  } finally {
    await sql.end();
  }
}

/** Raises the price of an asset of the library, and resolves when offsets would pay it. */
async function raisePrice(asset: string, price: number): Promise<void> {
  const before = await estimated();
  const known = JSON.parse((await app.command(LIBRARY, 'show', asset)).stdout) as object;
  const file = join(app.system.dir, 'raised.ndjson');
  writeFileSync(file, `${JSON.stringify({ ...known, price })}\n`);
  await app.command(LIBRARY, 'publish', file);
  await eventually(async () => expect((await estimated()).cost).not.toBe(before.cost));
}

/** Spends a key until it is accepted. */
const spent = ({ body, retryKey }: Banked) =>
  eventually(() => app.carbon.offsets.create(body, { idempotencyKey: retryKey }), { within: 30_000 });

describe('retry keys that are collected, and spent when the price has risen', () => {
  let cost: number;
  let keys: { readonly plain: Banked; readonly held: Banked; readonly estimate: string }[];

  it('are handed out by an overload and by an outage', async () => {
    const [busy, away] = [await estimated(), await estimated()];
    cost = busy.cost;
    const kafka = app.system.part('kafka');
    const bodies = (estimateId: string): Banked['body'][] => [{ kgCO2e: KG }, { kgCO2e: KG, estimateId }];
    const collected: Banked[][] = [];

    await kafka.kill('SIGSTOP');
    const filling = collect({ kgCO2e: 0.001 }, IN_FLIGHT);
    for (const body of bodies(busy.id)) {
      collected.push(await eventually(async () => atLeastOne(await collect(body, 1)), { within: 4_000 }));
    }
    await kafka.kill('SIGCONT');
    await filling;

    await kafka.stop();
    for (const body of bodies(away.id)) {
      collected.push(await eventually(async () => atLeastOne(await collect(body, 1)), { within: 60_000 }));
    }
    await kafka.start();
    // A process that lost Kafka may begin anew, and prices nothing until it knows the supply.
    await eventually(estimated);

    const [[plain] = [], [held] = [], [plainAway] = [], [heldAway] = []] = collected;
    keys = [
      { plain: known(plain), held: known(held), estimate: busy.id },
      { plain: known(plainAway), held: known(heldAway), estimate: away.id },
    ];
  }, 120_000);

  it('buy at the price of the day on which they are spent, and stand where they arrived', async () => {
    const [asset = ''] = (await estimated()).allocations.map((allocation) => allocation.asset);
    await raisePrice(asset, 999.5);
    for (const { estimate, held } of keys) await expireAt(estimate, timeInId(held.retryKey) ?? 0);
    const today = (await estimated()).cost;
    expect(today).not.toBe(cost);

    const arrived = [await ended((await eventually(() => app.carbon.offsets.create({ kgCO2e: KG }))).id)];
    const createdFrom = arrived[0]?.createdAt ?? '';
    for (const { plain, held } of keys) {
      const { id } = await spent(plain);
      expect(id).toBe(plain.retryKey);
      arrived.push(await ended(id));
      expect(arrived.at(-1)).toMatchObject({ status: 'completed', cost: today });
      arrived.push(await ended((await spent(held)).id));
      expect(arrived.at(-1)).toMatchObject({ status: 'failed', failure: { code: 'estimate_expired' } });
    }
    const times = arrived.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort());
    const { items } = await app.carbon.offsets.list({ createdFrom, limit: 100 }).page();
    const large = items.filter(({ kgCO2e }) => kgCO2e === KG);
    expect(large.map(({ id }) => id)).toEqual(arrived.map(({ id }) => id).reverse());
  }, 120_000);

  it('leave nothing unaccounted for', async () => {
    await expect(app.audit()).resolves.toBeUndefined();
    expect(await app.deadLetters()).toEqual({});
  });
});

function atLeastOne(some: Banked[]): Banked[] {
  if (some.length === 0) throw new Error('It was not refused as not_accepted.');
  return some;
}

function known(one: Banked | undefined): Banked {
  if (one === undefined) throw new Error('No key was handed out.');
  return one;
}
