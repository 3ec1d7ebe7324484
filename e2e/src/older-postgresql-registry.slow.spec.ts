import type { OffsetView } from '@carbon/contracts';
import type { PostgresCopy } from '@carbon/local';
import { eventually } from '@carbon/testing';
import { type SeenOutcome, seenOutcomes } from './testing/outcomes.js';
import { copyStopped, onPostgres, putBack, rowsOf } from './testing/postgres-copies.js';
import { systemOnSharedEngines, type TestSystem } from './testing/system.js';
import { WitnessRegistry } from './testing/witness-registry.js';

const PATIENT = { within: 300_000, every: 500 };
const UNPUBLISHED = 'unpublished';

/** Leaves the events of some offsets unpublished, like a relay that loses Kafka when the outcome commits. */
const CUT_OFF = `
  CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.payload ->> 'customerRef' = '${UNPUBLISHED}' THEN
      IF TG_OP = 'UPDATE' THEN
        RETURN NULL;
      END IF;
      NEW.lease_token := gen_random_uuid();
      NEW.lease_until := now() + interval '8 s';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER cut_off BEFORE INSERT OR UPDATE ON outbox FOR EACH ROW EXECUTE FUNCTION cut_off()`;

const registry = new WitnessRegistry(10);
let app: TestSystem;
beforeAll(async () => {
  const environment = { REGISTRY_URL: await registry.start() };
  const apps = { catalog: { instances: 0 }, offsets: { instances: 2, environment } };
  app = await systemOnSharedEngines({ ownPostgres: true, apps });
}, 240_000);
afterAll(async () => {
  registry.release();
  await app.stop();
  await registry.stop();
}, 180_000);

async function accept(kgCO2e: number, customerRef?: string): Promise<string> {
  const { id } = await app.carbon.offsets.create({ kgCO2e, ...(customerRef !== undefined && { customerRef }) });
  return id;
}

const awaitCompleted = (ids: readonly string[]) =>
  eventually(async () => {
    const answers = await Promise.all(ids.map((id) => app.client.get(`/v1/offsets?id=${id}`)));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { status: 'completed' } });
  }, PATIENT);

const awaitPublished = (ids: readonly string[]) =>
  eventually(async () => {
    const rows = await rowsOf<{ id: string }>(app, 'SELECT id FROM offsets WHERE announced_at IS NOT NULL');
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
  }, PATIENT);

const retirementsOf = (seen: SeenOutcome | undefined) => (seen?.view as OffsetView | undefined)?.retirements;

describe('PostgreSQL restored from an older backup, with an external registry', () => {
  const known: string[] = [];
  let copy: PostgresCopy;
  let unpublished = '';
  let unanswered = '';
  let seen: ReadonlyMap<string, SeenOutcome>;
  let seenUnpublished: ReadonlyMap<string, SeenOutcome>;

  beforeAll(async () => {
    known.push(await accept(1_500));
    await awaitCompleted(known);
    await awaitPublished(known);
    copy = await copyStopped(app, 'registry');
    await onPostgres(app, (sql) => sql.query(CUT_OFF));
    unpublished = await accept(2_500, UNPUBLISHED);
    await awaitCompleted([unpublished]);
    known.push(await accept(3_500));
    await awaitCompleted(known);
    await awaitPublished(known);
    [seen, seenUnpublished] = [await seenOutcomes(app, known), await seenOutcomes(app, [unpublished])];
    registry.hold();
    unanswered = await accept(4_500);
    await eventually(() => expect(registry.ledger.has(unanswered)).toBe(true), PATIENT);
    // Without these assets, a new allocation differs from what the registry retired.
    const used = [...registry.ledger.values()].flatMap(({ lines }) => lines.map(({ asset }) => asset));
    await app.command('assets', 'withdraw', ...new Set(used));
    await putBack(app, copy);
    registry.release();
  }, 900_000);

  it('has the published outcomes again', async () => {
    await awaitCompleted(known);
    expect(await seenOutcomes(app, known)).toEqual(seen);
  }, 600_000);

  it('adopts unpublished retirements of the registry', async () => {
    await awaitCompleted([unpublished, unanswered]);
    await awaitPublished([unpublished, unanswered]);
    const now = await seenOutcomes(app, [unpublished, unanswered]);
    expect(retirementsOf(now.get(unpublished))).toEqual(retirementsOf(seenUnpublished.get(unpublished)));
    for (const id of [unpublished, unanswered]) {
      const [event, ...more] = now.get(id)?.events ?? [];
      expect(more).toEqual([]);
      expect(event).toMatchObject({ type: 'offset.completed', data: { retirements: registry.ledger.get(id)?.lines } });
    }
    expect(registry.violations).toEqual([]);
    expect(registry.ledger.size).toBe(known.length + 2);
  }, 600_000);

  it('marks the missing entries as a gap, reports a warning, and passes the audit', async () => {
    const gaps = await rowsOf<{ asset_id: string }>(app, 'SELECT asset_id FROM ledger_gaps');
    expect(gaps.map(({ asset_id }) => asset_id)).toEqual(
      registry.ledger.get(unpublished)?.lines.map(({ asset }) => asset),
    );
    const { stderr } = await app.command('ledger', 'audit');
    expect(stderr).toContain('are missing since the recovery of');
    await app.audit();
    expect(await app.deadLetters()).toEqual({});
  }, 180_000);
});
