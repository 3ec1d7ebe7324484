import { SharedBatches } from './shared-batches.js';

/** Batches that the test ends: each is shown as its items, and its outcome is their number. */
function heldBatches(maxSize: number) {
  const started: string[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const batches = new SharedBatches(maxSize, async (items: readonly string[]) => {
    started.push(items.join(''));
    const end = Promise.withResolvers<void>();
    ends.push(end);
    await end.promise;
    return items.length;
  });
  const submit = (items: string) => batches.submit([...items]);
  const turn = () => new Promise(setImmediate);
  return { batches, started, ends, submit, turn };
}

describe('shared batches', () => {
  it('run one at a time, and each takes what was submitted during the one before, up to its size', async () => {
    const { batches, started, ends, submit, turn } = heldBatches(4);
    const outcomes = Promise.all(['ab', 'cd', 'ef', 'g', 'hijklm'].map(submit));
    for (let at = 0; at < 3; at += 1) {
      await turn();
      expect(started).toHaveLength(at + 1);
      ends[at]?.resolve();
    }
    await batches.idle();
    expect(started).toEqual(['abcd', 'efg', 'hijklm']);
    expect(await outcomes).toEqual([4, 4, 3, 3, 6]);
  });

  it('reject those that share a failed batch, and go on', async () => {
    const { started, ends, submit, turn } = heldBatches(4);
    const together = Promise.allSettled([submit('a'), submit('b')]);
    await turn();
    const next = submit('c');
    ends[0]?.reject(new Error('no'));
    expect((await together).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await turn();
    ends[1]?.resolve();
    expect([await next, started]).toEqual([1, ['ab', 'c']]);
  });
});
