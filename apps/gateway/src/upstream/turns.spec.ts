import { NoTurn, Turns } from './turns.js';

const never = () => new Promise<never>(() => {});

describe('Turns', () => {
  it('lets so many go at a time, in the order they came', async () => {
    const turns = new Turns(2, 10, 5_000);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const works = [0, 1, 2, 3].map((number) =>
      turns.run(() => {
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
    void turns.run(never);
    await expect(turns.run(never)).rejects.toThrow(NoTurn);
  });

  it('refuses who has waited too long, without beginning', async () => {
    const turns = new Turns(1, 1, 10);
    void turns.run(never);
    let begun = false;
    const late = turns.run(async () => {
      begun = true;
    });
    await expect(late).rejects.toThrow('no turn within 10 ms');
    expect(begun).toBe(false);
  });

  it('passes a turn on after a failure', async () => {
    const turns = new Turns(1, 1, 5_000);
    const failing = turns.run(() => Promise.reject(new Error('broken')));
    const next = turns.run(() => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('done');
    await expect(turns.run(() => Promise.resolve('again'))).resolves.toBe('again');
  });
});
