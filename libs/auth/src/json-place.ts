/**
 * Where a text stops being JSON, for people. What JSON.parse says does not always hold the place, and quotes the text,
 * which may hold what nobody should see; so the longest beginning is looked for that only lacks its end.
 */
export function placeOfSyntaxError(text: string): string {
  if (text.trim() === '') return 'the file, which is empty,';
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (mayGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  if (good === text.length) return 'the file, which ends too soon,';
  const before = text.slice(0, good).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function mayGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const said = error instanceof Error ? error.message : '';
    const [, position] = /at position (\d+)/.exec(said) ?? [];
    return position === undefined ? said.startsWith('Unexpected end') : Number(position) >= beginning.length;
  }
}
