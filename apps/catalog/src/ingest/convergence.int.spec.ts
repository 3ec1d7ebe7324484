import { Screen } from '@carbon/terminal';
import { eventually } from '@carbon/testing';
import fc from 'fast-check';
import { verifyLibrary } from '../cli/verify/verify-library.js';
import { asset } from '../test-asset.js';
import { startCatalog, type TestCatalog, type TestLibrary, testLibrary } from '../test-catalog.js';
import { TestIndices } from '../test-indices.js';

/** What may happen to the library, in any order. */
type Step =
  | { readonly kind: 'publish'; readonly id: string; readonly name: string }
  | { readonly kind: 'withdraw'; readonly id: string }
  | { readonly kind: 'spoil'; readonly id: string }
  | { readonly kind: 'deliver again'; readonly from: number }
  | { readonly kind: 'restart' };

const id = fc.constantFrom('pool_1', 'pool_2', 'pool_3', 'proj_1', 'proj_2', 'proj_3', 'proj_4');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('publish' as const),
      id,
      name: fc.string({ minLength: 1, unit: 'grapheme-ascii' }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), id }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('spoil' as const), id }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deliver again' as const), from: fc.nat({ max: 20 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

describe('ingest', () => {
  let library: TestLibrary;
  let indices: TestIndices;
  let catalog: TestCatalog;
  const expected = new Map<string, string>();

  beforeAll(async () => {
    library = await testLibrary();
    indices = new TestIndices(library.prefix);
    catalog = await startCatalog(library.prefix);
    await catalog.ready();
  });
  afterAll(async () => {
    await catalog.close();
    await indices.close();
    await library.close();
  });

  const restart = async () => {
    await catalog.close();
    catalog = await startCatalog(library.prefix);
    await catalog.ready();
  };

  /** Sets the positions of the live generation's group back, as a lost commit does, only further. */
  const deliverAgain = async (from: number) => {
    await catalog.close();
    const [generation] = (await indices.library.look()).generations;
    const admin = library.kafka.client.admin();
    await admin.connect();
    const topic = library.kafka.names.topic('asset.published');
    const groupId = library.kafka.names.group(generation?.group ?? '');
    const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
    // Never forward: what was not taken yet would be passed over. Where nothing is committed (-1) nothing is set.
    const taken = committed?.partitions.filter(({ offset }) => Number(offset) >= 0) ?? [];
    const partitions = taken.map(({ partition, offset }) => {
      return { partition, offset: String(Math.min(from, Number(offset))) };
    });
    if (partitions.length > 0) await admin.setOffsets({ groupId, topic, partitions });
    await admin.disconnect();
    catalog = await startCatalog(library.prefix);
    await catalog.ready();
  };

  const take = async (one: Step): Promise<void> => {
    if (one.kind === 'restart') await restart();
    else if (one.kind === 'deliver again') await deliverAgain(one.from);
    else if (one.kind === 'spoil') await library.send(one.id, `{"id":"${one.id}"`);
    else if (one.kind === 'withdraw') {
      await library.withdraw(one.id);
      expected.delete(one.id);
    } else {
      await library.publish(asset(one.id, { name: one.name }));
      expected.set(one.id, one.name);
    }
  };

  const indexed = async () => {
    const found = [
      ...(await catalog.search('pools', { fields: 'id,name' })),
      ...(await catalog.search('projects', { fields: 'id,name' })),
    ];
    return new Map(found.map((one) => [one.id, one.name]));
  };

  it('comes to the same as the topic, whatever is published, withdrawn, spoilt, delivered again or cut off', async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 40 });
    const converges = fc.asyncProperty(steps, async (story) => {
      for (const one of story) await take(one);
      await eventually(async () => expect(await indexed()).toEqual(expected));
      const engines = { openSearch: indices.openSearch, library: indices.library, kafka: library.kafka };
      const { differences, assets } = await verifyLibrary(engines, new Screen({ write: () => true }));
      expect([differences, assets]).toEqual([[], expected.size]);
    });
    await fc.assert(converges, { numRuns: 4, endOnFailure: true });
  }, 600_000);
});
