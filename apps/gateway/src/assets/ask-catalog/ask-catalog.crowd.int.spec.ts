import { eventually } from '@carbon/testing';
import type { Answer } from '../../test-client.js';
import { startGateway, type TestGateway } from '../../test-gateway.js';
import { watchStarvation } from '../../test-starvation.js';
import { says, startUpstream, type TestUpstream } from '../../test-upstream.js';

/** More than the gateway asks of the catalog at a time. */
const SEARCHERS = 100;
const TIMEOUT_MS = 5_000;
/** Longer than who finds no turn is kept waiting, and within what the gateway waits for on a busy machine too. */
const SLOW_MS = 3_000;
const TIMES = 60;

const list = says(200, 'application/json', '[]');

describe('while searches take as long as they may, and as many as can are under way', () => {
  let catalog: TestUpstream;
  let offsets: TestUpstream;
  let gateway: TestGateway;
  let crowding = true;
  let crowd: Promise<unknown>;

  const starvation = watchStarvation();
  const searches: Pick<Answer, 'status' | 'ms'>[] = [];
  const crowdMember = async () => {
    while (crowding) {
      const before = starvation.ms;
      const { status, ms } = await gateway.ask({ path: '/v1/assets/pools?criteria=&fullTextSearch=' });
      // Clients, gateway and catalog are all in this process: while the machine does not run it, no clock here is right.
      searches.push({ status, ms: ms - (starvation.ms - before) });
    }
  };

  /** The median time of one question after the other, in ms; each answer must have this status. */
  async function median(status: number, ask: () => Promise<Answer>): Promise<number> {
    const times: number[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const answer = await ask();
      expect(answer.status).toBe(status);
      times.push(answer.ms);
    }
    return times.sort((a, b) => a - b)[TIMES / 2] ?? Number.NaN;
  }

  beforeAll(async () => {
    catalog = await startUpstream((request, response) => void setTimeout(() => list(request, response), SLOW_MS));
    offsets = await startUpstream(list);
    gateway = await startGateway({
      CATALOG_URL: catalog.url,
      CATALOG_TIMEOUT_MS: String(TIMEOUT_MS),
      OFFSETS_URL: offsets.url,
    });
  });

  afterAll(async () => {
    crowding = false;
    await crowd;
    starvation.stop();
    await gateway.close();
    await Promise.all([catalog.close(), offsets.close()]);
  });

  it('offsets are taken and listed without waiting for any of them', async () => {
    crowd = Promise.all(Array.from({ length: SEARCHERS }, crowdMember));
    await eventually(() => expect(catalog.asked.length).toBeGreaterThanOrEqual(64));
    const create = () => gateway.ask({ method: 'POST', path: '/v1/offsets', body: { kgCO2e: 1 } });
    const read = () => gateway.ask({ path: '/v1/offsets' });
    // Who waited for a search would mostly wait for half of its time or longer.
    for (const ms of [await median(202, create), await median(200, read)]) expect(ms).toBeLessThan(SLOW_MS / 4);
  });

  it('and every search is answered in its time: those that find a turn by the catalog, again and again', async () => {
    const answered = () => searches.filter(({ status }) => status === 200).length;
    for (let round = 0; round < 3; round += 1) {
      const before = answered();
      await eventually(() => expect(answered()).toBeGreaterThan(before + 64));
    }
    expect(searches.length).toBeGreaterThan(answered());
    for (const { status, ms } of searches) {
      expect([200, 503]).toContain(status);
      // Far from the time for a turn and the time for the answer, one after the other, when both are waited out.
      expect(ms).toBeLessThan(1.4 * TIMEOUT_MS);
    }
  });
});
