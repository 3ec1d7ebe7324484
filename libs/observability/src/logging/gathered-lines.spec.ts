import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { GatheredLines } from './gathered-lines.js';

/** Lines, and what was written of them; each write is told. */
function gathered() {
  const writes: string[] = [];
  const told = new PassThrough();
  let flushed = 0;
  const write = (text: string) => {
    writes.push(text);
    told.write('.');
  };
  const lines = new GatheredLines({
    write,
    flushSync: () => {
      flushed += 1;
    },
  });
  return { lines, writes, told, flushed: () => flushed };
}

describe('gathered lines', () => {
  it('are written together once there are many, each once and in order', () => {
    const { lines, writes } = gathered();
    const all = Array.from({ length: 3_000 }, (_, n) => `${'x'.repeat(20)} ${n}\n`);
    for (const line of all) lines.write(line);
    expect(writes.length).toBeGreaterThan(1);
    expect(writes.length).toBeLessThan(10);
    lines.flushSync();
    expect(writes.join('')).toBe(all.join(''));
  });

  it('are written soon when there are few', async () => {
    const { lines, writes, told } = gathered();
    lines.write('a\n');
    lines.write('b\n');
    expect(writes).toEqual([]);
    await once(told, 'data');
    lines.write('c\n');
    await once(told, 'data');
    expect(writes).toEqual(['a\nb\n', 'c\n']);
  });

  it('are out, every one, when that is asked for', () => {
    const { lines, writes, flushed } = gathered();
    lines.write('last words\n');
    lines.flushSync();
    expect([writes, flushed()]).toEqual([['last words\n'], 1]);
  });
});
