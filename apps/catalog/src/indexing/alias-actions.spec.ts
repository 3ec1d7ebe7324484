import { giveWayActions, goLiveActions, removeActions, retireActions } from './alias-actions.js';
import { BOTH, standing, stateOf } from './test-generations.js';

const next = standing('aaaaaaaa-2');
const old = standing('aaaaaaaa-1', { liveFor: BOTH });

describe('the changes of aliases', () => {
  it('take both from whoever was seen to have them, and must find them there', () => {
    expect(goLiveActions('', next, stateOf(old, next))).toEqual([
      { remove: { index: 'pools-aaaaaaaa-1', alias: 'pools', must_exist: true } },
      { add: { index: 'pools-aaaaaaaa-2', alias: 'pools' } },
      { remove: { index: 'projects-aaaaaaaa-1', alias: 'projects', must_exist: true } },
      { add: { index: 'projects-aaaaaaaa-2', alias: 'projects' } },
    ]);
  });

  it('take an alias from what is no generation, too', () => {
    const state = { generations: [next], strangers: { POOL: ['by-hand'], PROJECT: [] } };
    expect(goLiveActions('', next, state)[0]).toEqual({
      remove: { index: 'by-hand', alias: 'pools', must_exist: true },
    });
  });

  it('leave an alias that two have taken at once to the foremost', () => {
    const both = stateOf(old, { ...next, liveFor: ['POOL'] });
    expect(giveWayActions('', both)).toEqual([
      { remove: { index: 'pools-aaaaaaaa-1', alias: 'pools', must_exist: false } },
    ]);
    expect(giveWayActions('', stateOf(old, next))).toEqual([]);
  });

  it('retire what is there of a generation, for its turn, on condition that the other is live', () => {
    const gone = standing('aaaaaaaa-1', { has: ['PROJECT'], turn: 4 });
    expect(retireActions('', gone, { ...next, liveFor: ['POOL'] }, new Date(1000))).toEqual([
      { remove: { index: 'pools-aaaaaaaa-2', alias: 'pools', must_exist: true } },
      { add: { index: 'pools-aaaaaaaa-2', alias: 'pools' } },
      { add: { index: 'projects-aaaaaaaa-1', alias: 'retired-4-1000' } },
    ]);
  });

  it('remove what is there of a generation, on condition that the other is live', () => {
    const gone = standing('aaaaaaaa-1', { has: ['PROJECT'] });
    expect(removeActions('', gone, { ...next, liveFor: ['POOL'] })).toEqual([
      { remove: { index: 'pools-aaaaaaaa-2', alias: 'pools', must_exist: true } },
      { add: { index: 'pools-aaaaaaaa-2', alias: 'pools' } },
      { remove_index: { index: 'projects-aaaaaaaa-1' } },
    ]);
  });
});
