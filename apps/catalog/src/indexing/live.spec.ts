import { generationOf } from './generation.js';
import { aliasActions, mayGoLive, supersededActions } from './live.js';
import { mappingHash } from './revision.js';

const own = generationOf('', 2, { POOL: 'a', PROJECT: 'b' });
const live = (index: string, revision: number, aliases = ['pools']) => ({ index, revision, aliases });

describe('going live', () => {
  it.each([
    ['nothing is live', []],
    ['it is itself live', [live(own.indices.POOL, 5), live(own.indices.PROJECT, 5)]],
    ['an older build of the same mapping is live', [live(`pools-${mappingHash()}-1`, 5)]],
    ['a mapping of a lower revision is live', [live('pools-11111111-9', 4), live('projects-11111111-9', 4)]],
  ])('is allowed when %s', (_, others) => {
    expect(mayGoLive(own, 5, others)).toBe(true);
  });

  it.each([
    ['a newer build of the same mapping is live', [live(`projects-${mappingHash()}-3`, 5)]],
    ['a mapping of a higher revision is live', [live('pools-11111111-1', 6)]],
    ['another mapping of the same revision is live', [live('pools-11111111-1', 5)]],
    ['one of the two is newer', [live('pools-11111111-1', 4), live('projects-22222222-1', 6)]],
  ])('is refused when %s', (_, others) => {
    expect(mayGoLive(own, 5, others)).toBe(false);
  });

  it('takes the alias from whoever has it, and only that alias', () => {
    const others = [live('pools-old', 1), live('projects-old', 1, ['projects']), live('pools-own', 1)];
    expect(aliasActions('pools', 'pools-own', others)).toEqual([
      { remove: { index: 'pools-old', alias: 'pools' } },
      { add: { index: 'pools-own', alias: 'pools' } },
    ]);
  });

  it('leaves an alias that two have taken at once to the higher revision', () => {
    const both = [live('pools-old', 1), live('pools-new', 2), live('projects-old', 1, ['projects'])];
    expect(supersededActions(['pools', 'projects'], both)).toEqual([
      { remove: { index: 'pools-old', alias: 'pools', must_exist: false } },
    ]);
    expect(supersededActions(['pools'], [])).toEqual([]);
  });
});
