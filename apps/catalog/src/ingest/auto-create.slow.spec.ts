import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Asset } from '@carbon/contracts';
import { type RunningEngines, startEngines } from '@carbon/local';
import type { Received } from '@carbon/messaging';
import { Logger } from '@nestjs/common';
import { generationOf } from '../indexing/generation.js';
import { MAPPING_REVISION, mappingHash } from '../indexing/revision.js';
import { asset } from '../test-asset.js';
import { TestIndices } from '../test-indices.js';
import { type Operation, operationOf } from './asset-operation.js';
import { BulkWriter, IndexGone } from './bulk-writer.js';

/** OpenSearch's own default, which `npm start` and docker-compose.yml turn off. */
const AUTO_CREATE = { persistent: { 'action.auto_create_index': true } };

describe('an OpenSearch that creates indices by itself', () => {
  let dir: string;
  let engine: RunningEngines;
  let indices: TestIndices;
  const key = { hash: mappingHash(), number: 1 };
  const generation = generationOf('auto-', key, { POOL: '', PROJECT: '' });
  const operation = (value: Asset | null, position: bigint): Operation => {
    const message = { key: 'pool_a', value, position } as Received<Asset>;
    return operationOf(message, generation.writeAliases, new Date().toISOString()) as Operation;
  };

  beforeAll(async () => {
    Logger.overrideLogger(false);
    dir = await mkdtemp(join(tmpdir(), 'auto-create-'));
    engine = await startEngines({ dir, which: ['opensearch'], shortLived: true });
    indices = new TestIndices('auto-', engine.addresses.opensearchUrl);
    await indices.ask('PUT', '/_cluster/settings', AUTO_CREATE);
  });
  afterAll(async () => {
    await indices.close();
    await engine.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it('does not bring an index back that was lost while it was written to', async () => {
    const writer = new BulkWriter(indices.openSearch, 10_000);
    await indices.library.make(key, { revision: MAPPING_REVISION });
    await indices.library.allowWrites(generation);
    expect(await writer.write([operation(asset('pool_a'), 1n)])).toEqual([]);
    expect(await writer.write([operation(null, 1n)])).toEqual([]);
    await indices.remove(generation.indices.POOL.slice(indices.prefix.length));
    // A deletion with a version of its own creates an index as well.
    await expect(writer.write([operation(asset('pool_a'), 2n)])).rejects.toThrow(IndexGone);
    await expect(writer.write([operation(null, 3n)])).rejects.toThrow(IndexGone);
    expect(await indices.library.allowWrites(generation)).toBe(false);
    expect(await indices.names()).toEqual([generation.indices.PROJECT.slice(indices.prefix.length)]);
  });
});
