import type { Asset } from '@carbon/contracts';
import { type RunningEngines, startEngines, type TemporaryDir, temporaryDir } from '@carbon/local';
import type { Message } from '@carbon/messaging';
import { eventually, freshPrefix } from '@carbon/testing';
import { generationOf } from '../index/generation.js';
import { mappingHash } from '../index/mapping.js';
import { OpenSearchUnavailableError } from '../open-search/open-search-errors.js';
import { startCatalog, type TestCatalog } from '../testing/catalog.js';
import { recordOf, TestIndices } from '../testing/indices.js';
import { asset, type TestLibrary, testLibrary } from '../testing/library.js';
import { type OpenSearchProxy, openSearchProxy } from '../testing/proxy.js';
import { AssetIndexer } from './asset-indexer.js';
import { type Operation, operationOf } from './asset-operation.js';
import { BulkWriter, IndexGoneError } from './bulk-writer.js';
import { StallGuard } from './stall-guard.js';

const COUNT = 4_000;
const LONG_WAIT = { within: 120_000 };
const PAUSE_MS = 12_000;

describe('an OpenSearch node', () => {
  let dir: TemporaryDir;
  let engine: RunningEngines;
  let url: string;

  beforeAll(async () => {
    dir = await temporaryDir();
    engine = await startEngines({ dir: dir.dir, which: ['opensearch'], shortLived: true });
    url = engine.addresses.opensearchUrl ?? '';
  });
  afterAll(async () => {
    await engine.stop();
    dir.remove();
  });

  describe('with a catalog', () => {
    let library: TestLibrary;
    let indices: TestIndices;
    let proxy: OpenSearchProxy;
    let catalog: TestCatalog;

    beforeAll(async () => {
      library = await testLibrary();
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
    });

    const publishAll = async (round: string) => {
      for (let from = 0; from < COUNT; from += 500) {
        const some = Array.from({ length: 500 }, (_, n) => asset(`proj_${from + n}`, { name: `${round} ${from + n}` }));
        await library.publish(...some);
      }
    };
    const bulks = () => proxy.requests.filter((request) => request.includes('_bulk')).length;
    const expectComplete = async () => {
      const { discrepancies, assets } = await indices.verify(library);
      expect([discrepancies, assets]).toEqual([[], COUNT]);
    };

    it('loses nothing when it is killed with -9 during ingest', async () => {
      const { pid } = engine.part('opensearch');
      const before = bulks();
      const publishing = publishAll('First');
      // During the writes: some are done, some are in progress, some have not started.
      await eventually(() => expect(bulks()).toBeGreaterThan(before + 2), { ...LONG_WAIT, every: 1 });
      await engine.part('opensearch').kill('SIGKILL');
      await publishing;
      await eventually(() => expect(engine.part('opensearch').pid).not.toBe(pid), LONG_WAIT);
      await engine.part('opensearch').ready();
      await eventually(expectComplete, LONG_WAIT);
      expect(await library.deadLetters()).toBe(0);
    }, 600_000);
  });

  describe('with a bulk writer', () => {
    const key = { hash: mappingHash(), number: 1 };
    let indices: TestIndices;
    let generation: ReturnType<typeof generationOf>;

    beforeEach(async () => {
      indices = new TestIndices(freshPrefix(), url);
      generation = generationOf(indices.prefix, key, { POOL: '', PROJECT: '' });
      await indices.library.createIndices(recordOf(1));
      await indices.library.addWriteAliases(generation);
    });
    afterEach(() => indices.close());

    it('does not restore withdrawn assets after a suspension, although the index has forgotten the deletions', async () => {
      let time = 0;
      const guard = new StallGuard(
        () => {},
        () => time,
      );
      const ingest = new AssetIndexer(new BulkWriter(indices.openSearch, 10_000), guard);
      const take = (position: bigint, value: Asset | null) => {
        const message = { key: 'pool_a', value, position } as Message<Asset>;
        return ingest.index({ topic: 'asset.published', partition: 0, messages: [message] }, generation.writeAliases);
      };
      await take(5n, asset('pool_a'));
      await take(9n, null);
      // Like a restart of the engine: a shard that is opened again has forgotten its deletions.
      for (const operation of ['_flush', '_close', '_open']) {
        await indices.ask('POST', `/${generation.indices.POOL}/${operation}`);
      }
      await indices.ask('GET', `/_cluster/health/${generation.indices.POOL}?wait_for_status=yellow`);
      time += PAUSE_MS;
      await expect(take(7n, asset('pool_a'))).rejects.toThrow(OpenSearchUnavailableError);
      const { docs } = await indices.ask('POST', `/${generation.indices.POOL}/_mget`, { ids: ['pool_a'] });
      expect(docs).toEqual([expect.objectContaining({ found: false })]);
    });

    it('does not re-create an index that was lost during writes, although OpenSearch creates indices automatically', async () => {
      // OpenSearch's own default, which `npm start` and docker-compose.yml turn off.
      await indices.ask('PUT', '/_cluster/settings', { persistent: { 'action.auto_create_index': true } });
      const writer = new BulkWriter(indices.openSearch, 10_000);
      const operation = (value: Asset | null, position: bigint): Operation => {
        const message = { key: 'pool_a', value, position } as Message<Asset>;
        return operationOf(message, generation.writeAliases, new Date().toISOString()) as Operation;
      };
      expect(await writer.write([operation(asset('pool_a'), 1n)])).toEqual([]);
      expect(await writer.write([operation(null, 1n)])).toEqual([]);
      await indices.remove(generation.indices.POOL.slice(indices.prefix.length));
      // A deletion with an external version creates an index as well.
      await expect(writer.write([operation(asset('pool_a'), 2n)])).rejects.toThrow(IndexGoneError);
      await expect(writer.write([operation(null, 3n)])).rejects.toThrow(IndexGoneError);
      expect(await indices.library.addWriteAliases(generation)).toBe(false);
      expect(await indices.names()).toEqual([generation.indices.PROJECT.slice(indices.prefix.length)]);
    });
  });
});
