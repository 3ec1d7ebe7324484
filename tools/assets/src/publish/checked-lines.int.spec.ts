import { type CheckedLine, CheckedLines } from './checked-lines.js';

async function throughDisk(lines: readonly CheckedLine[]) {
  await using kept = new CheckedLines();
  for (const line of lines) await kept.add(line);
  const groups: (readonly CheckedLine[])[] = [];
  for await (const group of kept.groups()) groups.push(group);
  return groups;
}

describe('checked lines', () => {
  it('come back as they were, in their order, however many there are', async () => {
    const lines = Array.from({ length: 3_000 }, (_, n) => ({
      id: `proj_${n}`,
      json: `{"n":${n},"name":"ö\\t\u2028🌳${'–'.repeat(n % 2_000)}"}`,
    }));
    expect((await throughDisk(lines)).flat()).toEqual(lines);
  });

  it('come back from memory when they are few', async () => {
    const line = { id: 'pool_a', json: '{}' };
    expect(await throughDisk([line])).toEqual([[line]]);
    expect(await throughDisk([])).toEqual([[]]);
  });
});
