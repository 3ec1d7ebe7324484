import { setInterval } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Logger } from '@nestjs/common';
import { type Behaviour, honestly, inTurn, refuses, says, sends, thoughDone } from '../test-registry.js';
import { RegistryBench, TIMEOUT_MS } from './test-registry-bench.js';

/** Each is asked about several times: enough for every fault to meet every stage, some of them often. */
const OFFSETS = 24;

const reset: Behaviour = ({ response }) => void response.destroy();
const silence: Behaviour = () => {};
const status = (code: number, headers: Record<string, string> = {}) => says(code, { code: 'x' }, headers);
const asIf =
  (change: (said: Record<string, unknown>) => unknown): Behaviour =>
  (exchange) => {
    const applied = exchange.apply();
    if (applied === undefined) exchange.honestly();
    else says(200, change({ ...applied }))(exchange);
  };

/** Sends a byte now and then, for longer than anybody waits. */
const slowly: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  void (async () => {
    for await (const _ of setInterval(TIMEOUT_MS / 10)) if (!response.write(' ') || response.destroyed) return;
  })();
};

/** Says that it goes on for ever, and does. */
const endlessly: Behaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

// Outside of the suite, for tests that run at the same time begin before its hooks.
beforeAll(() => Logger.overrideLogger(false));

async function onBench(work: (bench: RegistryBench) => Promise<void>): Promise<void> {
  const bench = await RegistryBench.create();
  try {
    await work(bench);
  } finally {
    await bench.close();
  }
}

/** Whatever the fault, whether the registry had retired or not: in the end all are retired, and once. */
async function survives(bench: RegistryBench, fault: Behaviour): Promise<void> {
  bench.registry.behaves = inTurn(fault, fault, honestly);
  const first = await bench.begin(1, 2, 3);
  await bench.settled({ completed: 3 });
  bench.registry.behaves = inTurn(thoughDone(fault), fault, honestly);
  const second = await bench.begin(1, 2, 3);
  await bench.settled({ completed: 6 });
  bench.expectAppliedOnce([...first, ...second]);
  for (const id of [...first, ...second]) {
    expect(bench.registry.callsAbout(id).every(({ key, method }) => method === 'GET' || key === id)).toBe(true);
  }
  await bench.expectAudit();
}

// Each waits for time-outs most of the time, with a database and a registry of its own, so several do at once.
describe('an external registry', () => {
  it.concurrent.each<[string, Behaviour]>([
    ['never answers', silence],
    ['closes the connection', reset],
    ['answers 500', status(500)],
    ['answers 502 with a page', sends(502, 'text/html', '<h1>Bad Gateway</h1>')],
    ['answers 503 and asks for patience', status(503, { 'retry-after': '0' })],
    ['answers 408', refuses(408)],
    ['answers 425', refuses(425)],
    ['answers 429', refuses(429)],
    ['answers 429 until a day that has passed', status(429, { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' })],
    ['answers garbage', sends(200, 'application/json', '{"offset": ')],
    ['answers no text', sends(200, 'application/json', Buffer.from([0x22, 0xff, 0xfe, 0x22]))],
    ['answers with a page', sends(200, 'text/html', '<h1>Welcome</h1>')],
    ['answers with nothing', sends(204, 'application/json', '')],
    ['answers that it will see to it', says(202, { message: 'queued' })],
    ['answers packed', sends(200, 'application/json', gzipSync('{}'), { 'content-encoding': 'gzip' })],
    ['answers byte by byte', slowly],
    ['answers without end', endlessly],
    ['sends us elsewhere', status(307, { location: '/v1/elsewhere' })],
    ['sends us elsewhere for good', status(301, { location: 'http://127.0.0.1:1/v1/retirements' })],
    ['answers 401 without a word of the offset', status(401)],
    ['answers 404 like somebody who knows nothing of us', sends(404, 'text/plain', 'no such page')],
    ['refuses another offset', says(422, { offset: 'off_00000000000000000000000001', code: 'asset_frozen' })],
    ['refuses with a page', ({ offset, response }) => sends(422, 'text/html', `{"offset":"${offset}"}`)({ response })],
    ['tells of another offset', asIf((said) => ({ ...said, offset: 'off_00000000000000000000000001' }))],
    ['tells of fewer lines', asIf((said) => ({ ...said, lines: [] }))],
    [
      'tells of a gram more',
      asIf((said) => ({
        ...said,
        lines: (said.lines as { grams: string }[]).map((l) => ({ ...l, grams: `${l.grams}1` })),
      })),
    ],
    ['tells of grams that are no text', asIf((said) => ({ ...said, lines: [{ asset: 'pool_a', grams: 1 }] }))],
    ['has a reference of a novel’s length', asIf((said) => ({ ...said, reference: 'R'.repeat(257) }))],
    ['has a reference that is no text', asIf((said) => ({ ...said, reference: 7 }))],
  ])('that %s is asked again until it is known, whether it has retired or not', (_, fault) =>
    onBench((bench) => survives(bench, fault)),
  );

  it('that misbehaves in every way at once has each offset retired exactly once', () =>
    onBench(async (bench) => {
      const faults = [
        silence,
        reset,
        slowly,
        endlessly,
        status(500),
        status(307, { location: '/' }),
        honestly,
        honestly,
      ];
      let n = 0;
      const next = () => faults[n++ % faults.length] ?? honestly;
      bench.registry.behaves = (exchange) => {
        const fault = next();
        if (n % 3 === 0) thoughDone(fault)(exchange);
        else fault(exchange);
      };
      const ids = await bench.begin(...Array.from({ length: OFFSETS }, (_, n) => 100 + n / 1_000));
      await bench.settled({ completed: OFFSETS });
      bench.expectAppliedOnce(ids);
      await bench.expectAudit();
    }));
});
