import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Asset } from '@carbon/contracts';
import { TransientFault } from '@carbon/faults';
import type { Received } from '@carbon/messaging';
import { freshPrefix, testEngines } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { generationOf } from '../indexing/generation.js';
import { LibraryIndex } from '../indexing/library-index.js';
import { MAPPING_REVISION, mappingHash } from '../indexing/revision.js';
import { OpenSearch } from '../open-search/open-search.js';
import { asset } from '../test-asset.js';
import { type Operation, operationOf } from './asset-operation.js';
import { BulkWriter, IndexGone } from './bulk-writer.js';

describe('BulkWriter', () => {
  const openSearch = new OpenSearch(testEngines().opensearchUrl);
  const prefix = freshPrefix();
  const library = new LibraryIndex(openSearch, prefix);
  const key = { hash: mappingHash(), number: 1 };
  const generation = generationOf(prefix, key, { POOL: '', PROJECT: '' });
  const { indices, writeAliases } = generation;
  const writer = new BulkWriter(openSearch, 10_000);

  beforeAll(async () => {
    Logger.overrideLogger(false);
    await library.make(key, { revision: MAPPING_REVISION });
    await library.allowWrites(generation);
  });
  afterAll(() => openSearch.close());

  function operation(key: string, value: Asset | null, position: bigint): Operation {
    const made = operationOf({ key, value, position } as Received<Asset>, writeAliases, new Date().toISOString());
    if (!('lines' in made)) throw new Error(made.detail);
    return made;
  }

  const put = (id: string, name: string, position: bigint) => operation(id, asset(id, { name }), position);

  async function nameOf(id: string): Promise<string | undefined> {
    const path = `/${indices.POOL}/_mget`;
    const answer = z.object({ docs: z.tuple([z.object({ _source: z.object({ name: z.string() }).optional() })]) });
    const { docs } = await openSearch.ask({ method: 'POST', path, body: { ids: [id] } }, answer, 2_000);
    return docs[0]._source?.name;
  }

  it('comes to the same whatever is delivered again, late or in another order', async () => {
    const versions = ['one', 'two', 'three'].map((name, place) => put('pool_a', name, BigInt(place)));
    const [one, two, three] = versions as [Operation, Operation, Operation];
    for (const batch of [[two], [one], [one, two, three], [two, one], [three, three]]) {
      expect(await writer.write(batch)).toEqual([]);
    }
    expect(await nameOf('pool_a')).toBe('three');
  });

  it('does not bring back what a newer message has withdrawn', async () => {
    expect(await writer.write([put('pool_b', 'there', 5n), operation('pool_b', null, 9n)])).toEqual([]);
    expect(await writer.write([put('pool_b', 'late', 8n)])).toEqual([]);
    expect(await nameOf('pool_b')).toBeUndefined();
    expect(await writer.write([put('pool_b', 'new', 10n)])).toEqual([]);
    expect(await nameOf('pool_b')).toBe('new');
  });

  it('keeps a late withdrawal from taking out what is newer', async () => {
    await writer.write([put('pool_c', 'new', 20n)]);
    expect(await writer.write([operation('pool_c', null, 19n)])).toEqual([]);
    expect(await nameOf('pool_c')).toBe('new');
  });

  it('tells what will never be taken from what is done', async () => {
    const bad: Operation = { position: 31n, lines: put('pool_d', 'bad', 31n).lines.replace('"name"', '"nome"') };
    expect(await writer.write([put('pool_d', 'good', 30n), bad, put('pool_e', 'good', 32n)])).toEqual([
      { position: 31n, code: 'refused_by_index', detail: 'strict_dynamic_mapping_exception' },
    ]);
    expect([await nameOf('pool_d'), await nameOf('pool_e')]).toEqual(['good', 'good']);
  });

  it('says so when the index is gone, and makes none', async () => {
    const lines = put('pool_f', 'lost', 1n).lines.replace(writeAliases.POOL, `${freshPrefix()}pools-x-1`);
    await expect(writer.write([{ position: 1n, lines }])).rejects.toThrow(IndexGone);
  });

  it('writes to no index by its own name, for OpenSearch might create it', async () => {
    const lines = put('pool_f', 'lost', 1n).lines.replace(writeAliases.POOL, indices.POOL);
    await expect(writer.write([{ position: 1n, lines }])).rejects.toThrow(IndexGone);
    expect(await nameOf('pool_f')).toBeUndefined();
  });

  it.each(['translog_exception', 'i_o_exception', 'node_closed_exception'])(
    'waits for an engine that answers single items with 500 %s',
    async (type) => {
      const server = createServer((_, response) => {
        const items = [{ index: { status: 201 } }, { index: { status: 500, error: { type } } }];
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ errors: true, items }));
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const failing = new OpenSearch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      const written = new BulkWriter(failing, 2_000).write([put('pool_g', 'one', 40n), put('pool_h', 'two', 41n)]);
      await expect(written).rejects.toThrow(TransientFault);
      await failing.close();
      server.close();
    },
  );

  it('has nothing to do with nothing to write', async () => {
    expect(await writer.write([])).toEqual([]);
  });
});
