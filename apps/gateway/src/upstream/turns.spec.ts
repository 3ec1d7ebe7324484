import { eventually } from '@carbon/testing';
import { NoTurn, Turns } from './turns.js';

const never = () => new Promise<never>(() => {});

describe('Turns', () => {
  it('lets so many go at a time, in the order they came', async () => {
    const turns = new Turns(2, 10, 5_000);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const works = [0, 1, 2, 3].map((number) =>
      turns.run('one', () => {
        begun.push(number);
        return new Promise<void>((resolve) => void ends.push(resolve));
      }),
    );
    expect(begun).toEqual([0, 1]);
    ends[1]?.();
    await works[1];
    expect(begun).toEqual([0, 1, 2]);
    for (const end of ends) end();
    await works[2];
    ends[3]?.();
    await Promise.all(works);
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('refuses at once when too many wait', async () => {
    const turns = new Turns(1, 0, 5_000);
    void turns.run('one', never);
    await expect(turns.run('one', never)).rejects.toThrow(NoTurn);
  });

  it('refuses who has waited too long, without beginning', async () => {
    const turns = new Turns(1, 1, 10);
    void turns.run('one', never);
    let begun = false;
    const late = turns.run('one', async () => {
      begun = true;
    });
    await expect(late).rejects.toThrow('no turn within 10 ms');
    expect(begun).toBe(false);
  });

  it('passes a turn on after a failure', async () => {
    const turns = new Turns(1, 1, 5_000);
    const failing = turns.run('one', () => Promise.reject(new Error('broken')));
    const next = turns.run('one', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('done');
    await expect(turns.run('one', () => Promise.resolve('again'))).resolves.toBe('again');
  });

  /** Works that are noted when they begin, and end when they are told. */
  function noted(turns: Turns) {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const run = (account: string, name: string) =>
      turns.run(account, () => {
        begun.push(name);
        return new Promise<void>((resolve) => void ends.push(resolve));
      });
    const endNext = async () => {
      const before = begun.length;
      ends.shift()?.();
      await eventually(() => expect(begun).toHaveLength(before + 1));
    };
    return { begun, run, endNext };
  }

  it('lets accounts go by turns, each in the order it came', async () => {
    const { begun, run, endNext } = noted(new Turns(1, 10, 5_000));
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void run(name[0] ?? '', name);
    for (let n = 0; n < 6; n += 1) await endNext();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('refuses the last of the account with most waiting when another comes that has fewer', async () => {
    const { begun, run, endNext } = noted(new Turns(1, 3, 5_000));
    const works = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => run(name[0] ?? '', name));
    await expect(works[3]).rejects.toThrow(NoTurn);
    await expect(run('a', 'a5')).rejects.toThrow(NoTurn);
    await expect(run('b', 'b2')).rejects.toThrow(NoTurn);
    for (let n = 0; n < 3; n += 1) await endNext();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });
});
