import { eventually } from '@carbon/testing';
import { NoTurn, Turns } from './turns.js';

const never = () => new Promise<never>(() => {});

/** Runs tasks by their names, whose first letter is their account, and notes when each begins. */
function recorded(turns: Turns) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string) =>
    turns.run(name[0] ?? '', () => {
      begun.push(name);
      return new Promise<void>((resolve) => void ends.push(resolve));
    });
  /** Ends the task that began first, and waits until another one begins. */
  const endFirst = async () => {
    const before = begun.length;
    ends.shift()?.();
    await eventually(() => expect(begun).toHaveLength(before + 1));
  };
  return { begun, run, endFirst };
}

describe('Turns', () => {
  it('lets so many go at a time, in the order they came', async () => {
    const { begun, run, endFirst } = recorded(new Turns(2, 10, 5_000));
    for (const name of ['a1', 'a2', 'a3', 'a4']) void run(name);
    expect(begun).toEqual(['a1', 'a2']);
    await endFirst();
    expect(begun).toEqual(['a1', 'a2', 'a3']);
    await endFirst();
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('refuses at once when too many wait', async () => {
    const turns = new Turns(1, 0, 5_000);
    void turns.run('one', never);
    await expect(turns.run('one', never)).rejects.toThrow(NoTurn);
  });

  it('refuses what has waited too long, without beginning', async () => {
    const turns = new Turns(1, 1, 10);
    void turns.run('one', never);
    let hasBegun = false;
    const late = turns.run('one', async () => {
      hasBegun = true;
    });
    await expect(late).rejects.toThrow('no turn within 10 ms');
    expect(hasBegun).toBe(false);
  });

  it('passes a turn on after a failure', async () => {
    const turns = new Turns(1, 1, 5_000);
    const failing = turns.run('one', () => Promise.reject(new Error('broken')));
    const next = turns.run('one', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('done');
    await expect(turns.run('one', () => Promise.resolve('again'))).resolves.toBe('again');
  });

  it('lets accounts go by turns, each in the order it came', async () => {
    const { begun, run, endFirst } = recorded(new Turns(1, 10, 5_000));
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void run(name);
    for (let n = 0; n < 6; n += 1) await endFirst();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('refuses the last of the account with most waiting when another comes that has fewer', async () => {
    const { begun, run, endFirst } = recorded(new Turns(1, 3, 5_000));
    const tasks = ['a1', 'a2', 'a3', 'a4', 'b1'].map(run);
    await expect(tasks[3]).rejects.toThrow(NoTurn);
    await expect(run('a5')).rejects.toThrow(NoTurn);
    await expect(run('b2')).rejects.toThrow(NoTurn);
    for (let n = 0; n < 3; n += 1) await endFirst();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });
});
