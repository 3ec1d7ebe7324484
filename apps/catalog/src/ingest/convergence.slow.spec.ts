import { withAdmin } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import fc from 'fast-check';
import type { TestCatalog } from '../testing/catalog.js';
import { asset } from '../testing/library.js';
import { freshLibrary } from '../testing/set-up.js';

/** One step of a run. */
type Step =
  | { readonly kind: 'publish'; readonly id: string; readonly name: string }
  | { readonly kind: 'withdraw'; readonly id: string }
  | { readonly kind: 'send malformed'; readonly id: string }
  | { readonly kind: 'deliver again'; readonly from: number }
  | { readonly kind: 'restart' };

const id = fc.constantFrom('pool_1', 'pool_2', 'pool_3', 'proj_1', 'proj_2', 'proj_3', 'proj_4');
const kind = <const K extends Step['kind']>(name: K) => fc.constant(name);
const name = fc.string({ minLength: 1, unit: 'grapheme-ascii' });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: kind('publish'), id, name }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('withdraw'), id }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('send malformed'), id }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('deliver again'), from: fc.nat({ max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('restart') }) },
);

describe('ingest', () => {
  const { library, indices, start, stop } = freshLibrary();
  const expected = new Map<string, string>();
  let catalog: TestCatalog;

  /** Moves the positions of the live generation's group back, like a lost commit but further. */
  const setBack = async (from: number) => {
    const [generation] = (await indices.library.readState()).generations;
    const { names } = library.kafka;
    const query = { groupId: names.group(generation?.group ?? ''), topics: [names.topic('asset.published')] };
    const [committed] = await withAdmin(library.kafka, (admin) => admin.fetchOffsets(query));
    // Never forward, because that would skip messages. Sets nothing if nothing is committed (-1).
    const taken = committed?.partitions.filter(({ offset }) => Number(offset) >= 0) ?? [];
    const positions = taken.map(({ partition, offset }) => {
      return { partition, offset: String(Math.min(from, Number(offset))) };
    });
    if (positions.length > 0) await library.commit(generation?.group ?? '', positions);
  };

  const take = async (one: Step): Promise<void> => {
    if (one.kind === 'restart' || one.kind === 'deliver again') {
      await stop();
      if (one.kind === 'deliver again') await setBack(one.from);
      catalog = await start();
    } else if (one.kind === 'send malformed') await library.send(one.id, `{"id":"${one.id}"`);
    else if (one.kind === 'withdraw') {
      await library.withdraw(one.id);
      expected.delete(one.id);
    } else {
      await library.publish(asset(one.id, { name: one.name }));
      expected.set(one.id, one.name);
    }
  };

  const indexed = async () => {
    const found = await Promise.all(
      (['pools', 'projects'] as const).map((kind) => catalog.search(kind, { fields: 'id,name' })),
    );
    return new Map(found.flat().map((one) => [one.id, one.name]));
  };

  it('converges to the topic, whatever is published, withdrawn, malformed or redelivered, and however often it restarts', async () => {
    catalog = await start();
    const steps = fc.array(step, { minLength: 10, maxLength: 40 });
    const converges = fc.asyncProperty(steps, async (story) => {
      for (const one of story) await take(one);
      await eventually(async () => expect(await indexed()).toEqual(expected));
      const { discrepancies, assets } = await indices.verify(library);
      expect([discrepancies, assets]).toEqual([[], expected.size]);
    });
    await fc.assert(converges, { numRuns: 4, endOnFailure: true });
  }, 600_000);
});
