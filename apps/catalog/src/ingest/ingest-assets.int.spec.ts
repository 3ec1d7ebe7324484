import { eventually } from '@carbon/testing';
import { asset } from '../testing/library.js';
import { proxiedCatalogWith } from '../testing/set-up.js';

describe('ingest', () => {
  const { library, catalog, proxy } = proxiedCatalogWith([asset('pool_before', { name: 'There before the start' })]);

  const names = async (criteria: string) => (await catalog.search('pools', { criteria })).map(({ name }) => name);
  const soon = (criteria: string, expected: string[]) =>
    eventually(async () => expect(await names(criteria)).toEqual(expected));

  it('has the messages that were on the topic before it is ready', async () => {
    expect(await names('id:pool_before')).toEqual(['There before the start']);
  });

  it('makes a published asset searchable among its type, within three seconds in the fastest of a few attempts', async () => {
    const times: number[] = [];
    for (const name of ['one', 'two', 'three']) {
      const since = performance.now();
      await library.publish(asset(`pool_${name}`, { name }), asset(`proj_${name}`, { country: name }));
      await soon(`id:pool_${name}`, [name]);
      times.push(performance.now() - since);
      await eventually(async () => {
        expect(await catalog.search('projects', { criteria: `country:${name}` })).toHaveLength(1);
      });
    }
    expect(Math.min(...times)).toBeLessThan(3_000);
    expect(await catalog.search('projects', { criteria: 'id:pool_one' })).toEqual([]);
  });

  it('replaces the whole asset with a newer version, and composes accents', async () => {
    await library.publish(asset('pool_twice', { name: 'First', rating: 3 }));
    await library.publish(asset('pool_twice', { name: 'E\u0301cole' }));
    await soon('name = ecole and not rating exists', ['\u00c9cole']);
  });

  it('removes a withdrawn asset, and restores it when it is published again', async () => {
    await library.withdraw('pool_never');
    await library.publish(asset('pool_gone', { name: 'Here' }));
    await soon('id:pool_gone', ['Here']);
    await library.withdraw('pool_gone');
    await soon('id:pool_gone', []);
    await library.publish(asset('pool_gone', { name: 'Back' }));
    await soon('id:pool_gone', ['Back']);
    expect(await library.deadLetters()).toBe(0);
  });

  it('dead-letters what is not an asset and processes the next message', async () => {
    const before = await library.deadLetters();
    await library.send('pool_bad', '{"id":"pool_bad"');
    await library.send('pool_bad', JSON.stringify({ id: 'pool_bad', type: 'POOL', source: 'small', name: '' }));
    await library.send('pool_bad', JSON.stringify(asset('pool_other')));
    await library.send('fund_bad', null);
    await library.send('pool_bad', JSON.stringify(asset('pool_bad')), 'asset.published.v9');
    await library.publish(asset('pool_bad', { name: 'Good at last' }));
    await soon('id:pool_bad', ['Good at last']);
    await eventually(async () => expect(await library.deadLetters()).toBe(before + 5));
  });

  it('dead-letters what OpenSearch will never accept, and indexes the rest of the batch', async () => {
    const before = await library.deadLetters();
    // A date that the contract allows and OpenSearch cannot parse.
    const listedAt = '2024-01-01T00:00:00.0000000000001Z';
    await library.publish(asset('pool_refused', { listedAt }), asset('pool_beside', { name: 'Beside' }));
    await soon('id in (pool_refused, pool_beside)', ['Beside']);
    await eventually(async () => expect(await library.deadLetters()).toBe(before + 1));
  });

  it('retries what OpenSearch could not write', async () => {
    const bulks = () => proxy.requests.filter((question) => question.includes('_bulk')).length;
    const before = bulks();
    proxy.behave('unavailable', '_bulk');
    await library.publish(asset('pool_late', { name: 'Late' }));
    await eventually(() => expect(bulks()).toBeGreaterThan(before));
    proxy.behave('pass', '');
    await soon('id:pool_late', ['Late']);
  });
});
