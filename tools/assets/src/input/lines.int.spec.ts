import { MAX_LINE_BYTES, readLines } from './lines.js';
import { openNamelessFile } from './nameless-file.js';

async function linesOf(text: string) {
  await using file = await openNamelessFile();
  await file.appendFile(text);
  const found: { number: number; start: number; end: number; text: string | undefined }[] = [];
  for await (const lines of readLines(file)) {
    for (const { bytes, ...place } of lines) found.push({ ...place, text: bytes?.toString('utf8') });
  }
  return found;
}

describe('the lines of a file', () => {
  it('are counted from 1 with their place, blank ones left out but counted', async () => {
    expect(await linesOf('a\n\n \t\r\nöb\r\nc')).toEqual([
      { number: 1, start: 0, end: 2, text: 'a' },
      { number: 4, start: 7, end: 12, text: 'öb\r' },
      { number: 5, start: 12, end: 13, text: 'c' },
    ]);
    expect(await linesOf('')).toEqual([]);
  });

  it('stay whole across the pieces a file is read in', async () => {
    const lines = Array.from({ length: 5_000 }, (_, n) => `${n}:${'ä'.repeat(n % 300)}`);
    expect((await linesOf(lines.join('\n'))).map(({ text }) => text)).toEqual(lines);
  });

  it('are not kept when they are longer than any asset', async () => {
    const long = 'x'.repeat(MAX_LINE_BYTES + 1);
    expect(await linesOf(`a\n${long}\nb\n${long}`)).toEqual([
      { number: 1, start: 0, end: 2, text: 'a' },
      { number: 2, start: 2, end: 2 + long.length + 1, text: undefined },
      { number: 3, start: long.length + 3, end: long.length + 5, text: 'b' },
      { number: 4, start: long.length + 5, end: 2 * long.length + 5, text: undefined },
    ]);
  });
});
