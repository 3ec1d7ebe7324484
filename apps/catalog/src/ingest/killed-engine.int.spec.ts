import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningEngines, startEngines } from '@carbon/local';
import { endsOf } from '@carbon/messaging';
import { Screen } from '@carbon/terminal';
import { eventually } from '@carbon/testing';
import { verifyLibrary } from '../cli/verify/verify-library.js';
import { asset } from '../test-asset.js';
import { startCatalog, type TestCatalog, type TestLibrary, testLibrary } from '../test-catalog.js';
import { TestIndices } from '../test-indices.js';
import { type OpenSearchProxy, openSearchProxy } from '../test-proxy.js';

const COUNT = 4_000;
const PATIENT = { within: 120_000 };

describe('an OpenSearch of its own', () => {
  let dir: string;
  let engine: RunningEngines;
  let library: TestLibrary;
  let indices: TestIndices;
  let proxy: OpenSearchProxy;
  let catalog: TestCatalog;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'killed-engine-'));
    engine = await startEngines({ dir, which: ['opensearch'], shortLived: true });
    library = await testLibrary();
    const url = engine.addresses.opensearchUrl ?? '';
    indices = new TestIndices(library.prefix, url);
    proxy = await openSearchProxy(url);
    catalog = await startCatalog(library.prefix, { OPENSEARCH_URL: proxy.url });
    await catalog.ready();
  });
  afterAll(async () => {
    await catalog.close();
    await proxy.close();
    await indices.close();
    await library.close();
    await engine.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const publishAll = async (round: string) => {
    for (let from = 0; from < COUNT; from += 500) {
      const some = Array.from({ length: 500 }, (_, n) => asset(`proj_${from + n}`, { name: `${round} ${from + n}` }));
      await library.publish(...some);
    }
  };
  const bulks = () => proxy.asked.filter((question) => question.includes('_bulk')).length;
  const holds = async () => {
    const engines = { openSearch: indices.openSearch, library: indices.library, kafka: library.kafka };
    const { differences, assets } = await verifyLibrary(engines, new Screen({ write: () => true }));
    expect([differences, assets]).toEqual([[], COUNT]);
  };
  const deadLetters = async () => {
    const ends = await endsOf(library.kafka, 'asset.published.dead-letter');
    return ends.reduce((sum, { begin, end }) => sum + Number(end - begin), 0);
  };

  it('loses nothing when it is killed with -9 in the middle of ingest', async () => {
    const { pid } = engine.part('opensearch');
    const before = bulks();
    const publishing = publishAll('First');
    // In the middle: some writes were answered, some are under way, some are to come.
    await eventually(() => expect(bulks()).toBeGreaterThan(before + 2), { ...PATIENT, every: 1 });
    await engine.part('opensearch').kill('SIGKILL');
    await publishing;
    await eventually(() => expect(engine.part('opensearch').pid).not.toBe(pid), PATIENT);
    await engine.part('opensearch').ready();
    await eventually(holds, PATIENT);
    expect(await deadLetters()).toBe(0);
  }, 600_000);

  it('loses nothing while it answers 429 to every other write', async () => {
    const before = bulks();
    const publishing = publishAll('Second');
    for (let turn = 0; turn < 6; turn += 1) {
      const asked = bulks();
      proxy.behave(turn % 2 ? 'pass' : 'too-many-requests', '_bulk');
      await eventually(() => expect(bulks()).toBeGreaterThan(asked), { ...PATIENT, every: 1 });
    }
    proxy.behave('pass', '');
    await publishing;
    await eventually(holds, PATIENT);
    expect(bulks()).toBeGreaterThan(before + 6);
    expect(await deadLetters()).toBe(0);
  });
});
