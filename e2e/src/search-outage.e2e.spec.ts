import { startTcpProxy, type TcpProxy } from '@carbon/local';
import { eventually, testEngines } from '@carbon/testing';
import { type Answer, Client } from './load/client.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

/** The gateway gives up after 1.6 s, which the specs of its settings hold; the rest is the machine's. */
const LIMIT_MS = 6_000;
/** More than the gateway asks of the catalog at a time, and different ones, so that each is asked. */
const SEARCHERS = 100;
const TIMES = 40;

let opensearch: TcpProxy;
let app: TestSystem;
/** With a connection for each, so that none waits on this side. */
let searchers: Client;

beforeAll(async () => {
  const { port } = new URL(testEngines().opensearchUrl);
  opensearch = await startTcpProxy({ targets: [Number(port)] });
  app = await systemOnSharedEngines({ opensearchUrl: `http://127.0.0.1:${opensearch.port}` });
  searchers = new Client(app.system.urls.gateway, SEARCHERS);
}, 120_000);
afterAll(async () => {
  await opensearch.restore();
  await searchers.close();
  await app.stop();
  await opensearch.close();
});

const search = (number: number) => searchers.get(`/v1/assets/pools?criteria=rating>${number}&fullTextSearch=`);

async function timed(ask: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const begun = performance.now();
  return { answer: await ask(), ms: performance.now() - begun };
}

/** The median time of one question after the other, in ms; each must have this status. */
async function median(status: number, ask: () => Promise<Answer>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const { answer, ms } = await timed(ask);
    expect(answer).toMatchObject({ status });
    times.push(ms);
  }
  return times.sort((a, b) => a - b)[TIMES / 2] ?? Number.NaN;
}

describe('with OpenSearch silent, its connections standing', () => {
  const create = () => app.client.createOffset({ kgCO2e: 1 });
  const list = () => app.client.get('/v1/offsets?limit=1');
  let quiet: readonly [number, number];

  beforeAll(async () => {
    await median(202, create);
    quiet = [await median(202, create), await median(200, list)];
    // As many have searched before, something else: it is the answer that is timed, not the opening of connections.
    await Promise.all(Array.from({ length: SEARCHERS }, (_, number) => search(SEARCHERS + number)));
    opensearch.blackHole();
  });

  it('every search is 503 within seconds and says when to come back, and offsets notice nothing', async () => {
    const searches = Promise.all(Array.from({ length: SEARCHERS }, (_, number) => timed(() => search(number))));
    const busy = [await median(202, create), await median(200, list)];
    for (const { answer, ms } of await searches) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
      expect(answer).toMatchObject({ headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
      expect(ms).toBeLessThan(LIMIT_MS);
    }
    // Half of the 1.6 s that a search takes here: an offset that waited for searches would mostly wait longer.
    for (const [place, ms] of busy.entries()) expect(ms).toBeLessThan(2 * (quiet[place] ?? 0) + 800);
  });

  it('mistakes in criteria are still told, once the crowd has gone', async () => {
    await eventually(async () => {
      const answer = await app.client.get('/v1/assets/pools?criteria=tiker:BCT&fullTextSearch=');
      expect(answer).toMatchObject({ status: 400 });
    });
  });

  it('searches are answered again soon after it speaks', async () => {
    await opensearch.restore();
    await eventually(async () => expect(await search(-1)).toMatchObject({ status: 200 }), { within: 30_000 });
  });
});
