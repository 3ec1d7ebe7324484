import type { Asset } from '@carbon/contracts';
import type { Received } from '@carbon/messaging';
import { freshPrefix } from '@carbon/testing';
import { generationOf } from '../indexing/generation.js';
import { MAPPING_REVISION, mappingHash } from '../indexing/revision.js';
import { Outage } from '../open-search/refusal.js';
import { asset } from '../test-asset.js';
import { TestIndices } from '../test-indices.js';
import { BulkWriter } from './bulk-writer.js';
import { IngestAssets } from './ingest-assets.js';
import { StallGuard } from './stall-guard.js';

const PAUSE_MS = 12_000;

describe('a process that stood still', () => {
  const indices = new TestIndices(freshPrefix());
  const key = { hash: mappingHash(), number: 1 };
  const generation = generationOf(indices.prefix, key, { POOL: '', PROJECT: '' });
  let time = 0;
  const guard = new StallGuard(
    () => {},
    () => time,
  );
  const ingest = new IngestAssets(new BulkWriter(indices.openSearch, 10_000), guard);

  const take = (position: bigint, value: Asset | null) => {
    const message = { key: 'pool_a', value, position } as Received<Asset>;
    return ingest.run({ topic: 'asset.published', partition: 0, messages: [message] }, generation.writeAliases);
  };
  const held = async () => {
    const { docs } = await indices.ask('POST', `/${generation.indices.POOL}/_mget`, { ids: ['pool_a'] });
    return docs;
  };

  beforeAll(async () => {
    await indices.library.make(key, { revision: MAPPING_REVISION });
    await indices.library.allowWrites(generation);
  });
  afterAll(() => indices.close());

  it('does not bring back what was withdrawn meanwhile, though the index has forgotten the withdrawal', async () => {
    await take(5n, asset('pool_a'));
    await take(9n, null);
    // As a restart of the engine does: a shard that is opened anew remembers no deletion.
    for (const turn of ['_flush', '_close', '_open']) {
      await indices.ask('POST', `/${generation.indices.POOL}/${turn}`);
    }
    await indices.ask('GET', `/_cluster/health/${generation.indices.POOL}?wait_for_status=yellow`);
    time += PAUSE_MS;
    await expect(take(7n, asset('pool_a'))).rejects.toThrow(Outage);
    expect(await held()).toEqual([expect.objectContaining({ found: false })]);
  });
});
