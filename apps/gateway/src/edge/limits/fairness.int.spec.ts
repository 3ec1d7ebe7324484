import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inheritedEnvironment } from '@carbon/config';
import { eventually } from '@carbon/testing';
import { ask } from '../../test-client.js';
import { NOBODY, TEST_SECRETS } from '../../test-gateway.js';
import { says, startUpstream, type TestUpstream } from '../../test-upstream.js';
import { startFlood } from './test-flood.js';
import { SEARCH, TestPlans } from './test-limits.js';

const MAIN = new URL('../../../dist/main.js', import.meta.url).pathname;
const LIMIT = { perSecond: 5, burst: 10 };
const TIMES = 100;
/**
 * How long the app behind the gateway takes. It is asked 64 questions at a time, so it answers 256 a second: fewer than a
 * hundred times the limit, so that without the limit its questions would stand before those of everybody else.
 */
const ANSWER_MS = 250;
const PHASE_MS = 2_000;

let plans: TestPlans;
let catalog: TestUpstream;
let gateway: ChildProcess;
let url = '';

beforeAll(async () => {
  plans = new TestPlans({ small: LIMIT });
  const answer = says(200, 'application/json; charset=utf-8', '[]');
  catalog = await startUpstream((request, response) => setTimeout(() => answer(request, response), ANSWER_MS));
  const away = { KAFKA_BROKERS: NOBODY, OFFSETS_URL: `http://${NOBODY}` };
  const own = { PORT: '0', API_KEYS_FILE: plans.path, CATALOG_URL: catalog.url, CATALOG_TIMEOUT_MS: '10000' };
  gateway = spawn(process.execPath, [MAIN], {
    env: { ...inheritedEnvironment(), ...TEST_SECRETS, ...away, ...own },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  url = await addressOf(gateway);
});
afterAll(async () => {
  const exit = once(gateway, 'exit');
  gateway.kill('SIGKILL');
  await exit;
  await catalog.close();
  plans.remove();
});

/** From the line that says where it listens; what it says after that is read and dropped. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the gateway has no output');
  const lines = createInterface({ input: stdout });
  for await (const line of lines) {
    const { message, port }: { message: string; port?: number } = JSON.parse(line);
    if (!message.startsWith('gateway listens')) continue;
    stdout.resume();
    return `http://127.0.0.1:${port}`;
  }
  throw new Error('the gateway ended');
}

let asked = 0;

/** What another key is answered meanwhile, several questions at a time, each another one: how often with which status. */
async function answersToAnotherKey(): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const end = performance.now() + PHASE_MS;
  const { headers } = plans.of('default');
  const oneAfterTheOther = async () => {
    while (performance.now() < end) {
      asked += 1;
      const { status } = await ask(url, { path: `${SEARCH}mine${asked}`, headers });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 4 }, oneAfterTheOther));
  return statuses;
}

describe('a key at a hundred times its limit', () => {
  // Not by times: what the processors do besides would be measured too.
  it('takes of the app behind no more than its limit, so that another key is served as if it were alone', async () => {
    const flood = startFlood(`${url}${SEARCH}small`, plans.of('small').headers);
    const begun = performance.now();
    flood.rate(LIMIT.perSecond * TIMES);
    // Until it flows: a thread takes its time to begin.
    await eventually(async () => expect(await flood.report()).not.toEqual({}));
    const answers = await answersToAnotherKey();
    const { 200: served = 0, 429: refused = 0 } = await flood.report();
    const seconds = (performance.now() - begun) / 1_000;
    await flood.stop();
    // It did come, or what follows would show nothing.
    expect(refused).toBeGreaterThan((LIMIT.perSecond * TIMES * PHASE_MS) / 1_000 / 4);
    expect(served).toBeLessThanOrEqual(LIMIT.burst + LIMIT.perSecond * seconds);
    expect([...answers.keys()]).toEqual([200]);
  });
});
